import { describe, expect, it } from 'vitest'
import { createRouteClient, flowsPath, type SentRequest } from '../http/routes.fixture.ts'
import { addAuthenticator } from '../people/add-authenticator.ts'
import { addIdentity } from '../people/add-identity.ts'
import { addRecoveryCodes } from '../people/add-recovery-codes.ts'
import { type ConfigDelta, testAuth } from '../service.fixture.ts'
import { changesOf, maya, type Person, sessionOf, signedIn, tom } from './account.fixture.ts'
import { type AccountRoutesOptions, accountRoutes } from './account-routes.ts'

const base = '/api/v1/account'
const origin = 'https://auth.example.com'
const secret = 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN'

/** A service with account routes, and functions that send requests as browsers do. */
function house(delta: ConfigDelta = {}, options: AccountRoutesOptions = {}) {
  const world = testAuth(delta)
  const routes = [...world.auth.routes, ...accountRoutes(world.auth, options)]
  const client = createRouteClient({ ...world.auth, routes })

  /** Sends a request as a page of the service itself does. */
  const send = async (
    method: string,
    path: string,
    { request }: Pick<Person, 'request'>,
    { headers, ...more }: SentRequest = {},
  ) => {
    const answer = await client.send(path, {
      method,
      headers: { cookie: request.cookie, origin, ...headers },
      ...more,
    })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
  return { ...world, client, send }
}

describe('the account of the signed-in user', () => {
  it('is shown without secrets', async () => {
    const world = house()
    const person = await signedIn(world)
    await addAuthenticator(world.auth, person.id, { type: 'totp', secret, display_name: 'phone' })
    const codes = await addRecoveryCodes(world.auth, person.id)
    const { status, headers, body } = await world.send('GET', base, person)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    const [email] = body.result.identities
    expect(body).toEqual({
      result: {
        user: {
          id: person.id,
          created_at: '2026-03-04T10:00:00.000Z',
          updated_at: '2026-03-04T10:00:01.000Z',
          last_login_at: null,
          standard_attributes: { email: maya.email },
          custom_attributes: {},
        },
        identities: [
          {
            id: email.id,
            type: 'login_id',
            login_id_type: 'email',
            login_id_key: 'email',
            original: maya.email,
            normalized: maya.email,
            email: maya.email,
            is_verified: true,
            created_at: '2026-03-04T10:00:00.000Z',
            updated_at: '2026-03-04T10:00:00.000Z',
          },
        ],
        authenticators: [
          expect.objectContaining({ type: 'password', kind: 'primary' }),
          expect.objectContaining({ authentication: 'secondary_totp', display_name: 'phone' }),
        ],
        recovery_codes: 16,
        device_tokens: 0,
        sessions: [
          {
            id: person.session.id,
            is_current: true,
            client_id: null,
            created_at: '2026-03-04T10:00:01.000Z',
            authenticated_at: '2026-03-04T10:00:01.000Z',
            last_accessed_at: '2026-03-04T10:00:01.000Z',
            last_accessed_ip: null,
            last_accessed_user_agent: null,
            expires_at: '2026-04-03T10:00:01.000Z',
            amr: ['pwd', 'x_primary_password'],
            aal: 1,
          },
        ],
        changes: {
          add_identity: ['email'],
          replace_identity: [email.id],
          verify_identity: [],
          create_authenticator: ['secondary_totp'],
          change_password: ['primary'],
          create_passkey: false,
          create_recovery_codes: true,
          api_keys: false,
        },
      },
    })
    const text = JSON.stringify(body)
    for (const hidden of ['hash', 'sealed', secret, 'unique_key', ...codes]) {
      expect(text).not.toContain(hidden)
    }
  })

  it('answers HEAD, and names the allowed method of a path', async () => {
    const world = house()
    const person = await signedIn(world)
    const head = await world.send('HEAD', base, person)
    expect([head.status, head.body]).toEqual([200, undefined])
    const wrong: readonly (readonly [method: string, path: string, allow: string])[] = [
      ['POST', base, 'GET, OPTIONS'],
      ['GET', `${base}/flows`, 'OPTIONS, POST'],
      ['GET', `${base}/identities/1`, 'DELETE, OPTIONS'],
      ['PUT', `${base}/profile`, 'OPTIONS, PATCH'],
      ['DELETE', `${base}/device-tokens/revoke`, 'OPTIONS, POST'],
    ]
    for (const [method, path, allow] of wrong) {
      const refused = await world.send(method, path, person)
      expect([path, refused.status, refused.headers.get('allow')]).toEqual([path, 405, allow])
      expect(refused.body.error.reason).toBe('MethodNotAllowed')
    }
  })

  it('can have another base path', async () => {
    const world = house({}, { basePath: '/me' })
    const person = await signedIn(world)
    expect((await world.send('GET', '/me', person)).status).toBe(200)
    for (const basePath of ['', '/', 'me', '/me/', '/me?x']) {
      expect(() => accountRoutes(world.auth, { basePath })).toThrow(
        expect.objectContaining({ reason: 'InvalidInput' }),
      )
    }
  })
})

describe('a change over HTTP', () => {
  it('is a flow that continues at the paths of all flows', async () => {
    const world = house()
    const person = await signedIn(world)
    const body = { add_identity: 'email' }
    const begun = await world.send('POST', `${base}/flows`, person, { body })
    expect(begun.body.result).toMatchObject({
      type: 'account',
      name: 'add_identity',
      action: { type: 'identify' },
    })
    const input = (state_token: string, given: object) =>
      world.send('POST', `${flowsPath}/states/input`, person, {
        body: { state_token, input: given },
      })
    const spare = 'spare@harborlight.example'
    const asked = await input(begun.body.result.state_token, {
      identification: 'email',
      login_id: spare,
    })
    const ended = await input(asked.body.result.state_token, { code: world.codeTo(spare) })
    expect(ended.body.result.action).toEqual({ type: 'finished', data: {} })
    expect(ended.headers.get('set-cookie')).toBeNull()
    expect((await person.details()).identities).toHaveLength(2)
  })

  it('must name exactly one known change', async () => {
    const world = house()
    const person = await signedIn(world)
    const wrong: readonly unknown[] = [
      {},
      { add_identity: 'email', create_passkey: true },
      { add_identity: 7 },
      { create_passkey: false },
      { change_password: 'tertiary' },
      { create_authenticator: [] },
      { fill_in_user_profile: '/name' },
      { constructor: 'email' },
      [],
      'add_identity',
      null,
    ]
    for (const body of wrong) {
      const refused = await world.send('POST', `${base}/flows`, person, {
        body: JSON.stringify(body),
      })
      expect([body, refused.status, refused.body.error.reason]).toEqual([
        body,
        400,
        'ValidationFailed',
      ])
    }
  })

  it('removes identities and authenticators, updates the profile and ends sessions', async () => {
    const world = house()
    const { auth } = world
    const person = await signedIn(world)
    const elsewhere = await sessionOf(world, person.id)
    const further = await sessionOf(world, person.id)
    const app = await addAuthenticator(auth, person.id, { type: 'totp', secret })
    const spare = { type: 'email', value: 'spare@harborlight.example' } as const
    const address = await addIdentity(auth, person.id, spare)
    const attributes = [{ pointer: '/nickname', value: 'May' }]
    const calls: readonly (readonly [string, string, unknown, object])[] = [
      ['DELETE', `${base}/identities/${address}`, undefined, {}],
      ['DELETE', `${base}/authenticators/${app}`, undefined, {}],
      [
        'PATCH',
        `${base}/profile`,
        { attributes },
        {
          standard_attributes: { email: maya.email, nickname: 'May' },
          custom_attributes: {},
        },
      ],
      ['DELETE', `${base}/sessions/${elsewhere.session.id}`, undefined, {}],
      ['POST', `${base}/sessions/revoke-others`, {}, { revoked: 1 }],
      ['POST', `${base}/device-tokens/revoke`, undefined, { revoked: 0 }],
    ]
    for (const [method, path, body, result] of calls) {
      const answer = await world.send(method, path, person, body === undefined ? {} : { body })
      expect([path, answer.status, answer.body]).toEqual([path, 200, { result }])
    }
    expect(await person.details()).toMatchObject({
      identities: [{ email: maya.email }],
      authenticators: [{ type: 'password' }],
    })
    for (const gone of [elsewhere, further]) {
      expect((await world.send('GET', base, gone)).status).toBe(401)
    }
    expect((await world.send('GET', base, person)).body.result.sessions).toHaveLength(1)
    const [event] = (await changesOf(world)).filter(({ type }) => type === 'identity.email.removed')
    expect(event?.context).toMatchObject({ ip_address: '192.0.2.1', user_id: person.id })
  })

  it('signs out, even without a session', async () => {
    const world = house()
    const person = await signedIn(world)
    for (let time = 0; time < 2; time++) {
      const out = await world.send('POST', `${base}/sign-out`, person)
      expect([out.status, out.body]).toEqual([200, { result: {} }])
      expect(out.headers.getSetCookie()[0]).toMatch(/^session=; .*Max-Age=0/)
    }
    expect((await world.send('GET', base, person)).status).toBe(401)
    const other = await signedIn(world, tom)
    const own = await world.send('DELETE', `${base}/sessions/${other.session.id}`, other)
    expect(own.headers.getSetCookie()[0]).toMatch(/^session=; .*Max-Age=0/)
  })

  it('needs an authentication as recent as the host configures', async () => {
    const body = { add_identity: 'email' }
    const strict = house({}, { freshForMs: 1_000 })
    const person = await signedIn(strict)
    expect((await strict.send('POST', `${base}/flows`, person, { body })).status).toBe(200)
    strict.clock.advance(1_001)
    const late = await strict.send('POST', `${base}/flows`, person, { body })
    expect([late.status, late.body.error.reason]).toEqual([403, 'ReauthenticationRequired'])
    const [password] = (await person.details()).authenticators
    const path = `${base}/authenticators/${password?.id}`
    const removal = await strict.send('DELETE', path, person)
    expect(removal.body.error.reason).toBe('ReauthenticationRequired')
  })
})

describe('a request to an account', () => {
  const calls: readonly (readonly [method: string, path: string])[] = [
    ['GET', base],
    ['POST', `${base}/flows`],
    ['DELETE', `${base}/identities/1`],
    ['DELETE', `${base}/authenticators/1`],
    ['PATCH', `${base}/profile`],
    ['DELETE', `${base}/sessions/1`],
    ['POST', `${base}/sessions/revoke-others`],
    ['POST', `${base}/device-tokens/revoke`],
  ]
  const bodyOf = (path: string): SentRequest =>
    /flows|profile/.test(path) ? { body: { change_password: 'primary', attributes: [] } } : {}

  it('needs a session', async () => {
    const { send } = house()
    for (const [method, path] of calls) {
      for (const cookie of ['', 'session=nothing', 'session=a.b']) {
        const refused = await send(method, path, { request: { cookie } }, bodyOf(path))
        expect([path, refused.status, refused.body]).toEqual([
          path,
          401,
          {
            error: {
              name: 'Unauthorized',
              reason: 'NotAuthenticated',
              message: 'sign in first',
              code: 401,
              tracking_id: expect.any(String),
            },
          },
        ])
      }
    }
  })

  it('must not come from a page of another origin', async () => {
    const world = house({
      http: { public_origin: origin, allowed_origins: ['https://ui.example'] },
    })
    const person = await signedIn(world)
    for (const foreign of ['https://evil.example', 'null', 'http://auth.example.com']) {
      for (const [method, path] of [...calls, ['POST', `${base}/sign-out`] as const]) {
        const headers = { origin: foreign }
        const answer = await world.send(method, path, person, { headers, ...bodyOf(path) })
        expect([path, answer.status]).toEqual([path, method === 'GET' ? 200 : 403])
        expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      }
    }
    const headers = { origin: 'https://ui.example' }
    const allowed = await world.send('POST', `${base}/sessions/revoke-others`, person, { headers })
    expect(allowed.status).toBe(200)
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://ui.example')
    for (const [path, method] of [
      [`${base}/profile`, 'PATCH'],
      [`${base}/identities/1`, 'DELETE'],
    ] as const) {
      const preflight = await world.send('OPTIONS', path, person, { headers })
      expect(preflight.status).toBe(204)
      expect(preflight.headers.get('access-control-allow-methods')).toBe(method)
    }
  })

  it('has a JSON body or none', async () => {
    const world = house()
    const person = await signedIn(world)
    const form = 'application/x-www-form-urlencoded'
    for (const [method, path] of calls.slice(1)) {
      for (const [type, body] of [
        [form, 'a=b'],
        ['text/plain', '{}'],
        ['multipart/form-data; boundary=x', ''],
      ] as const) {
        const headers = { 'content-type': type }
        const refused = await world.send(method, path, person, { headers, body })
        expect([path, refused.status, refused.body.error.reason]).toEqual([path, 400, 'BadRequest'])
      }
    }
    const untyped = await world.client.send(`${base}/device-tokens/revoke`, {
      method: 'POST',
      headers: { cookie: person.request.cookie },
    })
    expect(untyped.status).toBe(200)
    for (const body of ['{', '', '\0']) {
      const refused = await world.send('POST', `${base}/flows`, person, { body })
      expect([refused.status, refused.body.error.reason]).toEqual([400, 'BadRequest'])
    }
    const large = await world.send('PATCH', `${base}/profile`, person, {
      body: { attributes: ['x'.repeat(1_048_576)] },
    })
    expect([large.status, large.body.error.reason]).toEqual([413, 'JSONTooLarge'])
  })

  it('must use TLS and respect the rate limit', async () => {
    const limit = { enabled: true, period: '1m', burst: 3 }
    const world = house({ authentication_flow: { rate_limits: { per_ip: limit } } })
    const person = await signedIn(world)
    const plain = await world.send('GET', base, person, { secure: false })
    expect(plain.body.error.reason).toBe('HTTPSRequired')
    const statuses = []
    const body = { change_password: 'primary' }
    statuses.push((await world.send('POST', `${base}/flows`, person, { body })).status)
    for (let index = 0; index < 3; index++) {
      statuses.push((await world.send('GET', base, person)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
  })
})
