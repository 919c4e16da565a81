import * as client from 'openid-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../test-support/free-port.mjs'
import { runHere, type Serving } from '../src/main.fixture.ts'
import { password, postFlow, signUp } from './support/auth-client.ts'
import { type AuthFolder, createAuthFolder, development, key, stop } from './support/auth-folder.ts'

const maya = 'maya@example.com'
const secret = 'a-secret-of-more-than-24-characters'
const callback = 'https://board.example.com/callback'

const board = {
  client_id: 'board',
  name: 'Harbor Board',
  type: 'web',
  client_secret: { file: 'board.secret' },
  redirect_uris: [callback],
  consent: 'never',
}

/** A folder for a server, and the port that its issuer names. */
interface Place {
  readonly folder: AuthFolder
  readonly port: number
}

async function createPlace(): Promise<Place> {
  const folder = createAuthFolder()
  folder.write('board.secret', `${secret}\n`)
  return { folder, port: await freePort() }
}

/** The place of the current test. */
let at: Place

const issuer = ({ port }: Place = at): string => `http://localhost:${port}`

function configure(oidc: object | undefined, place: Place = at): void {
  const section = { ...development, pages: {}, ...(oidc === undefined ? {} : { oidc }) }
  const { folder, port } = place
  folder.configure({ http: { public_origin: issuer(place) } }, section, { port })
}

const discover = (clientSecret = secret): Promise<client.Configuration> =>
  client.discovery(new URL(issuer()), 'board', clientSecret, undefined, {
    execute: [client.allowInsecureRequests],
  })

/** Follows redirects as a browser with these cookies does, until one leads to the address. */
async function follow(from: string | URL, until: string, cookies: Map<string, string>) {
  let url = new URL(from)
  for (let hops = 0; hops < 10 && !url.href.startsWith(until); hops++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${url.pathname}: ${await response.text()}`)
    url = new URL(location, url)
  }
  return url
}

/** Signs Maya in for the app, with the flow that the page would drive. Returns where her browser is sent back to. */
async function authorize(configuration: client.Configuration) {
  const verifier = client.randomPKCECodeVerifier()
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: callback,
    scope: 'openid email',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const cookies = new Map<string, string>()
  const page = await follow(url, `${issuer()}/login`, cookies)
  const input = { identification: 'email', login_id: maya, password }
  const answer = await postFlow(issuer(), page.search, {
    type: 'login',
    name: 'default',
    input: { ...input, authentication: 'primary_password' },
  })
  for (const [name, value] of answer.cookies) cookies.set(name, value)
  const next = String(answer.result?.action.data.finish_redirect_uri)
  return { back: await follow(next, callback, cookies), verifier }
}

describe('two processes of gatehouse api with auth.oidc', () => {
  let shared: Place
  let server: Serving
  let other: Serving
  const unlogged = [secret, key]

  beforeAll(async () => {
    shared = await createPlace()
    configure({ clients: [board] }, shared)
    server = await shared.folder.serve()
    other = await shared.folder.serve('--port', '0')
    await signUp(server, maya)
  })
  beforeEach(() => {
    at = shared
  })
  afterAll(async () => {
    const logs = [await stop(server), await stop(other)]
    await shared.folder.remove()
    for (const log of logs) {
      expect(log).toMatch(/service=auth .*oidc=\/oidc apps=1/)
      for (const word of unlogged) expect(log).not.toContain(word)
    }
  })

  it('sign people in for an app, and log neither its secret nor its code', async () => {
    const configuration = await discover()
    const { back, verifier } = await authorize(configuration)
    const tokens = await client.authorizationCodeGrant(configuration, back, {
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const { sub = '' } = tokens.claims() ?? {}
    const claims = await client.fetchUserInfo(configuration, tokens.access_token, sub)
    expect(claims).toEqual({ sub, email: maya, email_verified: true })
    const code = back.searchParams.get('code') ?? ''
    expect(code).not.toBe('')
    // The logs are read at the end.
    unlogged.push(code, tokens.access_token)
  })

  it('exchange what the other has given, and one of two at a time', async () => {
    const here = await discover()
    const { back, verifier } = await authorize(here)
    const there = await discover()
    // The other process has the same issuer, as behind a proxy.
    there[client.customFetch] = (url, { body, ...init }) =>
      fetch(url.replace(issuer(), other.url), { ...init, ...(body == null ? {} : { body }) })
    const exchanges = await Promise.allSettled(
      [here, there].map((one) =>
        client.authorizationCodeGrant(one, back, { pkceCodeVerifier: verifier }),
      ),
    )
    const refused = exchanges.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(refused).toEqual([expect.objectContaining({ error: 'invalid_grant' })])
  })
})

describe('gatehouse api with auth.oidc', () => {
  let folder: AuthFolder

  beforeEach(async () => {
    at = await createPlace()
    folder = at.folder
  })
  afterEach(() => folder.remove())

  it('takes changed apps by a reload, and refuses a bad change once, with its place', async () => {
    configure({ clients: [board] })
    const server = await folder.serve()
    await signUp(server, maya)
    configure({ clients: [{ ...board, redirect_uris: ['https://board.example.com/#x'] }] })
    server.signal('SIGHUP')
    const refusal = await server.logged(/reload failed/)
    expect(refusal).toMatch(
      /config\.json:\d+:\d+ auth\.oidc\.clients\[0\]\.redirect_uris\[0\]: must be/,
    )
    const configuration = await discover()
    expect((await authorize(configuration)).back.searchParams.has('code')).toBe(true)

    const http = 'http://board.lan/callback'
    configure({ clients: [{ ...board, redirect_uris: [http] }], base_path: '/sso' })
    server.signal('SIGHUP')
    expect(await server.logged(/issuer and base_path of auth\.oidc/)).toContain('at the next start')
    await expect(authorize(await discover())).rejects.toThrow('/oidc/authorize')
    configure(undefined)
    server.signal('SIGHUP')
    expect(await server.logged(/whether auth\.oidc is served/)).toContain('at the next start')
    const log = await stop(server)
    expect(log.match(/reload failed/g)).toHaveLength(1)
    expect(log).toMatch(
      /level=warn msg="auth\.oidc\.clients\[0\]\.redirect_uris\[0\]: .*unencrypted/,
    )
  })

  it('has no route of it without the section', async () => {
    configure(undefined)
    const { url } = await folder.serve()
    const paths = ['/.well-known/openid-configuration', '/oidc/jwks', '/oidc/authorize']
    const answers = await Promise.all(paths.map((path) => fetch(`${url}${path}`)))
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  })

  it('lists and rotates its keys, also beside those of sessions', async () => {
    configure({ clients: [board] })
    const keys = async (...line: readonly string[]) => {
      const { stdout } = await runHere(
        ['keys', ...line, '--json', '--config', 'config.json'],
        folder.path,
      )
      const listed: readonly { kid: string; signs: string; state: string }[] =
        JSON.parse(stdout).keys
      return listed
    }
    expect(await keys('list')).toEqual([])
    const server = await folder.serve()
    const { jwks_uri: address = '' } = (await discover()).serverMetadata()
    const published = async () => {
      const { keys: found } = JSON.parse(await (await fetch(address)).text())
      return found.map(({ kid }: { kid: string }) => kid).toSorted()
    }
    const first = await published()
    const made = await keys('rotate')
    expect(made.map(({ signs, state }) => `${signs} ${state}`).toSorted()).toEqual([
      'apps next',
      'apps next',
      'apps signing',
      'apps signing',
    ])
    expect(
      made
        .filter(({ state }) => state === 'signing')
        .map(({ kid }) => kid)
        .toSorted(),
    ).toEqual(first)
    await stop(server)
    folder.configure({ http: { public_origin: issuer() }, tokens: {} }, { pages: {}, oidc: {} })
    expect((await keys('rotate')).map(({ signs }) => signs)).toContain('sessions')
  })

  it('refuses an issuer that nobody can know before the start', async () => {
    folder.configure({}, { ...development, pages: {}, oidc: { clients: [board] } })
    const { exitCode, stderr } = await runHere(['api', '--config', 'config.json'], folder.path)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('auth.oidc: needs http.public')])
  })
})
