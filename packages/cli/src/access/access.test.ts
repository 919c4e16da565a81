import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expressAdapter } from '@gatehouse/adapter-express'
import { honoAdapter } from '@gatehouse/adapter-hono'
import { nodeAdapter } from '@gatehouse/adapter-node'
import {
  actions,
  createSilence,
  fetchHandler,
  getSilence,
  type Route,
  silentLogger,
} from '@gatehouse/core'
import type { Action, Resource } from '@gatehouse/core/adapter'
import { createAlerts } from '@gatehouse/core/alerts'
import { createManualClock } from '@gatehouse/core/testing'
import { closeWebhooks, createWebhooks, runWebhook } from '@gatehouse/core/webhook'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import { bcrypt } from 'hash-wasm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { loadApi } from '../api/load-api.ts'
import { failureLines } from '../config/failure.ts'
import { createReadFiles } from '../config/read-files.ts'
import { createWebGuard, type WebGuard } from '../server/web-guard.ts'
import { readAccessFile } from './load-access.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
const path = join(folder, 'gatehouse.yml')
afterAll(() => rmSync(folder, { recursive: true }))

const password = 'a password'
const tokenOf = (name: string): string => `token-of-${name}-0123456789`
const users = ['vera', 'eddy', 'omar', 'dora', 'nobody', 'alice', 'bob', 'carol']

beforeAll(async () => {
  const salt = new Uint8Array(16)
  const hash = await bcrypt({ password, salt, costFactor: 4, outputType: 'encoded' })
  const lines = users.map((user) => `  ${user}: ${hash}`)
  writeFileSync(join(folder, 'web.yml'), `basic_auth_users:\n${lines.join('\n')}\n`)
})

const digest = createHash('sha256').update(tokenOf('ada')).digest('hex')

/** Everybody has one of the roles that the table names. */
const section = `
  roles:
    poster: { actions: ['alerts:post'] }
    team-db:
      actions: [alerts:read, silences:write, silences:write-others]
      silences: ['team="db"']
    deployer:
      actions: [webhooks:read, webhooks:run, webhooks:cancel]
      webhooks: [a]
  users: { vera: viewer, eddy: editor, omar: [team-db], dora: deployer }
  tokens:
    ada: { token: 'sha256:${digest}', roles: [admin] }
    prometheus: { token: '${tokenOf('prometheus')}', roles: poster }
`

const file = (access: string): string => `
web_config: web.yml
storage: { memory: true }
alerts: { config: { route: { receiver: r }, receivers: [{ name: r }] } }
admin: { token: the-token-of-the-administrator }
webhooks:
  - { id: a, token: the-token-of-a, execute_command: 'true', workdir: / }
  - { id: b, token: the-token-of-b, execute_command: 'true', workdir: / }
access:${access}`

async function load(access: string) {
  writeFileSync(path, file(access))
  return loadApi(path, createReadFiles())
}

const problemsOf = (access: string): Promise<readonly string[]> =>
  load(access).then(
    () => [],
    (error: unknown) => failureLines(error).map((line) => line.replace(path, '')),
  )

type OnEnd = (end: () => void | Promise<void>) => void

/** The services of the file behind its guard, as the command serves them. */
async function createWorld(access: string = section, onEnd: OnEnd = onTestFinished) {
  const { rules, config } = await load(access)
  const guard: WebGuard = createWebGuard(rules)
  const { authorize } = guard
  if (authorize === undefined) throw new Error('there are no rules')
  const clock = createManualClock(Date.UTC(2026, 0, 2, 12))
  const storage = createMemoryStorage({ clock })
  const alerts = createAlerts({
    storage,
    clock,
    authorize,
    config: 'route: { receiver: r }\nreceivers: [{ name: r }]\n',
  })
  const webhooks = createWebhooks({
    storage,
    clock,
    authorize,
    config: {
      webhooks: config.webhooks.webhooks.map(({ id }) => ({
        id,
        token: `the-token-of-${id}`,
        execute_command: 'true',
        workdir: '/',
      })),
    },
  })
  const taken = new Set(alerts.routes.map(({ method, path }) => `${method} ${path}`))
  const own = webhooks.routes.filter(({ method, path }) => !taken.has(`${method} ${path}`))
  const routes = guard.protect([...alerts.routes, ...own])
  onEnd(() => closeWebhooks(webhooks, { graceMs: 0 }))
  return { guard, alerts, webhooks, routes, clock }
}

type World = Awaited<ReturnType<typeof createWorld>>

const basic = (user: string, given = password): string =>
  `Basic ${Buffer.from(`${user}:${given}`).toString('base64')}`

const credentials: Readonly<Record<string, string | undefined>> = {
  anonymous: undefined,
  viewer: basic('vera'),
  editor: basic('eddy'),
  'team-db': basic('omar'),
  deployer: basic('dora'),
  admin: `Bearer ${tokenOf('ada')}`,
  poster: `Bearer ${tokenOf('prometheus')}`,
  'no role': basic('nobody'),
}

type Sent = readonly [method: string, path: string, body?: object]

const matcher = (name: string, value: string) => ({ name, value, isRegex: false, isEqual: true })

const silence = (team: string) => ({
  matchers: [matcher('team', team), matcher('instance', 'x')],
  startsAt: '2026-01-02T12:00:00Z',
  endsAt: '2026-01-02T13:00:00Z',
  createdBy: 'somebody',
  comment: '',
})

/** A silence of somebody else. */
const anothers = async ({ alerts }: World, team: string): Promise<Sent> => [
  'DELETE',
  `/api/v2/silence/${await createSilence(alerts, silence(team))}`,
]

const runOf = async ({ webhooks }: World, method: string): Promise<Sent> => {
  const run = await runWebhook(webhooks, { id: 'a', token: 'the-token-of-a', data: {} })
  return [method, `/runs/${'id' in run ? run.id : ''}`]
}

const alert = [{ labels: { alertname: 'x' } }]

type Row = readonly [
  does: string,
  request: (world: World) => Sent | Promise<Sent>,
  ...roles: string[],
]

/** What a request does, and the roles that may do it. */
const table: readonly Row[] = [
  ['list alerts', () => ['GET', '/api/v2/alerts'], 'viewer', 'editor', 'team-db', 'admin'],
  ['read the status', () => ['GET', '/api/v2/status'], 'viewer', 'editor', 'team-db', 'admin'],
  [
    'list notifications',
    () => ['GET', '/gatehouse/v1/notifications'],
    'viewer',
    'editor',
    'team-db',
    'admin',
  ],
  ['post alerts', () => ['POST', '/api/v2/alerts', alert], 'editor', 'admin', 'poster'],
  [
    'silence the team',
    () => ['POST', '/api/v2/silences', silence('db')],
    'editor',
    'team-db',
    'admin',
  ],
  ['silence others', () => ['POST', '/api/v2/silences', silence('web')], 'editor', 'admin'],
  [
    "expire another's silence of the team",
    (world) => anothers(world, 'db'),
    'editor',
    'team-db',
    'admin',
  ],
  ["expire another's silence", (world) => anothers(world, 'web'), 'editor', 'admin'],
  [
    'acknowledge',
    () => ['POST', '/gatehouse/v1/acknowledgements', { labels: { a: 'x' }, by: 'x' }],
    'editor',
    'admin',
  ],
  ['reload', () => ['POST', '/-/reload'], 'admin'],
  ['read metrics', () => ['GET', '/metrics'], 'viewer', 'editor', 'admin'],
  ['run a webhook', () => ['POST', '/webhook/a', {}], 'deployer', 'admin'],
  ['run another webhook', () => ['POST', '/webhook', { id: 'b', token: 'a wrong token' }], 'admin'],
  ['see a run', (world) => runOf(world, 'GET'), 'viewer', 'editor', 'deployer', 'admin'],
  ['list all runs', () => ['GET', '/runs'], 'viewer', 'editor', 'admin'],
  [
    'list the runs of a webhook',
    () => ['GET', '/runs?id=a'],
    'viewer',
    'editor',
    'deployer',
    'admin',
  ],
  ['cancel a run', (world) => runOf(world, 'DELETE'), 'deployer', 'admin'],
  ['check the health', () => ['GET', '/-/healthy'], ...Object.keys(credentials)],
  ['ask what they may do', () => ['GET', '/gatehouse/v1/me'], ...Object.keys(credentials)],
  ['read the description', () => ['GET', '/api/v2/swagger.json'], ...Object.keys(credentials)],
]

interface Served {
  readonly url: string
  readonly close: () => void
}

async function listen(listener: Parameters<typeof createServer>[1]): Promise<Served> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const adapters: Readonly<Record<string, (routes: readonly Route[]) => Promise<Served>>> = {
  node: (routes) => listen(nodeAdapter(routes)),
  express: (routes) => listen(express().use(expressAdapter(routes))),
  hono: (routes) => listen(getRequestListener(honoAdapter(routes).fetch)),
  fetch: (routes) => listen(getRequestListener(fetchHandler(routes))),
}

async function send(url: string, authorization: string | undefined, [method, target, body]: Sent) {
  const response = await fetch(url + target, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(authorization === undefined ? {} : { authorization }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe.each(Object.entries(adapters))('access through the adapter %s', (_, serve) => {
  const ends: (() => void | Promise<void>)[] = []
  let world: World
  let url = ''
  beforeAll(async () => {
    world = await createWorld(section, (end) => ends.push(end))
    const served = await serve(world.routes)
    ends.push(served.close)
    url = served.url
  })
  afterAll(async () => {
    for (const end of ends) await end()
  })

  it('says that a role with limits may do something at least to some', async () => {
    const me = async (role: string): Promise<unknown> =>
      JSON.parse((await send(url, credentials[role], ['GET', '/gatehouse/v1/me'])).text)
    expect(await me('team-db')).toEqual({
      subject: { id: 'omar', kind: 'user' },
      actions: ['alerts:read', 'silences:write', 'silences:write-others'],
    })
    expect(await me('deployer')).toMatchObject({ actions: ['webhooks:run', 'webhooks:cancel'] })
    expect(await me('anonymous')).toEqual({ subject: null, actions: [] })
  })

  it('makes a browser ask for a password', async () => {
    const target = '/gatehouse/v1/me?signIn=true'
    const unknown = await send(url, undefined, ['GET', target])
    expect([unknown.status, unknown.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic, Bearer',
    ])
    expect((await send(url, credentials.viewer, ['GET', target])).status).toBe(200)
  })

  it.each(table.map(([does, request, ...roles]) => ({ does, request, roles })))(
    'lets only the right roles $does',
    async ({ request, roles }) => {
      const outcomes: [string, string][] = []
      for (const [role, authorization] of Object.entries(credentials)) {
        const { status } = await send(url, authorization, await request(world))
        const outcome = status === 401 ? 'unknown' : status === 403 ? 'refused' : 'done'
        outcomes.push([role, outcome])
      }
      const expected = Object.keys(credentials).map((role) => {
        const otherwise = role === 'anonymous' ? 'unknown' : 'refused'
        return [role, roles.includes(role) ? 'done' : otherwise]
      })
      expect(outcomes).toEqual(expected)
    },
  )
})

describe('access', () => {
  const handleOf = ({ routes }: World) => {
    const handle = fetchHandler(routes)
    return async (
      authorization: string | undefined,
      [method, target, body]: Sent,
      headers: Readonly<Record<string, string>> = {},
    ) => {
      const init = {
        method,
        headers: {
          'content-type': 'application/json',
          ...headers,
          ...(authorization === undefined ? {} : { authorization }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }
      const response = await handle(new Request(`http://host${target}`, init))
      return { status: response.status, headers: response.headers, text: await response.text() }
    }
  }

  it('refuses a wrong password, and says how to sign in to a request without one', async () => {
    const ask = handleOf(await createWorld())
    const wrong = await ask(basic('vera', 'x'), ['GET', '/-/healthy'])
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Basic'])
    const none = await ask(undefined, ['GET', '/api/v2/alerts'])
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Basic, Bearer'])
    expect(JSON.parse(none.text)).toBe('sign in first')
    const unknown = await ask('Bearer nonsense-nonsense', ['GET', '/api/v2/alerts'])
    expect(unknown.status).toBe(401)
  })

  it('lets no browser ask for a password because of a request that a page made by itself', async () => {
    const ask = handleOf(await createWorld())
    const byPage = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
    const wrong = await ask(basic('vera', 'x'), ['GET', '/api/v2/alerts'], byPage)
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, null])
    const none = await ask(undefined, ['GET', '/api/v2/alerts'], byPage)
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    const asked = await ask(undefined, ['GET', '/gatehouse/v1/me?signIn=true'], byPage)
    expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([401, 'Basic, Bearer'])
  })

  it('keeps the token of a webhook sufficient', async () => {
    const ask = handleOf(await createWorld())
    const delivered = await ask('Bearer the-token-of-b', ['POST', '/webhook/b', {}])
    expect(delivered.status).not.toBe(401)
  })

  it('gives unknown senders the roles of anonymous', async () => {
    const ask = handleOf(await createWorld(`${section}  anonymous: viewer\n`))
    expect((await ask(undefined, ['GET', '/api/v2/alerts'])).status).toBe(200)
    expect((await ask(undefined, ['POST', '/-/reload'])).status).toBe(401)
    // A known sender has its own roles only.
    const known = await ask(`Bearer ${tokenOf('prometheus')}`, ['GET', '/api/v2/alerts'])
    expect(known.status).toBe(403)
  })

  it('takes no rights away from those who sign in, and gives them no webhook', async () => {
    const { authorize } = createWebGuard((await load(`${section}  anonymous: admin\n`)).rules)
    const may = (kind: 'session' | 'token', action: Action) =>
      authorize?.({ kind, id: 'maya@x.example', roles: [] }, action, undefined)
    for (const action of ['alerts:read', 'config:reload', 'users:manage'] as const) {
      expect([action, may('session', action)]).toEqual([action, true])
    }
    expect([may('session', 'webhooks:read'), may('session', 'webhooks:run')]).toEqual([
      false,
      false,
    ])
    // A program leaves its token out if that is better.
    expect(may('token', 'alerts:read')).toBe(false)
  })

  it('lets an operator who acts as a user see what that user sees, and change nothing', async () => {
    const { authorize } = createWebGuard((await load(section)).rules)
    const may = (roles: readonly string[], action: Action, resource?: Resource) =>
      authorize?.({ kind: 'impersonation', id: 'olga as maya', roles }, action, resource)
    const allowed = (Object.keys(actions) as Action[]).filter((one) => may(['admin'], one))
    expect(allowed).toEqual(['alerts:read', 'config:read', 'metrics:read', 'webhooks:read'])
    expect(may(['team-db'], 'alerts:read')).toBe(true)
    // The operator may have the same right to other webhooks.
    expect(may(['deployer'], 'webhooks:read', { kind: 'webhook', id: 'a' })).toBe(false)
  })

  it('gives unknown senders no webhook, and does not claim to', async () => {
    const ask = handleOf(await createWorld(`${section}  anonymous: admin\n`))
    const { text } = await ask(undefined, ['GET', '/gatehouse/v1/me'])
    const { actions } = JSON.parse(text) as { actions: string[] }
    expect(actions).toContain('config:reload')
    expect(actions.filter((action) => action.startsWith('webhooks:'))).toEqual([])
    expect((await ask(undefined, ['POST', '/webhook/b', {}])).status).toBe(401)
    expect((await ask(undefined, ['GET', '/runs'])).status).toBe(401)
    expect((await ask(undefined, ['GET', '/webhooks'])).status).toBe(401)
    // A known sender with the same role has them.
    const known = await ask(credentials.admin, ['GET', '/gatehouse/v1/me'])
    expect(known.text).toContain('webhooks:run')
  })

  it('does not let a body name another author', async () => {
    const world = await createWorld()
    const ask = handleOf(world)
    const { text } = await ask(basic('eddy'), ['POST', '/api/v2/silences', silence('db')])
    const { silenceID: id } = JSON.parse(text) as { silenceID: string }
    expect(await getSilence(world.alerts, id)).toMatchObject({ createdBy: 'eddy' })
    await ask(basic('omar'), ['POST', '/api/v2/silences', { ...silence('db'), id }])
    expect(await getSilence(world.alerts, id)).toMatchObject({ createdBy: 'omar' })
  })

  it('decides by the rules of the moment, also for requests that a reload overtakes', async () => {
    const world = await createWorld()
    const ask = handleOf(world)
    const read: Sent = ['GET', '/api/v2/alerts']
    expect((await ask(basic('vera'), read)).status).toBe(200)
    const { rules } = await load(section.replace('vera: viewer', 'vera: poster'))
    const before = ask(basic('vera'), read)
    world.guard.replace(rules, silentLogger)
    // It was identified either before or after the reload.
    expect([200, 403]).toContain((await before).status)
    expect((await ask(basic('vera'), read)).status).toBe(403)
    const without = await load(section.replace(/ {4}ada: .*\n/, ''))
    world.guard.replace(without.rules, silentLogger)
    expect((await ask(`Bearer ${tokenOf('ada')}`, read)).status).toBe(401)
  })

  it('accepts the examples of the documentation, which name every action', async () => {
    const page = readFileSync(new URL('../../../../docs/authorization.md', import.meta.url), 'utf8')
    const [inFile = '', alone = ''] = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(
      ([, text]) => text,
    )
    vi.stubEnv('PROMETHEUS_TOKEN', tokenOf('prometheus'))
    vi.stubEnv('CI_TOKEN_DIGEST', tokenOf('ci'))
    onTestFinished(() => void vi.unstubAllEnvs())
    const [, access = ''] = inFile.split('access:')
    const ask = handleOf(await createWorld(access))
    expect(
      (await ask(`Bearer ${tokenOf('prometheus')}`, ['POST', '/api/v2/alerts', alert])).status,
    ).toBe(200)
    const teams = [...['db', 'web'].map((team) => silence(team))]
    const statuses = teams.map(
      async (one) => (await ask(basic('bob'), ['POST', '/api/v2/silences', one])).status,
    )
    expect(await Promise.all(statuses)).toEqual([200, 403])
    writeFileSync(join(folder, 'roles.yml'), alone)
    writeFileSync(join(folder, 'prometheus.token'), `${tokenOf('prometheus')}\n`)
    const surroundings = {
      mode: 'fallback',
      users: new Set(users),
      asksForCertificates: false,
      hasSessions: false,
    } as const
    const rules = await readAccessFile(join(folder, 'roles.yml'), surroundings, createReadFiles())
    expect(rules.section.users).toEqual(new Map([['alice', ['admin']]]))
    for (const action of Object.keys(actions)) expect(page).toContain(`| \`${action}\` |`)
  })

  it('refuses a file of roles with its place', async () => {
    const named = join(folder, 'roles.yml')
    writeFileSync(named, 'users: { zoe: viewer }\nanonymus: viewer\n')
    const surroundings = {
      mode: 'fallback',
      users: new Set<string>(),
      asksForCertificates: false,
      hasSessions: false,
    } as const
    const lines = await readAccessFile(named, surroundings, createReadFiles()).catch(failureLines)
    expect(lines).toEqual([
      `${named}:1:15 users.zoe: basic_auth_users of the web configuration file has no such user`,
      `${named}:2:1 anonymus: unknown key "anonymus"; did you mean "anonymous"?`,
    ])
  })

  it('stays on when a reload of the file removes it', async () => {
    const world = await createWorld()
    const ask = handleOf(world)
    const warnings: string[] = []
    const logger = { ...silentLogger, warn: (_: object, text: string) => warnings.push(text) }
    writeFileSync(path, file('').replace('access:', ''))
    world.guard.replace((await loadApi(path, createReadFiles())).rules, logger)
    expect(warnings).toEqual([
      'a change of access between on and off takes effect at the next start',
    ])
    expect((await ask(basic('vera'), ['POST', '/-/reload'])).status).toBe(403)
  })

  it.each<[string, (string | RegExp)[]]>([
    [
      '\n  users: { zoe: viewer }\n',
      [/:\d+:\d+ access\.users\.zoe: basic_auth_users .* no such user/],
    ],
    ['\n  users: { vera: guru }\n', [/access\.users\.vera: there is no role "guru"/]],
    ['\n  anonymous: guru\n', [/access\.anonymous: there is no role "guru"/]],
    [
      '\n  roles: { viewer: { actions: [alerts:read] } }\n',
      [/access\.roles\.viewer: is a built-in role/],
    ],
    [
      '\n  roles: { a: { actions: [alerts:raed] } }\n',
      [/access\.roles\.a\.actions\[0\]: must be one of/],
    ],
    [
      '\n  roles: { a: { actions: [silences:write], silences: [team] } }\n',
      [/access\.roles\.a\.silences\[0\]: /],
    ],
    [
      '\n  tokens: { a: { token: short, roles: viewer } }\n',
      [/access\.tokens\.a\.token: must have at least 16 characters/],
    ],
    ['\n  certificates: { a: viewer }\n', [/access\.certificates: TLS does not ask/]],
    ['\n  sessions: { a: viewer }\n', [/access\.sessions: no user can sign in/]],
    ['\n  session_attribute: x_role\n', [/access\.session_attribute: no user can sign in/]],
  ])('refuses %j', async (access, problems) => {
    expect(await problemsOf(access)).toEqual(problems.map((text) => expect.stringMatching(text)))
  })
})
