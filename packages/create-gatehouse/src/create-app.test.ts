import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { createApp } from './create-app.ts'

let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'create-gatehouse-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
})

/** Runs the command. With `typed` there is a terminal, at which a user types these lines. */
async function run(args: readonly string[], typed?: readonly string[]) {
  const isTTY = typed !== undefined
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY })
  let printed = ''
  let errors = ''
  const left = [...(typed ?? [])]
  output.on('data', (text: string) => {
    printed += text
    if (!text.endsWith(': ')) return
    const line = left.shift()
    if (line === undefined) input.end()
    else input.write(`${line}\n`)
  })
  const code = await createApp(args, {
    cwd,
    starter: fileURLToPath(new URL('../../../examples/starter', import.meta.url)),
    version: '7.8.9',
    hasSqlite: true,
    randomSecret: () => 'secret-of-the-test',
    input,
    output,
    errors: { write: (text: string) => (errors += text) },
  })
  return { code, errors, printed }
}

const read = (path: string): string => readFileSync(join(cwd, path), 'utf8')
const manifest = () => JSON.parse(read('my-app/package.json'))

it('creates an app with the chosen services, and names the next commands', async () => {
  const { code, printed } = await run(['my-app', '--framework', 'hono', '--with', 'alerts'])
  expect(code).toBe(0)
  expect(printed).toContain('Created an app with Hono and alerts in my-app.\n\n  cd my-app\n')
  expect(readdirSync(join(cwd, 'my-app/src')).sort()).toEqual([
    'alerts.test.ts',
    'alerts.ts',
    'app.ts',
    'ask.ts',
    'health.ts',
    'server.ts',
    'services.fixture.ts',
    'services.ts',
  ])
  expect(manifest()).toMatchObject({
    name: 'my-app',
    dependencies: { '@gatehouse/core': '^7.8.9', hono: expect.any(String) },
    devDependencies: { '@gatehouse/store-memory': '^7.8.9', vitest: expect.any(String) },
  })
  expect(manifest().dependencies).not.toHaveProperty('express')
})

it('gives secrets to the services that need them, in a file for its owner alone', async () => {
  await run(['my-app', '--with', 'webhooks,sign-in'])
  expect(read('my-app/.env')).toMatch(
    /AUTH_KEY=secret-of-the-test\nDEPLOY_TOKEN=secret-of-the-test/,
  )
  expect(statSync(join(cwd, 'my-app/.env')).mode & 0o777).toBe(0o600)
  expect(read('my-app/.gitignore')).toContain('.env\n')
})

it('asks for what is missing at a terminal, and again after a wrong answer', async () => {
  const { code, printed } = await run([], ['my-app', 'koa', 'express', 'alerts'])
  expect(code).toBe(0)
  expect(printed).toContain('no framework is called "koa"; there are hono, express, next')
  expect(printed).toContain('Created an app with Express and alerts in my-app.')
})

it('writes nothing if the input ends', async () => {
  const { code, errors } = await run([], ['my-app'])
  expect([code, errors]).toEqual([2, 'create-gatehouse: the input ended; nothing was written\n'])
  expect(readdirSync(cwd)).toEqual([])
})

it('takes an empty folder, and one that has only .git', async () => {
  expect((await run(['.', '--yes'])).code).toBe(0)
  rmSync(cwd, { recursive: true })
  expect((await run(['.', '--yes'])).code).toBe(0)
})

it.each([
  [['my-app', '--framework', 'koa'], 'no framework is called "koa"; there are hono, express, next'],
  [
    ['my-app', '--with', 'mail'],
    'no service is called "mail"; there are sign-in, alerts, webhooks',
  ],
  [['my-app', '--with', ','], '--with needs one of sign-in, alerts, webhooks'],
  [['one', 'two'], 'expected one folder, got 2: one two'],
  [['my-app', '--bogus'], "Unknown option '--bogus'; see --help"],
  [[], 'name a folder for the app, as in "npm create gatehouse my-app"'],
])('refuses %j', async (args, message) => {
  expect(await run(args)).toEqual({
    code: 2,
    errors: `create-gatehouse: ${message}\n`,
    printed: '',
  })
  expect(readdirSync(cwd)).toEqual([])
})

it('refuses a folder with files, and a file', async () => {
  writeFileSync(join(cwd, 'notes.txt'), 'mine')
  expect((await run(['.', '--yes'])).errors).toContain(
    'this folder is not empty; name a new folder',
  )
  expect((await run(['notes.txt'])).errors).toContain('notes.txt is a file')
  expect(readdirSync(cwd)).toEqual(['notes.txt'])
})

it('reports a folder that cannot be made', async () => {
  writeFileSync(join(cwd, 'notes.txt'), 'mine')
  const { code, errors } = await run(['notes.txt/app'])
  expect(code).toBe(1)
  expect(errors).toMatch(/^create-gatehouse: ENOTDIR/)
})
