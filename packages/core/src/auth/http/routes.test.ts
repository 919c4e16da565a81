import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../logger.ts'
import { type Storage, storageUnavailable } from '../../storage/storage.ts'
import { createUser } from '../people/create-user.ts'
import { type ConfigDelta, type TestAuth, testAuth } from '../service.fixture.ts'
import { createRouteClient, flowsPath, type RouteClient } from './routes.fixture.ts'

const inputPath = `${flowsPath}/states/input`
const statesPath = `${flowsPath}/states`
const approvePath = `${flowsPath}/links/approve`
const maya = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const login = { type: 'login', name: 'default' }

function createWorld(
  delta: ConfigDelta = {},
  options: Parameters<typeof testAuth>[1] = {},
): TestAuth & RouteClient {
  const world = testAuth(delta, options)
  return { ...world, ...createRouteClient(world.auth) }
}

describe('the HTTP interface', () => {
  it('logs each request without its content', async () => {
    const lines: unknown[] = []
    const logger = { ...silentLogger, info: (...line: unknown[]) => void lines.push(line) }
    const { post } = createWorld({}, { logger })
    const input = { identification: 'email', login_id: maya }
    const address = '192.0.2.7'
    const { body } = await post(`${flowsPath}?ui_locales=de`, { ...login, input }, { address })
    const fields = {
      method: 'POST',
      path: flowsPath,
      status: 404,
      duration_ms: 0,
      client: address,
      tracking_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    }
    expect(body.error?.tracking_id).toBe(Object(lines).at(0)[0].tracking_id)
    expect(lines).toEqual([[fields, 'request']])
  })

  it('creates, advances and reads flows, and sets the cookies of a session', async () => {
    const { auth, post } = createWorld()
    await createUser(auth, { email: maya, password })
    const created = await post(flowsPath, login)
    expect([created.status, created.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(created.headers.get('cache-control')).toBe('no-store')
    expect(created.headers.getSetCookie()).toEqual([])
    expect(created.body).toEqual({
      result: {
        state_token: expect.stringMatching(/^authflowstate_[0-9A-Z]{32}$/),
        type: 'login',
        name: 'default',
        action: {
          type: 'identify',
          data: { type: 'identification_data', options: [{ identification: 'email' }] },
        },
      },
    })
    const input = { identification: 'email', login_id: maya }
    const asked = await post(inputPath, { state_token: created.body.result?.state_token, input })
    const read = await post(statesPath, { state_token: asked.body.result?.state_token })
    expect(read.body).toEqual(asked.body)
    const done = await post(inputPath, {
      state_token: asked.body.result?.state_token,
      input: { authentication: 'primary_password', password },
    })
    expect(done.body.result?.action).toEqual({ type: 'finished', data: {} })
    expect(done.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^session=[\w-]+\.\w{32}; Path=\/;.* Max-Age=31449600; HttpOnly; Secure; SameSite=Lax$/,
      ),
      expect.stringMatching(
        /^same_site_strict=true; Path=\/;.* HttpOnly; Secure; SameSite=Strict$/,
      ),
    ])
  })

  it('answers a refused input with the error, its status and the state it was for', async () => {
    const { auth, post } = createWorld()
    await createUser(auth, { email: maya, password })
    const input = { identification: 'email', login_id: maya }
    const { result } = (await post(flowsPath, { ...login, input })).body
    const refused = await post(inputPath, {
      state_token: result?.state_token,
      input: { authentication: 'primary_password', password: 'wrong' },
    })
    expect(refused.status).toBe(401)
    expect(refused.body).toEqual({
      error: {
        name: 'Unauthorized',
        reason: 'InvalidCredentials',
        message: 'invalid credentials',
        code: 401,
        tracking_id: expect.any(String),
        info: { AuthenticationType: 'password', FlowType: 'login' },
      },
      result,
    })
    expect(refused.headers.getSetCookie()).toEqual([])
  })

  it('reads the queries of the URL and of the body, which takes precedence', async () => {
    const clients = [
      {
        client_id: 'web',
        redirect_uris: ['https://web.example/cb'],
        x_authentication_flow_allowlist: { groups: [], flows: [] },
      },
    ]
    const { post } = createWorld({ oauth: { clients } })
    const reasonOf = async (path: string, more: object = {}) =>
      (await post(path, { ...login, ...more })).body.error?.reason
    expect(await reasonOf(flowsPath)).toBeUndefined()
    expect(await reasonOf(`${flowsPath}?client_id=web`)).toBe('AuthenticationFlowNotAllowed')
    expect(await reasonOf(flowsPath, { url_query: 'client_id=web' })).toBe(
      'AuthenticationFlowNotAllowed',
    )
    expect(
      await reasonOf(`${flowsPath}?client_id=web`, { url_query: 'client_id=x' }),
    ).toBeUndefined()
  })

  it('sends Retry-After, and counts requests by address', async () => {
    const delta = {
      authentication_flow: { rate_limits: { per_ip: { enabled: true, period: '1m', burst: 1 } } },
    }
    const { post } = createWorld(delta)
    expect((await post(flowsPath, login)).status).toBe(200)
    const limited = await post(flowsPath, login)
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '60'])
    expect(limited.body).toEqual({
      error: {
        name: 'TooManyRequest',
        reason: 'TooManyRequest',
        message: 'Reach Rate Limit',
        code: 429,
        tracking_id: expect.any(String),
      },
    })
    expect((await post(flowsPath, login, { address: '192.0.2.2' })).status).toBe(200)
  })

  it('refuses other methods, and names the allowed ones', async () => {
    const { send } = createWorld()
    for (const path of [flowsPath, inputPath, statesPath, approvePath]) {
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
        const answer = await send(path, { method })
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'OPTIONS, POST'])
        if (method === 'HEAD') continue
        expect(await answer.json()).toMatchObject({
          error: { name: 'BadRequest', reason: 'MethodNotAllowed', code: 405 },
        })
      }
    }
  })

  it('refuses requests without TLS', async () => {
    const { auth, send, post, connect } = createWorld()
    await createUser(auth, { email: maya, password })
    const batch = [
      { identification: 'email', login_id: maya },
      { authentication: 'primary_password', password },
    ]
    const refused = await post(flowsPath, { ...login, batch_input: batch }, { secure: false })
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({ error: { name: 'Forbidden', reason: 'HTTPSRequired' } })
    expect(refused.headers.getSetCookie()).toEqual([])
    const page = await send('/authflow/v2/verify_login_link?code=x', { secure: false })
    expect([page.status, page.headers.get('content-type')]).toEqual([
      403,
      'text/html; charset=utf-8',
    ])
    const socket = await connect(`${flowsPath}/ws?channel=x`, { secure: false })
    expect(socket).toHaveProperty('status', 403)
  })

  const origins = ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000']
  const here = { secure: false, address: '127.0.0.1' }

  it.each(origins)('serves plain HTTP within this machine for %s', async (origin) => {
    const { auth, post, send } = createWorld({ http: { public_origin: origin } })
    await createUser(auth, { email: maya, password })
    const batch_input = [
      { identification: 'email', login_id: maya },
      { authentication: 'primary_password', password },
    ]
    const answer = await post(flowsPath, { ...login, batch_input }, { ...here, origin })
    expect(answer.status).toBe(200)
    const cookies = answer.headers.getSetCookie()
    expect(cookies).toHaveLength(2)
    // A browser drops a `Secure` cookie that comes over plain HTTP.
    for (const cookie of cookies) expect(cookie).not.toContain('Secure')
    const page = await send('/authflow/v2/verify_login_link?code=x', { ...here, origin })
    expect(await page.text()).not.toContain('HTTPS')
  })

  it('refuses plain HTTP from elsewhere, to elsewhere, and in production', async () => {
    const origin = 'http://localhost:3000'
    const http = { public_origin: origin }
    const { post } = createWorld({ http })
    for (const request of [
      { ...here, origin, address: '192.168.0.7' },
      { ...here, origin: 'http://192.168.0.2:3000' },
      { ...here, origin, headers: { 'x-forwarded-for': '203.0.113.7' } },
    ]) {
      const answer = await post(flowsPath, login, request)
      expect(answer.body.error).toMatchObject({
        reason: 'HTTPSRequired',
        message: expect.stringMatching(/trusted_proxies.*http\.allow_insecure/),
      })
    }
    const live = createWorld({ http }, { environment: { NODE_ENV: 'production' } })
    expect((await live.post(flowsPath, login, { ...here, origin })).status).toBe(403)
    const named = createWorld()
    expect((await named.post(flowsPath, login, { ...here, origin })).status).toBe(403)
  })

  it('accepts requests without TLS if configured so, or if the client of a trusted proxy has TLS', async () => {
    const open = createWorld({
      http: { public_origin: 'http://localhost:3000', allow_insecure: true },
    })
    expect((await open.post(flowsPath, login, { secure: false })).status).toBe(200)
    const behind = createWorld({
      http: { public_origin: 'https://auth.example.com' },
    })
    // An adapter that trusts the proxy says so.
    expect((await behind.post(flowsPath, login, { secure: true })).status).toBe(200)
    const headers = { 'x-forwarded-proto': 'https' }
    expect((await behind.post(flowsPath, login, { secure: false, headers })).status).toBe(403)
  })

  it('sends CORS headers, also with refusals', async () => {
    const { post, send } = createWorld()
    const own = { headers: { origin: 'https://auth.example.com' } }
    const other = { headers: { origin: 'https://evil.example' } }
    const readable = (answer: { headers: Headers }) =>
      answer.headers.get('access-control-allow-origin')
    expect(readable(await post(flowsPath, login, own))).toBe('https://auth.example.com')
    expect(readable(await post(flowsPath, {}, own))).toBe('https://auth.example.com')
    expect(readable(await post(flowsPath, login, other))).toBeNull()
    const preflight = await send(flowsPath, { method: 'OPTIONS', ...own })
    expect([preflight.status, readable(preflight)]).toEqual([204, 'https://auth.example.com'])
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST')
    expect(preflight.headers.get('access-control-allow-credentials')).toBe('true')
    expect(readable(await send(flowsPath, { method: 'OPTIONS', ...other }))).toBeNull()
  })

  it('uses the configured base path, in links too', async () => {
    const delta = {
      http: { public_origin: 'https://auth.example.com', base_path: '/sign-in' },
      verification: { claims: { email: { otp_form: 'link' } } },
    }
    const { auth, post, outbox } = createWorld(delta)
    for (const { path } of auth.routes)
      expect(path).toMatch(/^\/sign-in\/(api|authflow|\.well-known)\//)
    const input = { identification: 'email', login_id: maya }
    const { result } = (
      await post(`/sign-in${flowsPath}`, { type: 'signup', name: 'default', input })
    ).body
    expect(result?.action.data.websocket_url).toMatch(
      /^wss:\/\/auth\.example\.com\/sign-in\/api\/v1\/authentication_flows\/ws\?channel=ws_/,
    )
    expect(outbox.messages[0]?.link).toMatch(
      /^https:\/\/auth\.example\.com\/sign-in\/authflow\/v2\//,
    )
  })

  it("refuses a body above the host's limit", async () => {
    const { post } = createWorld({}, { maxBodyBytes: 100 })
    expect((await post(flowsPath, login)).status).toBe(200)
    const refused = await post(flowsPath, { ...login, more: 'x'.repeat(100) })
    expect(refused.status).toBe(413)
    expect(refused.body).toMatchObject({
      error: {
        name: 'RequestEntityTooLarge',
        reason: 'JSONTooLarge',
        code: 413,
        info: { limit: 100 },
      },
    })
    for (const maxBodyBytes of [0, -1, 1.5]) {
      expect(() => testAuth({}, { maxBodyBytes })).toThrow(
        expect.objectContaining({ reason: 'InvalidInput' }),
      )
    }
  })

  it('answers invalid JSON as documented, without logging a fault', async () => {
    const logged: unknown[] = []
    const logger = { ...silentLogger, error: (fields: object) => logged.push(fields) }
    const { post } = createWorld({}, { logger })
    const refused = await post(flowsPath, '{"type":"login","name":"default",}')
    expect(refused.status).toBe(500)
    expect(refused.body).toEqual({
      error: {
        name: 'InternalError',
        reason: 'UnexpectedError',
        message: 'unexpected error occurred',
        code: 500,
        tracking_id: expect.any(String),
      },
    })
    expect(logged).toEqual([])
  })

  it('logs a storage failure, and reveals nothing to clients', async () => {
    const logged: unknown[] = []
    const logger = { ...silentLogger, error: (fields: object) => logged.push(fields) }
    const failure = storageUnavailable('the database at 10.0.0.7 is down')
    const storage: Storage = {
      ...createMemoryStorage(),
      get: () => Promise.reject(failure),
      commit: () => Promise.reject(failure),
    }
    const { post } = createWorld({}, { logger, storage })
    for (const [path, body] of [
      [flowsPath, login],
      [statesPath, { state_token: 't' }],
      [approvePath, { code: 'x' }],
    ] as const) {
      const { status, body: answer } = await post(path, body)
      expect([status, answer]).toEqual([
        500,
        {
          error: {
            name: 'InternalError',
            reason: 'UnexpectedError',
            message: 'unexpected error occurred',
            code: 500,
            tracking_id: expect.any(String),
          },
        },
      ])
      // The log line of the failure has the id that the client got.
      expect(logged.at(-1)).toMatchObject({ tracking_id: answer.error?.tracking_id })
    }
    expect(logged).toMatchObject([{ err: failure }, { err: failure }, { err: failure }])
  })
})
