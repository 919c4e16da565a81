import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import { fetchHandler } from '../../http/fetch-handler.ts'
import { type Storage, storageUnavailable } from '../../storage/storage.ts'
import { config, createFixture } from '../service.fixture.ts'

type Fixture = ReturnType<typeof createFixture>

/** Sends requests through the routes, as an adapter would. */
function createClient({ alerts }: Pick<Fixture, 'alerts'>, basePath = '') {
  const send = fetchHandler([...alerts.routes, ...alerts.fallbackRoutes], { basePath })
  return (method: string, target: string, init: RequestInit = {}): Promise<Response> =>
    send(new Request(`http://host${basePath}${target}`, { ...init, method }))
}

const setUp = (options: Parameters<typeof createFixture>[0] = {}) => {
  const fixture = createFixture(options)
  return { ...fixture, send: createClient(fixture) }
}

const json = (body: unknown): RequestInit => ({
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

/** A storage whose reads and commits fail, or never end. */
const brokenStorage = (outcome: () => Promise<never>): Storage => ({
  ...createMemoryStorage(),
  get: outcome,
  find: outcome,
  commit: outcome,
  changes: outcome,
})

const silence = {
  matchers: [{ name: 'a', value: 'b', isRegex: false }],
  startsAt: '2026-01-02T12:00:00Z',
  endsAt: '2026-01-02T13:00:00Z',
  createdBy: 'ann',
  comment: 'c',
}

describe('the API', () => {
  it('posts an alert, lists it, and shows it in every view', async () => {
    const { send } = setUp()
    const alert = { labels: { alertname: 'a', team: 'a', __proto__: 'x' } }
    const posted = await send('POST', '/api/v2/alerts', json([alert]))
    expect([posted.status, await posted.text(), posted.headers.get('content-length')]).toEqual([
      200,
      '',
      '0',
    ])
    const listed = await send('GET', '/api/v2/alerts?filter=alertname%3Da&receiver=team-a')
    expect(listed.headers.get('cache-control')).toBe('no-store')
    const text = await listed.text()
    expect(listed.headers.get('content-length')).toBe(`${text.length}`)
    expect(JSON.parse(text)).toHaveLength(1)
    expect(await (await send('GET', '/api/v2/alerts/groups/')).json()).not.toHaveLength(0)
  })

  it('streams a list that is too long for one text, with its length', async () => {
    const { send } = setUp()
    const alerts = Array.from({ length: 1_000 }, (_, index) => ({
      labels: { alertname: `a${index}` },
      annotations: { text: 'ü'.repeat(300) },
    }))
    await send('POST', '/api/v2/alerts', json(alerts))
    const bytes = new Uint8Array(await (await send('GET', '/api/v2/alerts')).arrayBuffer())
    const again = await send('GET', '/api/v2/alerts')
    expect(again.headers.get('content-length')).toBe(`${bytes.length}`)
    expect(JSON.parse(new TextDecoder().decode(bytes))).toHaveLength(1_000)
  })

  it('creates, reads, lists and expires a silence', async () => {
    const { send } = setUp()
    const silence = {
      matchers: [{ name: 'a', value: '<b>', isRegex: false }],
      startsAt: '2026-01-02T12:00:00Z',
      endsAt: '2026-01-02T13:00:00Z',
      createdBy: 'me',
      comment: 'c',
    }
    const created = await send('POST', '/api/v2/silences', json(silence))
    const { silenceID } = JSON.parse(await created.text())
    const one = await (await send('GET', `/api/v2/silence/${silenceID}`)).text()
    expect(one).toContain('"value":"\\u003cb\\u003e"')
    expect(await (await send('GET', '/api/v2/silences?expired=false')).text()).toBe(
      `[${one.trimEnd()}]\n`,
    )
    expect((await send('DELETE', `/api/v2/silence/${silenceID}`)).status).toBe(200)
    expect(await (await send('GET', '/api/v2/silences?expired=false')).text()).toBe('[]\n')
  })

  it('refuses a body that is too large, with 413', async () => {
    const { send } = setUp({ maxBodyBytes: 10 })
    const response = await send('POST', '/api/v2/alerts', json('[          ]'))
    expect([response.status, await response.json()]).toEqual([
      413,
      { code: 413, message: 'the request body is larger than 10 bytes' },
    ])
    expect((await send('POST', '/api/v2/alerts', json('[        ]'))).status).toBe(200)
  })

  it('checks the type of a body before its length', async () => {
    const { send } = setUp()
    const init = { body: '[]', headers: { 'content-type': 'text/plain', 'content-length': '2' } }
    expect((await send('POST', '/api/v2/alerts', init)).status).toBe(415)
  })

  it('returns 503 for a failing storage, and 500 without the message for an unexpected error', async () => {
    const down = setUp({
      storage: brokenStorage(() => Promise.reject(storageUnavailable('the database is away'))),
    })
    const answer = await down.send('GET', '/api/v2/alerts')
    expect([answer.status, await answer.text()]).toEqual([503, '"the database is away"\n'])
    const failing = setUp({
      storage: brokenStorage(() => Promise.reject(new Error('secret detail'))),
    })
    const failed = await failing.send('POST', '/api/v2/alerts', json([{ labels: { a: 'b' } }]))
    expect([failed.status, await failed.text()]).toEqual([500, '"internal error"\n'])
  })

  it('lets browsers use the configured methods', async () => {
    const preflight = (method: string, extra: Record<string, string> = {}) => ({
      headers: { origin: 'http://ui', 'access-control-request-method': method, ...extra },
    })
    const { send } = setUp({ corsMethods: ['GET', 'DELETE'] })
    const path = '/api/v2/silences'
    const allowed = await send('OPTIONS', path, preflight('DELETE'))
    expect(allowed.headers.get('access-control-allow-methods')).toBe('DELETE')
    const refused = await send('OPTIONS', path, preflight('POST'))
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      204,
      null,
    ])
    const foreign = preflight('GET', { 'access-control-request-headers': 'content-type, x-own' })
    const header = await send('OPTIONS', path, foreign)
    expect(header.headers.get('access-control-allow-origin')).toBe(null)
  })

  it('lets pages of other origins read, but not change anything', async () => {
    const { send } = setUp({ externalUrl: 'https://alerts.example.com/' })
    const page = (headers: Record<string, string>) => ({
      ...json(silence),
      headers: { ...json(silence).headers, ...headers },
    })
    const post = async (headers: Record<string, string>) =>
      (await send('POST', '/api/v2/silences', page({ host: 'localhost:9093', ...headers }))).status
    const read = await send('GET', '/api/v2/silences', {
      headers: { origin: 'https://evil.example' },
    })
    expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect(await post({ origin: 'https://evil.example' })).toBe(403)
    expect(await post({ origin: 'null' })).toBe(403)
    expect(await post({ origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' })).toBe(403)
    expect(await post({ 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await post({})).toBe(200)
    expect(await post({ origin: 'http://localhost:9093' })).toBe(200)
    expect(await post({ origin: 'https://alerts.example.com' })).toBe(200)
    expect(await post({ origin: 'https://other.example', 'sec-fetch-site': 'same-origin' })).toBe(
      200,
    )
  })

  it('lets only pages of the allowed origins use it', async () => {
    const origin = 'https://karma.example.com'
    const { send } = setUp({ allowedOrigins: [`${origin}/`] })
    const from = (origin: string) => ({
      ...json(silence),
      headers: { ...json(silence).headers, origin },
    })
    const own = await send('POST', '/api/v2/silences', from(origin))
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, origin])
    expect((await send('POST', '/api/v2/silences', from('https://evil.example'))).status).toBe(403)
    const read = await send('GET', '/api/v2/silences', {
      headers: { origin: 'https://evil.example' },
    })
    expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, null])
    const preflight = { 'access-control-request-method': 'POST' }
    const headersFor = async (origin: string) =>
      (await send('OPTIONS', '/api/v2/silences', { headers: { ...preflight, origin } })).headers
    expect((await headersFor(origin)).get('access-control-allow-origin')).toBe(origin)
    expect((await headersFor('https://evil.example')).get('access-control-allow-origin')).toBe(null)
    expect(() => setUp({ allowedOrigins: ['karma.example.com'] })).toThrow(
      'allowedOrigins[0]: expected an origin',
    )
  })

  it('does not reload for a page of another origin, even one that may use the API', async () => {
    let reloads = 0
    const reload = async () => {
      reloads++
      return config
    }
    const { send } = setUp({ allowedOrigins: ['*'], reload })
    const refused = await send('POST', '/-/reload', { headers: { origin: 'https://evil.example' } })
    expect([refused.status, reloads]).toEqual([403, 0])
    expect((await send('POST', '/-/reload')).status).toBe(200)
    expect(reloads).toBe(1)
  })

  it('describes itself', async () => {
    const { send } = setUp()
    const description = JSON.parse(await (await send('GET', '/api/v2/swagger.json')).text())
    expect(description).toMatchObject({
      swagger: '2.0',
      info: { version: '0.0.1' },
      basePath: '/api/v2/',
    })
    const refs = JSON.stringify(description).matchAll(/"#\/definitions\/(\w+)"/g)
    for (const [, name] of refs) expect(description.definitions).toHaveProperty([name ?? ''])
  })
})

describe('limits', () => {
  /** A storage whose reads wait until they are released. */
  const waiting = () => {
    const memory = createMemoryStorage()
    const gate: { open: () => void } = { open: () => {} }
    const opened = new Promise<void>((resolve) => {
      gate.open = resolve
    })
    const storage: Storage = {
      ...memory,
      changes: async (...given) => {
        await opened
        return memory.changes(...given)
      },
    }
    return { storage, gate }
  }

  it('returns 503 for more concurrent GET requests than allowed, and counts them', async () => {
    const { storage, gate } = waiting()
    const { send } = setUp({ storage, getConcurrency: 2 })
    const first = [send('GET', '/api/v2/alerts'), send('GET', '/api/v2/silences')]
    const third = await send('GET', '/api/v2/status')
    expect([third.status, await third.text(), third.headers.get('content-type')]).toEqual([
      503,
      'Limit of concurrent GET requests reached (2), try again later.\n\n',
      'text/plain; charset=utf-8',
    ])
    expect((await send('GET', '/-/healthy')).status).toBe(200)
    const others = ['/-/ready', '/metrics', '/-/healthy'].map((path) => send('GET', path))
    gate.open()
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200])
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await send('GET', '/api/v2/status')).status).toBe(200)
    const metrics = await (await send('GET', '/metrics')).text()
    expect(metrics).toContain('concurrency_limit_exceeded_total{method="get"} 1\n')
    expect(metrics).toContain('requests_in_flight{method="get"} 1\n')
    expect(metrics).toContain(
      'duration_seconds_count{handler="/api/v2/status",method="get",code="503"} 1\n',
    )
  })

  it('returns 503 for a request that takes too long', async () => {
    const { storage, gate } = waiting()
    const { send, clock } = setUp({ storage, timeoutMs: 90_000 })
    const late = send('GET', '/api/v2/alerts')
    clock.advance(90_000)
    const response = await late
    expect([response.status, await response.text()]).toEqual([
      503,
      'Exceeded configured timeout of 1m30s.\n',
    ])
    gate.open()
  })
})

describe('management paths', () => {
  it('report not ready while the storage does not respond', async () => {
    const failing = setUp({ storage: brokenStorage(() => Promise.reject(new Error('away'))) })
    expect((await failing.send('GET', '/-/ready')).status).toBe(503)
    expect((await failing.send('GET', '/-/healthy')).status).toBe(200)
    const hanging = setUp({ storage: brokenStorage(() => new Promise<never>(() => {})) })
    const answer = hanging.send('GET', '/-/ready')
    hanging.clock.advance(5_000)
    const late = await answer
    expect([late.status, await late.text()]).toEqual([503, 'the storage does not answer\n'])
    expect(hanging.clock.pendingTimers).toBe(0)
  })

  it('report not ready while the storage refuses writes, or an alert cannot be read', async () => {
    const refuse = () => Promise.reject(storageUnavailable('the disk is full'))
    const full = setUp({ storage: { ...createMemoryStorage(), commit: refuse } })
    const refused = await full.send('GET', '/-/ready')
    expect([refused.status, await refused.text()]).toEqual([503, 'the disk is full\n'])
    expect((await full.send('GET', '/api/v2/alerts')).status).toBe(200)
    const damage = () => Promise.reject(storageUnavailable('a page is damaged'))
    const damaged = setUp({ storage: { ...createMemoryStorage(), find: damage, changes: damage } })
    expect(await (await damaged.send('GET', '/-/ready')).text()).toBe('a page is damaged\n')
  })

  it('reload by the configured function, and keep the running configuration when that fails', async () => {
    let text = 'route: { receiver: other }\nreceivers: [ { name: other } ]\n'
    const { send, alerts } = setUp({ reload: async () => text })
    expect((await send('POST', '/-/reload')).status).toBe(200)
    expect(alerts.config.current.receivers.map(({ name }) => name)).toEqual(['other'])
    text = 'route: {}'
    const refused = await send('POST', '/-/reload')
    expect(refused.status).toBe(500)
    expect(await refused.text()).toMatch(/^failed to reload config: .*\n$/s)
    expect(alerts.config.current.receivers.map(({ name }) => name)).toEqual(['other'])
  })

  it('name the methods of a path', async () => {
    const { send } = setUp()
    const options = await send('OPTIONS', '/-/healthy')
    expect([options.status, options.headers.get('allow')]).toEqual([200, 'GET, HEAD, OPTIONS'])
    expect((await send('PUT', '/metrics')).headers.get('allow')).toBe('GET, OPTIONS')
  })

  it('show metrics in the requested format', async () => {
    const { send } = setUp()
    const headers = { accept: 'application/openmetrics-text; version=1.0.0' }
    const open = await send('GET', '/metrics', { headers })
    expect(open.headers.get('content-type')).toContain('application/openmetrics-text')
    expect(await open.text()).toMatch(/# EOF\n$/)
  })
})

describe('routes with a base path or a mount path', () => {
  it('are served below the base path, and redirect to it from outside', async () => {
    const { send } = setUp({ externalUrl: 'http://host/am/' })
    expect((await send('GET', '/am/api/v2/status')).status).toBe(200)
    expect((await send('GET', '/am/-/healthy')).status).toBe(200)
    const location = async (path: string) => {
      const { status, headers } = await send('GET', path)
      return [status, headers.get('location')]
    }
    expect(await location('/')).toEqual([302, '/am'])
    expect(await location('/am')).toEqual([301, '/am/'])
    expect(await location('/am/api/v2')).toEqual([301, '/am/api/v2/'])
    expect((await send('GET', '/api/v2/status')).status).toBe(404)
    const unknown = await send('GET', '/am/api/v2/nope')
    expect(await unknown.json()).toEqual({ code: 404, message: 'path /api/v2/nope was not found' })
    const page = await send('GET', '/am/')
    expect(await page.text()).toContain('href="api/v2/status"')
  })

  it('redirect clients to paths below the mount path, and never to another host', async () => {
    const send = createClient(createFixture(), '/sub')
    const location = async (path: string) => (await send('GET', path)).headers.get('location')
    expect(await location('/api/v2//alerts?a=1')).toBe('/sub/api/v2/alerts?a=1')
    expect(await location('/api/v2')).toBe('/sub/api/v2/')
    const atRoot = createClient(createFixture())
    const evil = await atRoot('GET', '//evil.test/%22%3E')
    expect(evil.headers.get('location')).toBe('/evil.test/%22%3E')
  })
})
