import { statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest'
import { openSocket } from '../../../test-support/socket-client.ts'
import { runCli, runHere, type Serving } from '../src/main.fixture.ts'
import {
  feed,
  password,
  postFlow,
  printedCode,
  signIn,
  signUp,
  start,
} from './support/auth-client.ts'
import { type AuthFolder, createAuthFolder, development, key, stop } from './support/auth-folder.ts'

const maya = 'maya@example.com'
const dana = 'dana@example.com'
const ops = 'token-of-the-operator'
const alerts = { config: { route: { receiver: 'a' }, receivers: [{ name: 'a' }] } }

let folder: AuthFolder

beforeEach(() => {
  folder = createAuthFolder()
})
afterEach(() => folder.remove())

describe('two processes of gatehouse api with auth, over one database', () => {
  /** Serves the account API, access tokens and alerts. */
  let first: Serving
  /** Serves pages, the API of operators, API keys, alerts and webhooks. */
  let second: Serving
  let shared: AuthFolder
  /** Secrets. After all tests, no log may contain one. */
  const unlogged = ['tidal-lantern', key]

  beforeAll(async () => {
    shared = createAuthFolder()
    const access = {
      tokens: { ops: { token: ops, roles: 'admin' } },
      sessions: { [maya]: 'viewer', [dana]: 'viewer' },
    }
    const account = { base_path: '/my/account' }
    shared.configure({ tokens: {} }, { ...development, account }, { alerts, access })
    first = await shared.serve()
    const document = { api_keys: { scopes: ['read', 'write', 'other'] } }
    const pages = { name: 'Harbor Light', theme: { accent: '#0b57d0' } }
    shared.configure(
      document,
      { ...development, pages, manage_users: true },
      {
        alerts,
        webhooks: [],
        access: { ...access, api_keys: { read: 'viewer', write: ['viewer', 'editor'] } },
      },
    )
    second = await shared.serve()
  })
  afterAll(async () => {
    const logs = [await stop(first), await stop(second)]
    await shared.remove()
    expect(logs[0]).toContain('account=/my/account')
    expect(logs[1]).toContain('pages=/login')
    for (const log of logs) {
      expect(log).toContain('auth is in development mode')
      for (const word of unlogged) expect(log).not.toContain(word)
    }
  })

  it('signs users up and in, in development mode with a code from its log', async () => {
    const ada = 'ada@example.com'
    const { url } = first
    const signedUp = await signUp(first, ada)
    expect(signedUp.result?.action.type).toBe('finished')
    expect(signedUp.cookies.get('session')).toMatch(/^[\w-]+\.\w{32}$/)
    expect(signedUp.cookies.get('same_site_strict')).toBe('true')
    const signedIn = await signIn(url, ada)
    expect(signedIn.result?.action.type).toBe('finished')
    expect(signedIn.cookies.get('session')).not.toBe(signedUp.cookies.get('session'))
    expect(await signIn(url, 'noah@example.com')).toMatchObject({ reason: 'UserNotFound' })
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect((await fetch(`${url}/webhook`)).status).toBe(404)
    expect(statSync(join(shared.path, 'a.db')).mode & 0o777).toBe(0o600)
  })

  it('shares flows between the processes of one database', async () => {
    const bo = 'bo@example.com'
    const [one, other] = [first, second]
    const asked = await start(one.url, 'signup', { identification: 'email', login_id: bo })
    const code = await printedCode(one, bo)
    const verified = await feed(other.url, asked, { code })
    const input = { authentication: 'primary_password', new_password: password }
    const finished = await feed(one.url, verified, input)
    expect(finished.result?.action.type).toBe('finished')
    expect((await signIn(other.url, bo)).result?.action.type).toBe('finished')
    expect(await feed(other.url, verified, input)).toMatchObject({
      status: 404,
      reason: 'AuthenticationFlowNotFound',
    })
  })

  it('serves the sign-in pages if the file enables them, with the account API', async () => {
    const page = await fetch(`${second.url}/login`, { headers: { 'accept-language': 'de' } })
    expect(page.status).toBe(200)
    const html = await page.text()
    expect(html).toContain('<html lang="de" dir="ltr">')
    expect(html).toContain('Harbor Light')
    const [, script = ''] = /src="([^"]+\.js)"/.exec(html) ?? []
    expect((await fetch(new URL(script, page.url))).status).toBe(200)
    expect(await (await fetch(`${second.url}/sign-in/theme.css`)).text()).toContain('#0b57d0')
    expect((await fetch(`${second.url}/api/v1/account`)).status).toBe(401)
  })

  it('serves the account API only if the file enables it', async () => {
    const cleo = 'cleo@example.com'
    const session = (await signUp(first, cleo)).cookies.get('session')
    const accountOf = async (path: string, cookie = `session=${session}`) => {
      const response = await fetch(`${first.url}${path}`, { headers: { cookie } })
      return { status: response.status, body: await response.text() }
    }
    const own = await accountOf('/my/account')
    expect(own.status).toBe(200)
    expect(own.body).toContain(cleo)
    expect(await accountOf('/my/account', '')).toMatchObject({ status: 401 })
    expect(await accountOf('/api/v1/account')).toMatchObject({ status: 404 })
  })

  it('lets operators manage users only if the file enables it', async () => {
    const listUsers = async (url: string, headers: Record<string, string> = {}) =>
      (await fetch(`${url}/gatehouse/v1/users`, { headers })).status
    const authorization = `Bearer ${ops}`
    expect(await listUsers(second.url, { authorization })).toBe(200)
    expect(await listUsers(second.url)).toBe(401)
    expect(await listUsers(first.url, { authorization })).toBe(404)
  })

  it('knows people by their access tokens in all services, and makes nothing up for a wrong token', async () => {
    const statusOf = async (url: string, headers: Record<string, string>): Promise<number> =>
      (await fetch(`${url}/api/v2/alerts`, { headers })).status
    const { url } = first
    const session = (await signUp(first, dana)).cookies.get('session') ?? ''
    const issued = await fetch(`${url}/api/v1/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ session_token: session }),
    })
    const { result }: { result: { access_token: string } } = JSON.parse(await issued.text())
    const token = result.access_token
    const [bearer, wrong] = [`Bearer ${token}`, `Bearer ${token}x`]
    const cookie = `session=${session}`
    expect(await statusOf(url, { authorization: bearer })).toBe(200)
    expect(await statusOf(url, { cookie })).toBe(200)
    expect(await statusOf(url, { authorization: wrong, cookie })).toBe(401)
    expect(await statusOf(second.url, { cookie })).toBe(200)
    for (const authorization of [bearer, `Bearer ${session}`, wrong]) {
      expect(await statusOf(second.url, { authorization, cookie })).toBe(401)
    }
  })

  it('gives API keys the roles of their scopes, and those of users no more than the user has', async () => {
    const { url } = second
    const send = async (method: string, path: string, bearer: string, more: object = {}) => {
      const { body, cookie } = { body: undefined, cookie: '', ...more }
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${bearer}`,
          cookie,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    }
    const session = (await signUp(second, maya)).cookies.get('session') ?? ''
    const cookie = `session=${session}`
    const users = await send('GET', `/gatehouse/v1/users?search=${maya}`, ops)
    const keys = '/gatehouse/v1/api-keys'
    const make = async (owner: object, ...scopes: string[]) => {
      const made = await send('POST', keys, ops, { body: { ...owner, name: 'laptop', scopes } })
      expect(made.status).toBe(200)
      return { key: String(made.body.key), id: String(made.body.apiKey.id) }
    }
    const ofMaya = { userId: users.body.items[0].id }
    const [reader, writer, person, other] = [
      await make({ service: 'billing' }, 'read'),
      await make({ service: 'billing' }, 'write', 'other'),
      await make(ofMaya, 'write'),
      await make(ofMaya, 'other'),
    ]
    const silence = {
      matchers: [{ name: 'a', value: 'b', isRegex: false, isEqual: true }],
      startsAt: '2026-01-01T00:00:00Z',
      endsAt: '2100-01-01T00:00:00Z',
      createdBy: 'x',
      comment: 'x',
    }
    const tries = async ({ key }: { key: string }) => [
      (await send('GET', '/api/v2/alerts', key)).status,
      (await send('POST', '/api/v2/silences', key, { body: silence })).status,
      (await send('GET', '/gatehouse/v1/users', key)).status,
    ]
    expect(await tries(reader)).toEqual([200, 403, 403])
    expect(await tries(writer)).toEqual([200, 200, 403])
    expect(await tries(person)).toEqual([200, 403, 403])
    expect(await tries(other)).toEqual([403, 403, 403])
    const silences = await send('GET', '/api/v2/silences', reader.key)
    expect(silences.body).toMatchObject([{ createdBy: 'billing' }])
    const listed = await send('GET', keys, ops)
    expect(listed.body.items).toHaveLength(2)
    expect(listed.body.items[0].lastUsedIp).toBe('127.0.0.1')
    expect((await send('DELETE', `${keys}/${reader.id}`, ops)).status).toBe(200)
    // A cookie does not make up for a key that is revoked, wrong or malformed.
    const { key } = reader
    for (const bearer of [key, `${key}x`, `${key} x`, 'gatehouse_', `${session}`]) {
      expect([bearer, (await send('GET', '/api/v2/alerts', bearer, { cookie })).status]).toEqual([
        bearer,
        401,
      ])
    }
    const act = `/gatehouse/v1/users/${ofMaya.userId}/impersonate`
    const acting = await fetch(`${url}${act}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ops}`, 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'ticket' }),
    })
    const [own = ''] = acting.headers.getSetCookie()
    const me = await fetch(`${url}/gatehouse/v1/me`, {
      headers: { cookie: own.split(';')[0] ?? '' },
    })
    expect(JSON.parse(await me.text())).toMatchObject({
      subject: { id: `ops as ${maya}`, kind: 'impersonation' },
    })
    unlogged.push(...[reader, writer, person, other].map((made) => made.key.slice(26)))
    unlogged.push(own.slice('session='.length, 40))
  })

  it('is served next to alerts and webhooks', async () => {
    const headers = { authorization: `Bearer ${ops}` }
    for (const path of ['/-/ready', '/healthz', '/api/v2/alerts']) {
      expect((await fetch(`${second.url}${path}`, { headers })).status).toBe(200)
    }
    expect((await signUp(second, 'eli@example.com')).result?.action.type).toBe('finished')
  })

  it('shows a console that finds the sign-in service', async () => {
    const html = await (await fetch(`${first.url}/`)).text()
    expect(html).toContain('&quot;auth&quot;:&quot;./&quot;')
  })
})

describe('gatehouse api with auth', () => {
  it('keeps its users across a restart, and data sealed with an earlier key', async () => {
    folder.configure({}, development)
    const first = await folder.serve()
    await signUp(first, maya)
    const begun = await start(first.url, 'login', { identification: 'email', login_id: maya })
    await stop(first)
    const keys = ['a newer key of these tests, of the same length', { file: 'auth.key' }]
    folder.configure({}, { ...development, key_file: undefined, keys })
    const second = await folder.serve()
    expect((await signIn(second.url, maya)).result?.action.type).toBe('finished')
    const input = { authentication: 'primary_password', password }
    expect((await feed(second.url, begun, input)).result?.action.type).toBe('finished')
  })

  it('notifies a waiting browser by WebSocket that a link was followed', async () => {
    const claims = { email: { otp_form: 'link' } }
    folder.configure({ verification: { claims } }, development)
    const [server, other] = [await folder.serve(), await folder.serve()]
    const asked = await start(server.url, 'signup', { identification: 'email', login_id: maya })
    const address = String(asked.result?.action.data.websocket_url)
    // The port that the machine chose.
    const portOf = ({ url }: { readonly url: string }): string => new URL(url).port
    expect(address).toMatch(new RegExp(`^ws://localhost:${portOf(server)}/`))
    const elsewhere = address.replace(portOf(server), portOf(other))
    const here = await openSocket(address)
    const there = await openSocket(elsewhere)
    const line = await server.logged(/msg=message .* link=/)
    const code = /code=([0-9A-Z]{32})/.exec(line)?.[1]
    const approved = await postFlow(server.url, '/links/approve', { code })
    expect(approved).toMatchObject({ status: 200, result: { approved: true } })
    for (const socket of [here, there]) {
      const [message = ''] = await socket.received(1)
      expect(JSON.parse(message)).toEqual({ type: 'refresh', kind: 'refresh' })
    }
    const verified = await feed(other.url, asked, { check: true })
    expect(verified.result?.action.type).toBe('create_authenticator')
    await stop(server)
    expect(await here.closed).toBe('1001 closing')
    await expect(
      openSocket(elsewhere, { headers: { origin: 'https://elsewhere.example' } }),
    ).rejects.toThrow('403')
  })

  it('sends codes by mail', async () => {
    const mails: string[] = []
    const smtp = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      closeTimeout: 100,
      onData(stream, _session, done) {
        readText(stream).then((text) => {
          mails.push(text)
          done()
        }, done)
      },
    })
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise<void>((resolve) => smtp.close(resolve)))
    const { port } = smtp.server.address() as AddressInfo
    folder.configure(
      { http: { public_origin: 'http://127.0.0.1', allow_insecure: true } },
      { smtp: { host: '127.0.0.1', port, from: 'Us <us@example.com>', tls: 'off' } },
    )
    const server = await folder.serve()
    const asked = await start(server.url, 'signup', { identification: 'email', login_id: maya })
    expect(asked.result?.action.data).toMatchObject({ delivery_status: 'sent' })
    const [mail = ''] = mails
    expect(mail).toContain('From: Us <us@example.com>')
    expect(mail).toContain(`To: ${maya}`)
    const code = /\b\d{6}\b/.exec(mail.slice(mail.indexOf('\r\n\r\n')))?.[0]
    expect((await feed(server.url, asked, { code })).result?.action.type).toBe(
      'create_authenticator',
    )
    expect(await stop(server)).not.toContain(String(code))
  })

  it('refuses every request without TLS, and warns at the start', async () => {
    folder.configure({ http: { public_origin: 'https://auth.example.com' } })
    const server = await folder.serve()
    const login = { identification: 'email', login_id: maya }
    expect(await start(server.url, 'login', login)).toMatchObject({
      status: 403,
      reason: 'HTTPSRequired',
    })
    const log = await stop(server)
    expect(log).toContain('auth answers every request with 403 HTTPSRequired')
    expect(log).toContain('no sender for email is configured')
  })

  it('trusts the headers of a TLS proxy', async () => {
    const http = { public_origin: 'https://auth.example.com' }
    folder.configure({ http }, {}, { trusted_proxies: ['127.0.0.1'] })
    const { url } = await folder.serve()
    const flow = { type: 'login', name: 'default' }
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' }
    expect(await postFlow(url, '', flow, forwarded)).toMatchObject({ status: 200 })
    expect(await postFlow(url, '', flow)).toMatchObject({ status: 403 })
  })

  it('applies another document on SIGHUP, and keeps the old one if that is bad', async () => {
    folder.configure({}, development)
    const server = await folder.serve()
    const { url } = server
    folder.configure({ authentication: { public_signup_disabled: true } }, development)
    server.signal('SIGHUP')
    await server.logged(/configuration loaded/)
    const signup = { identification: 'email', login_id: maya }
    expect(await start(url, 'signup', signup)).toMatchObject({ status: 403 })
    folder.configure({ authentication: { public_signup_disabled: 'no' } }, development)
    server.signal('SIGHUP')
    expect(await server.logged(/reload failed/)).toContain('authgear.json:1:')
    expect(await start(url, 'signup', signup)).toMatchObject({ status: 403 })
    folder.configure({}, { dev: {} })
    server.signal('SIGHUP')
    await server.logged(/auth, except its config has changed/)
    expect(await start(url, 'signup', signup)).toMatchObject({ status: 200 })
  })

  it('has a console that finds the sign-in service and the webhooks below their own paths', async () => {
    const below = { ...alerts, base_path: '/am' }
    const webhook = { id: 'a', token: 't', execute_command: 'true', workdir: '' }
    const hooks = { webhooks: [webhook], base_path: '/hooks' }
    folder.configure({ http: { base_path: '/auth' } }, development, { alerts: below, ...hooks })
    const { url } = await folder.serve()
    const html = await (await fetch(`${url}/am/`)).text()
    expect(html).toContain('&quot;auth&quot;:&quot;../auth&quot;')
    expect(html).toContain('&quot;webhooks&quot;:&quot;../hooks&quot;')
  })
})

describe('an invalid auth section', () => {
  it('is reported with places, by api and by check', async () => {
    folder.configure({ http: { public_orign: 'x' } }, { key_file: 'none.key', smttp: {} })
    const file = join(folder.path, 'config.json')
    const { exitCode, stderr } = await runCli(['api', '--config', file], folder.path)
    expect(exitCode).toBe(2)
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => line.replaceAll(`${folder.path}/`, ''))
    expect(lines).toEqual([
      expect.stringMatching(
        /^config\.json:1:\d+ auth\.key_file: cannot be read: no such file or directory; make one with: openssl rand -base64 32 > FILE$/,
      ),
      expect.stringMatching(
        /^config\.json:1:\d+ auth\.smttp: unknown key "smttp"; did you mean "smtp"\?$/,
      ),
      expect.stringMatching(/^authgear\.json:1:\d+ http\.public_origin: is missing$/),
      expect.stringMatching(
        /^authgear\.json:1:\d+ http\.public_orign: unknown key "public_orign"; did you mean "public_origin"\?$/,
      ),
    ])
    expect(await runHere(['check', '--config', file], folder.path)).toMatchObject({
      exitCode: 2,
      stderr,
    })
  })

  it('passes check if it is valid', async () => {
    folder.configure({ search: {} }, development)
    const checked = await runHere(['check', '--config', 'config.json'], folder.path)
    expect(checked).toMatchObject({ exitCode: 0, stdout: 'config.json is good: auth\n' })
    expect(checked.stderr).toContain('authgear.json search: ')
  })

  it('has its own tables in PostgreSQL', async () => {
    const { stdout } = await runHere(['storage', 'sql'], folder.path)
    expect(stdout).toContain('auth_users')
    expect(stdout).toContain('auth_sessions')
  })
})
