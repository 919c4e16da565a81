import { SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../../testing/manual-clock.ts'
import { createExternalJwtVerifier } from '../../external-jwt/create-external-jwt-verifier.ts'
import {
  createFakeKey,
  type FakeClaims,
  type FakeKey,
  startFakeIssuer,
} from '../../oauth-client/fake-issuer.fixture.ts'
import {
  type ConfigDelta,
  errorOf,
  startFlow,
  startOfTests,
  stateOf,
  type TestAuth,
  testAuth,
} from '../../service.fixture.ts'
import { createAnonymousUser } from '../../users/create-anonymous-user.ts'
import { findUsers } from '../../users/find-users.ts'
import { getUser } from '../../users/get-user.ts'
import { importUsers } from '../../users/import-users.ts'

const iss = 'https://id.harborlight.example'
const email = 'maya@harborlight.example'
const now = Math.floor(startOfTests / 1_000)
const key = await createFakeKey('first')
const other = await createFakeKey('first')

const standard = { iss, aud: 'app', sub: 'user-1', iat: now, exp: now + 300 }
const sign = (claims: FakeClaims, { privateKey, alg, kid }: FakeKey = key): Promise<string> =>
  new SignJWT({ ...standard, ...claims }).setProtectedHeader({ alg, kid }).sign(privateKey)
const verified = { email, email_verified: true }

const branch = { identification: 'external_jwt' }
const verify = { type: 'verify', target_step: 'id' }
const signUp = [{ type: 'identify', name: 'id', one_of: [{ ...branch, steps: [verify] }] }]
const flows = {
  signup_flows: [{ name: 'jwt', steps: signUp }],
  promote_flows: [{ name: 'jwt', steps: signUp }],
  login_flows: [{ name: 'jwt', steps: [{ type: 'identify', one_of: [branch] }] }],
  signup_login_flows: [
    {
      name: 'jwt',
      steps: [{ type: 'identify', one_of: [{ ...branch, signup_flow: 'jwt', login_flow: 'jwt' }] }],
    },
  ],
}
const issuer = { iss, aud: ['app', 'site'], jwks: { keys: [key.jwk] } }

const world = (settings: object = {}, delta: ConfigDelta = {}): TestAuth => {
  const clock = createManualClock(startOfTests)
  return testAuth(
    {
      external_jwt: { issuers: [{ ...issuer, ...settings }] },
      authentication_flow: flows,
      ...delta,
    },
    { externalJwt: createExternalJwtVerifier({ clock, allowPrivateAddresses: true }) },
  )
}

const input = async (claims: FakeClaims, signer?: FakeKey) => ({
  ...branch,
  external_jwt: await sign(claims, signer),
})

async function begin(of: TestAuth, type: 'signup' | 'login' | 'signup_login', given: object) {
  const flow = await startFlow(of, type, {}, 'jwt')
  return { flow, result: await flow.input(given as never) }
}

const invalid = { name: 'Invalid', reason: 'Invalid', message: 'invalid external JWT', code: 400 }

describe('a token of another issuer', () => {
  it('is offered and signs up, without another proof of a verified address', async () => {
    const of = world()
    const flow = await startFlow(of, 'signup', {}, 'jwt')
    expect(stateOf(flow.last).action.data).toMatchObject({ options: [branch] })
    expect(stateOf(await flow.input(await input(verified))).action.type).toBe('finished')
    const [user] = await findUsers(of.auth, { email })
    expect(user?.standard_attributes).toMatchObject({ email })
    expect(of.outbox.messages).toEqual([])
  })

  it('does not prove an address that its issuer has not verified', async () => {
    const of = world()
    const { flow, result } = await begin(of, 'signup', await input({ email }))
    expect(stateOf(result).action.type).toBe('verify')
    await flow.input({ channel: 'email' })
    expect(stateOf(await flow.input({ code: of.codeTo(email) })).action.type).toBe('finished')
  })

  it('signs in the owner of a verified address, and nobody else', async () => {
    const of = world()
    await importUsers(of.auth, [{ email }])
    const { result } = await begin(of, 'login', await input(verified))
    expect(stateOf(result).action.type).toBe('finished')
    for (const claims of [{ email }, { email, email_verified: 'true' }, {}]) {
      const refused = await begin(of, 'login', await input(claims))
      expect(errorOf(refused.result)).toMatchObject({ reason: 'Invalid', code: 400 })
    }
    const stranger = { email: 'noor@harborlight.example', email_verified: true }
    const unknown = await begin(of, 'login', await input(stranger))
    expect(errorOf(unknown.result)).toMatchObject({ reason: 'UserNotFound', code: 404 })
  })

  it('decides between sign-up and login', async () => {
    const of = world()
    for (const type of ['signup', 'login']) {
      const { result } = await begin(of, 'signup_login', await input(verified))
      expect(stateOf(result)).toMatchObject({ type, action: { type: 'finished' } })
    }
  })

  it('is refused in a sign-up if the address is taken, also under strict protection', async () => {
    const of = world({}, { authentication: { enumeration_protection: 'strict' } })
    await begin(of, 'signup', await input(verified))
    const { result } = await begin(of, 'signup', await input(verified))
    expect(errorOf(result)).toMatchObject({ info: { cause: { kind: 'DuplicatedIdentity' } } })
  })

  it('reads the first claim with a login ID key, by the configured names', async () => {
    const keys = [{ type: 'phone' }, { type: 'username' }]
    const claims = { phone_number: 'tel', preferred_username: 'nick' }
    const of = world({ claims }, { identity: { login_id: { keys } } })
    const asNick = await begin(of, 'signup', await input({ ...verified, nick: 'maya.h' }))
    expect(stateOf(asNick.result).action.type).toBe('finished')
    expect(await findUsers(of.auth, { username: 'maya.h' })).toHaveLength(1)
    const tel = { tel: '+85298765432', phone_number_verified: true, nick: 'maya.h' }
    const byPhone = await begin(of, 'signup', await input(tel))
    expect(stateOf(byPhone.result).action.type).toBe('finished')
    expect(await findUsers(of.auth, { phone_number: '+85298765432' })).toHaveLength(1)
  })

  it('has no user name unless the configuration names its claim', async () => {
    const of = world({}, { identity: { login_id: { keys: [{ type: 'username' }] } } })
    const { result } = await begin(of, 'signup', await input({ preferred_username: 'admin' }))
    expect(errorOf(result)).toMatchObject({ reason: 'Invalid' })
  })

  it.each<[string, FakeClaims, FakeKey?]>([
    ['of an unknown issuer', { iss: 'https://evil.example' }],
    ['for another audience', { aud: 'shop' }],
    ['that has expired', { iat: now - 600, exp: now - 61 }],
    ['that is not valid yet', { nbf: now + 61 }],
    ['without an end', { exp: undefined }],
    ['with another signature', {}, other],
  ])('%s is refused', async (_, claims, signer) => {
    const { result } = await begin(
      world(),
      'signup',
      await input({ ...verified, ...claims }, signer),
    )
    expect(errorOf(result)).toMatchObject(invalid)
  })

  it.each<[string, string | Promise<string>]>([
    ['that is no token', 'a.b.c'],
    ['without a signature', new UnsecuredJWT({ ...standard, ...verified }).encode()],
    [
      'signed with the public key as a secret',
      new SignJWT({ ...standard, ...verified })
        .setProtectedHeader({ alg: 'HS256', kid: 'first' })
        .sign(new TextEncoder().encode(JSON.stringify(key.jwk))),
    ],
    ['that is too long', sign({ ...verified, pad: 'x'.repeat(17_000) })],
  ])('%s is refused', async (_, token) => {
    const { result } = await begin(world(), 'signup', { ...branch, external_jwt: await token })
    expect(errorOf(result)).toMatchObject(invalid)
  })

  it('may be off by the configured clock skew', async () => {
    const late = { ...verified, iat: now - 600, exp: now - 100 }
    const { result } = await begin(world({ clock_skew_seconds: 120 }), 'signup', await input(late))
    expect(stateOf(result).action.type).toBe('finished')
  })

  it('is for one of several audiences, and may have a nonce', async () => {
    const claims = { ...verified, aud: ['site', 'shop'], azp: 'site', nonce: 'n' }
    const { result } = await begin(world(), 'signup', await input(claims))
    expect(stateOf(result).action.type).toBe('finished')
  })

  it('is checked by keys from a URL, which are cached', async () => {
    const server = await startFakeIssuer()
    server.answer('/jwks', { json: { keys: [key.jwk] } })
    const of = world({ jwks: undefined, jwks_uri: `${server.origin}/jwks` })
    for (const type of ['signup', 'login'] as const) {
      const { result } = await begin(of, type, await input(verified))
      expect(stateOf(result).action.type).toBe('finished')
    }
    expect(server.requests.filter(({ path }) => path === '/jwks')).toHaveLength(1)
  })

  it('is not refused as invalid if its keys cannot be fetched', async () => {
    const of = world({ jwks: undefined, jwks_uri: 'http://127.0.0.1:1/jwks' })
    const { result } = await begin(of, 'signup', await input(verified))
    expect(errorOf(result)).toMatchObject({ reason: 'OAuthProtocolError', code: 400 })
  })

  it('becomes the way to sign in for an anonymous user', async () => {
    const of = world({}, { authentication: { identities: ['login_id', 'anonymous'] } })
    const { user_id: guest, cookies } = await createAnonymousUser(of.auth)
    const request = { cookie: `session=${cookies[0]?.value}` }
    const flow = await startFlow(of, 'promote', request, 'jwt')
    expect(stateOf(await flow.input(await input(verified))).action.type).toBe('finished')
    expect(await getUser(of.auth, guest)).toMatchObject({
      identities: [{ type: 'login_id', email }],
      verified_claims: [{ name: 'email', value: email }],
    })
  })

  it('needs bot protection where its branch says so', async () => {
    const bot_protection = { enabled: true, provider: { type: 'cloudflare', site_key: 'k' } }
    const one_of = [{ ...branch, bot_protection: { mode: 'always' } }]
    const of = testAuth(
      {
        external_jwt: { issuers: [issuer] },
        bot_protection,
        authentication_flow: {
          signup_flows: [{ name: 'jwt', steps: [{ type: 'identify', one_of }] }],
        },
      },
      {
        externalJwt: createExternalJwtVerifier(),
        botVerifier: { verify: async () => 'failed' as const },
      },
    )
    const flow = await startFlow(of, 'signup', {}, 'jwt')
    const given = {
      ...(await input(verified)),
      bot_protection: { type: 'cloudflare', response: 'r' },
    }
    expect(errorOf(await flow.input(given))).toMatchObject({
      reason: expect.stringContaining('BotProtection'),
    })
  })
})

describe('createExternalJwtVerifier()', () => {
  it('does not connect to private addresses by itself', async () => {
    const server = await startFakeIssuer()
    const verifier = createExternalJwtVerifier({ clock: createManualClock(startOfTests) })
    const { external_jwt } = testAuth(
      {
        external_jwt: {
          issuers: [{ ...issuer, jwks: undefined, jwks_uri: `${server.origin}/jwks` }],
        },
      },
      { externalJwt: verifier },
    ).auth.config.current
    await expect(verifier.verify(external_jwt.issuers, await sign(verified))).rejects.toMatchObject(
      {
        reason: 'OAuthProtocolError',
      },
    )
    expect(server.requests).toEqual([])
  })

  it('is needed where issuers are configured', () => {
    expect(() => testAuth({ external_jwt: { issuers: [issuer] } })).toThrow(/externalJwt/)
  })
})
