import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { describeWithBrowser, useBrowser } from '../../../test-support/browser.ts'
import { freePort } from '../../../test-support/free-port.mjs'
import { arriveAt, press, visit } from '../../sign-in/test/sign-in.fixture.ts'
import type { OidcClient } from '../src/index.ts'
import { createPerson, secret, startLive } from './live.fixture.ts'

const page = readFileSync(new URL('../../../docs/single-sign-on.md', import.meta.url), 'utf8')
const section = (title: string): string => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
const block = (title: string, kind: string): string =>
  new RegExp(`\`\`\`${kind}\n(.*?)\`\`\``, 's').exec(section(title))?.[1] ?? ''

/** What the page says that must be installed, and what its program imports. */
const named = (title: string): { installed: string[]; imported: string[] } => {
  const installed = /^npm install ([^#\n]*?)$/m.exec(section(title))?.[1]?.split(' ') ?? []
  const imports = [...block(title, 'ts').matchAll(/^import .* from '(.*)'$/gm)]
  const packages = imports
    .map(([, name = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '')
    .filter((name) => !name.startsWith('node:'))
  return { installed: installed.sort(), imported: [...new Set(packages)].sort() }
}

describe('"Single sign-on for your tools in ten minutes"', () => {
  it.each(['The server', 'A tool of your own'])(
    'installs what the program of "%s" imports',
    (title) => {
      const { installed, imported } = named(title)
      expect(installed.length).toBeGreaterThan(2)
      expect(installed).toEqual(imported)
    },
  )
})

/** A block of the page, with free ports. */
type Placed = (title: string, kind: string) => string

interface Program {
  printed(): string
  failed(): string
}

/** Runs a program in a folder with these files, where packages are found as after `npm install`. */
function runProgram(files: Readonly<Record<string, string>>, command: readonly string[]): Program {
  const cache = fileURLToPath(new URL('../../../node_modules/.cache/gatehouse/', import.meta.url))
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(`${cache}single-sign-on-`)
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(`${folder}/${name}`, text, { mode: 0o600 })
  }
  const child = spawn(process.execPath, command, { cwd: folder })
  const ended = once(child, 'exit')
  let [printed, failed] = ['', '']
  child.stdout.on('data', (text) => {
    printed += text
  })
  child.stderr.on('data', (text) => {
    failed += text
  })
  onTestFinished(async () => {
    child.kill()
    await ended
    rmSync(folder, { recursive: true })
  })
  return { printed: () => printed, failed: () => failed }
}

/** Runs the command with the file of the page, and the key that it makes before. */
function runCommand(placed: Placed): Program {
  const file = placed('The server', 'yaml')
  const main = fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url))
  const key = randomBytes(32).toString('base64')
  const files = { 'config.yaml': file, 'auth.key': key }
  const { failed } = runProgram(files, [main, 'api'])
  // It logs to stderr; a code stands behind its name.
  return { printed: () => /code=(\d{6})\b/.exec(failed())?.[1] ?? '', failed }
}

const statusOf = (url: string, failed: () => string): Promise<number | string> =>
  fetch(url, { redirect: 'manual' }).then(({ status }) => status, failed)

describeWithBrowser('the programs of "Single sign-on for your tools in ten minutes"', () => {
  const browser = useBrowser()

  it.each<[string, (placed: Placed) => Program]>([
    ['the program', (placed) => runProgram({ 'id.mjs': placed('The server', 'ts') }, ['id.mjs'])],
    ['the command', runCommand],
  ])('let a person sign up at the server, and into a tool: %s', async (_name, start) => {
    const [idPort, toolPort] = [await freePort(), await freePort()]
    // Both at once: a port that was placed may contain the other's digits.
    const placed: Placed = (title, kind) =>
      block(title, kind).replace(/\b[34]000\b/g, (port) => `${port === '3000' ? idPort : toolPort}`)
    const issuer = `http://localhost:${idPort}`
    const id = start(placed)
    const description = `${issuer}/.well-known/openid-configuration`
    await expect.poll(() => statusOf(description, id.failed)).toBe(200)
    const tool = `http://127.0.0.1:${toolPort}`
    const notes = runProgram({ 'notes.mjs': placed('A tool of your own', 'ts') }, ['notes.mjs'])
    await expect.poll(() => statusOf(tool, notes.failed)).toBe(302)

    const { page: opened, complaints } = await visit(browser(), tool)
    await arriveAt(opened, 'Sign in to Harbor Light')
    await opened.getByRole('link', { name: 'Sign up' }).click()
    await arriveAt(opened, 'Create your account')
    await opened.getByLabel('Email address').fill('maya@example.com')
    await press(opened, 'Continue')
    await arriveAt(opened, 'Check your email')
    await expect.poll(id.printed).toMatch(/\b\d{6}\b/)
    const [code = ''] = id.printed().match(/\b\d{6}\b/) ?? []
    await opened.getByLabel('Code', { exact: true }).fill(code)
    await opened.getByLabel('New password', { exact: true }).fill('tidal-lantern-42')
    await press(opened, 'Set password')
    await opened.waitForURL(`${tool}/callback?**`)
    expect(await opened.locator('body').innerText()).toBe('Hello, maya@example.com')
    // Again: nothing is asked.
    await opened.goto(tool)
    await opened.waitForURL(`${tool}/callback?**`)
    expect(await opened.locator('body').innerText()).toBe('Hello, maya@example.com')
    expect(complaints).toEqual([])
  })
})

describe('Grafana, as the page sets it up', () => {
  const ini = block('Grafana', 'ini')
  const key = (name: string): string => new RegExp(`^${name} = (.*)$`, 'm').exec(ini)?.[1] ?? ''
  const callback = `${key('root_url')}login/generic_oauth`

  it('gets the address and the roles of a person, with the requests that it sends', async () => {
    expect(block('Grafana', 'ts')).toContain(`'${callback}'`)
    expect(key('use_pkce')).toBe('true')
    const grafana: OidcClient = {
      clientId: key('client_id'),
      name: 'Grafana',
      type: 'web',
      clientSecret: secret,
      redirectUris: [callback],
      consent: 'never',
    }
    const live = await startLive({ oidc: { clients: [grafana] } })
    const at = (name: string): string => key(name).replace('https://id.example.com', live.origin)
    const verifier = 'a-verifier-of-at-least-forty-three-characters'
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
    const request = new URLSearchParams({
      client_id: key('client_id'),
      code_challenge: Buffer.from(digest).toString('base64url'),
      code_challenge_method: 'S256',
      redirect_uri: callback,
      response_type: 'code',
      scope: key('scopes'),
      state: 'a-state-of-grafana',
    })
    const person = createPerson()
    const login = await person.open(`${at('auth_url')}?${request}`)
    const { url } = await person.signIn(login)
    expect(url.searchParams.get('state')).toBe('a-state-of-grafana')
    const answer = await fetch(at('token_url'), {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${key('client_id')}:${secret}`)}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: url.searchParams.get('code') ?? '',
        redirect_uri: callback,
        code_verifier: verifier,
      }),
    })
    const tokens = (await answer.json()) as { access_token: string; token_type: string }
    expect([answer.status, tokens.token_type]).toEqual([200, 'Bearer'])
    const info = await fetch(at('api_url'), {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(await info.json()).toMatchObject({ email: 'maya@example.com', roles: [] })
  })
})
