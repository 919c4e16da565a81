import { describe, expect, it } from 'vitest'
import { impersonateUser } from '../operators/impersonate-user.ts'
import { createUser } from '../people/create-user.ts'
import { updateUser } from '../people/update-user.ts'
import { testAuth } from '../service.fixture.ts'
import { createSession } from '../sessions/create-session.ts'
import { type AdmitRequestOptions, admitRequest } from './admit-request.ts'
import { returnAddress } from './return-address.ts'

const minute = 60_000
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

async function world(amr: readonly string[] = ['pwd']) {
  const { auth, clock } = testAuth()
  const userId = await createUser(auth, { preferred_username: 'maya' })
  const { token } = await createSession(auth, userId, { amr })
  const ask = (options: AdmitRequestOptions = {}, given: Partial<Given> = {}) => {
    const { method = 'GET', url = '/orders?page=2', accept = '*/*', cookie = token } = given
    const headers = new Headers({ accept, cookie: `session=${cookie}` })
    headers.set('accept-language', given.languages ?? 'en')
    return admitRequest(auth, { method, url, headers }, options)
  }
  return { auth, clock, userId, ask }
}

interface Given {
  readonly method: string
  readonly url: string
  readonly accept: string
  readonly cookie: string
  readonly languages: string
}

describe('a request of an operator who acts as a user', () => {
  it('is admitted, until something is asked that only the user can show', async () => {
    const { auth, userId, ask } = await world()
    const { token: cookie } = await impersonateUser(auth, userId, { operator: 'olga', reason: 'x' })
    expect((await ask({}, { cookie })).session).toMatchObject({
      user_id: userId,
      impersonated_by: 'olga',
    })
    for (const options of [{ maxAgeMs: minute }, { amr: ['pwd'] }, { aal: 2 }] as const) {
      expect((await ask(options, { cookie })).refusal?.reason).toBe('ReauthenticationRequired')
    }
  })
})

describe('requests with wrong API keys', () => {
  it('are counted by the address that the caller names', async () => {
    const { auth } = testAuth({ api_keys: { scopes: ['orders:read'] } })
    const headers = new Headers({ authorization: 'Bearer gatehouse_x' })
    const ask = async (ip: string): Promise<string | undefined> => {
      const request = { method: 'GET', url: '/', headers, ip }
      return (await admitRequest(auth, request, { apiKeyScopes: [] })).refusal?.reason
    }
    const reasons = new Set<string | undefined>()
    for (let count = 0; count < 60; count++) reasons.add(await ask('203.0.113.7'))
    expect([...reasons]).toEqual(['NotAuthenticated'])
    expect(await ask('203.0.113.7')).toBe('RateLimited')
    expect(await ask('203.0.113.8')).toBe('NotAuthenticated')
  })
})

describe('a request', () => {
  it('is admitted by its session', async () => {
    const { ask, userId } = await world()
    expect((await ask()).session).toMatchObject({ user_id: userId, amr: ['pwd'] })
  })

  it('of a program is refused in JSON, as by the service itself', async () => {
    const { ask } = await world()
    const { refusal } = await ask({}, { cookie: 'x' })
    expect(refusal).toMatchObject({
      reason: 'NotAuthenticated',
      answer: { status: 401, headers: { 'content-type': 'application/json' } },
    })
    expect(JSON.parse(String(refusal?.answer.body))).toEqual({
      error: {
        name: 'Unauthorized',
        reason: 'NotAuthenticated',
        message: 'sign in first',
        code: 401,
        tracking_id: expect.any(String),
      },
    })
  })

  it.each([
    ['/login', '/orders?page=2', '/login?return_to=%2Forders%3Fpage%3D2'],
    ['/auth/login?x=1', 'https://app.example/a', '/auth/login?x=1&return_to=%2Fa'],
    [
      'https://auth.example.com/login',
      'https://app.example/a?b',
      'https://auth.example.com/login?return_to=https%3A%2F%2Fapp.example%2Fa%3Fb',
    ],
  ])('of a browser for a page is sent to %s, and back to %s', async (signIn, url, location) => {
    const { ask } = await world()
    const { refusal } = await ask({ signIn }, { cookie: 'x', accept: browser, url })
    expect(refusal?.answer).toMatchObject({ status: 302, headers: { location } })
    expect(refusal?.answer.headers).toMatchObject({ 'cache-control': 'no-store' })
  })

  it.each([
    [{}, { method: 'POST', accept: browser }],
    [{ signIn: false }, { accept: browser }],
    [{}, { accept: 'application/json' }],
    [{}, { accept: 'text/html5' }],
  ] as const)('is not sent to a page with %j %j', async (options, given) => {
    const { ask } = await world()
    expect((await ask(options, { ...given, cookie: 'x' })).refusal?.answer.status).toBe(401)
  })

  it('needs a recent authentication where that is asked for', async () => {
    const { ask, clock } = await world()
    clock.advance(10 * minute)
    expect((await ask({ maxAgeMs: 10 * minute })).session).toBeDefined()
    clock.advance(1)
    const late = await ask({ maxAgeMs: 10 * minute })
    expect(late.refusal).toMatchObject({
      reason: 'ReauthenticationRequired',
      answer: { status: 403 },
    })
    const page = await ask({ maxAgeMs: 10 * minute }, { accept: browser, url: '/a' })
    expect(page.refusal?.answer.headers.location).toBe('/login?return_to=%2Fa&prompt=login')
  })

  it('needs the factors and the assurance level that are asked for', async () => {
    const one = await world(['pwd'])
    const two = await world(['pwd', 'otp', 'mfa'])
    const missing = async (asking: ReturnType<typeof one.ask>) =>
      JSON.parse(String((await asking).refusal?.answer.body)).error.info.missing
    expect(await missing(one.ask({ aal: 2 }))).toEqual(['mfa'])
    expect(await missing(one.ask({ amr: ['pwd', 'otp'] }))).toEqual(['otp'])
    expect((await two.ask({ aal: 2, amr: ['otp'] })).session).toBeDefined()
  })

  it('needs one of the roles that are asked for', async () => {
    const { ask, auth, userId } = await world()
    const admins = { roles: ['admin', 'owner'] }
    expect((await ask(admins)).refusal).toMatchObject({
      reason: 'AccessControlViolated',
      answer: { status: 403 },
    })
    const page = (await ask(admins, { accept: browser })).refusal?.answer
    expect([page?.status, String(page?.body)]).toEqual([
      403,
      expect.stringContaining('not for you'),
    ])
    const german = (await ask(admins, { accept: browser, languages: 'de-CH' })).refusal?.answer
    expect(german?.body).toContain('diese Seite ist nicht für Sie')
    await updateUser(auth, userId, {
      custom_attributes: { x_role: ['viewer', 'owner'], team: 'x' },
    })
    expect((await ask(admins)).session).toBeDefined()
    expect((await ask({ roles: ['x'], roleAttribute: 'team' })).session).toBeDefined()
    expect((await ask({ roles: ['x'], roleAttribute: 'toString' })).session).toBeUndefined()
  })

  it('is not looked at with options that are mistaken', async () => {
    const { ask } = await world()
    for (const wrong of [{ maxAgeMs: -1 }, { aal: 3 }, { signIn: '' }, { maxAge: 1 }]) {
      await expect(ask(wrong as AdmitRequestOptions)).rejects.toMatchObject({
        reason: 'InvalidInput',
      })
    }
  })
})

describe('returnAddress', () => {
  const { auth } = testAuth({
    http: {
      public_origin: 'https://auth.example.com',
      allowed_origins: ['https://app.example', 'capacitor://localhost'],
    },
  })

  it.each([
    ['/a?b#c', 'https://auth.example.com/a?b#c'],
    ['a', 'https://auth.example.com/a'],
    ['/.//evil.example', 'https://auth.example.com//evil.example'],
    ['https://app.example/x', 'https://app.example/x'],
    ['\t/a', 'https://auth.example.com/a'],
  ])('allows %s', (given, address) => {
    expect(returnAddress(auth, given)).toBe(address)
  })

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'https://evil.example/',
    'https://app.example.evil.example/',
    'https://auth.example.com@evil.example/',
    'http://auth.example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    'capacitor://localhost/',
    'https://',
  ])('refuses %s', (given) => {
    expect(returnAddress(auth, given)).toBeUndefined()
  })
})
