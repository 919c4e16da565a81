import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../../testing/manual-clock.ts'
import { createExternalJwtVerifier } from '../../external-jwt/create-external-jwt-verifier.ts'
import {
  createFakeKey,
  type FakeClaims,
  type FakeKey,
  startFakeIssuer,
} from '../../oauth-client/fake-issuer.fixture.ts'
import { createAnonymousUser } from '../../people/create-anonymous-user.ts'
import { getUser } from '../../people/get-user.ts'
import {
  type ConfigDelta,
  errorOf,
  startFlow,
  startOfTests,
  stateOf,
  type TestAuth,
  testAuth,
} from '../../service.fixture.ts'
import { resolveSessionToken } from '../../sessions/resolve-session.ts'

const iss = 'https://id.harborlight.example'
const email = 'maya@harborlight.example'
const now = Math.floor(startOfTests / 1_000)
const key = await createFakeKey('first')
const other = await createFakeKey('first')

const standard = { iss, aud: 'app', sub: 'user-1', iat: now, exp: now + 300 }
const sign = (claims: FakeClaims, { privateKey, alg, kid }: FakeKey = key): Promise<string> =>
  new SignJWT({ ...standard, ...claims }).setProtectedHeader({ alg, kid }).sign(privateKey)
const verified = { email, email_verified: true }

const loginIds = ['email', 'phone', 'username']
const verify = { type: 'verify', target_step: 'id' }
const signUp = [
  {
    type: 'identify',
    name: 'id',
    one_of: [
      { identification: 'email', steps: [verify] },
      { identification: 'phone', steps: [verify] },
      { identification: 'username' },
    ],
  },
]
const flows = {
  signup_flows: [{ name: 'jwt', steps: signUp }],
  promote_flows: [{ name: 'jwt', steps: signUp }],
}
const issuer = { iss, aud: ['app', 'site'], jwks: { keys: [key.jwk] } }

const world = (settings: object = {}, delta: ConfigDelta = {}): TestAuth => {
  const clock = createManualClock(startOfTests)
  const of = testAuth(
    {
      external_jwt: { issuers: [{ ...issuer, ...settings }] },
      identity: { login_id: { keys: loginIds.map((type) => ({ type })) } },
      authentication_flow: flows,
      ...delta,
    },
    { clock, externalJwt: createExternalJwtVerifier({ clock, allowPrivateAddresses: true }) },
  )
  return { ...of, clock }
}

const input = async (claims: FakeClaims, signer?: FakeKey, identification = 'email') => ({
  identification,
  external_jwt: await sign(claims, signer),
})

async function begin(of: TestAuth, given: object, type: 'signup' | 'login' = 'signup') {
  const flow = await startFlow(of, type, {}, type === 'signup' ? 'jwt' : 'default')
  return { flow, result: await flow.input(given as never) }
}

const invalid = { reason: 'ExternalJWTInvalidJWT', code: 400, info: { FlowType: 'signup' } }

describe('a token of another issuer', () => {
  it.each([
    ['email', { email, email_verified: true }, { email }],
    ['phone', { phone_number: '+85298765432', phone_number_verified: true }, undefined],
    ['username', { preferred_username: 'Maya.H' }, { preferred_username: 'maya.h' }],
  ])('signs up with its %s, which needs no other proof', async (identification, claims, has) => {
    const of = world()
    const { result } = await begin(of, await input({ ...claims }, key, identification))
    expect(stateOf(result).action.type).toBe('finished')
    const session = await resolveSessionToken(of.auth, result.cookies[0]?.value ?? '')
    const user = await getUser(of.auth, String(session?.user_id))
    expect(user.identities).toMatchObject([{ type: 'login_id', login_id_type: identification }])
    expect(user.standard_attributes).toMatchObject(has ?? { phone_number: '+85298765432' })
    expect(user.verified_claims).toHaveLength(identification === 'username' ? 0 : 1)
    expect(of.outbox.messages).toEqual([])
  })

  it.each([undefined, false, 'true', 1])(
    'proves no address whose verification is %j',
    async (email_verified) => {
      const of = world()
      const { flow, result } = await begin(of, await input({ email, email_verified }))
      expect(stateOf(result).action.type).toBe('verify')
      await flow.input({ channel: 'email' })
      expect(stateOf(await flow.input({ code: of.codeTo(email) })).action.type).toBe('finished')
    },
  )

  it('supplies the login ID of the identification, and of no other', async () => {
    const of = world()
    const claims = { ...verified, phone_number: 5 }
    for (const identification of ['phone', 'username']) {
      const { result } = await begin(of, await input(claims, key, identification))
      expect(errorOf(result)).toMatchObject({ reason: 'ExternalJWTInvalidClaim', code: 400 })
    }
  })

  it.each([
    ['email', 'email', 'invalidemail'],
    ['phone', 'phone_number', 'invalidphone'],
    ['username', 'preferred_username', 'invalid@example.com'],
  ])('with an invalid %s is refused like a typed one', async (format, claim, text) => {
    const of = world()
    const flags = { email_verified: true, phone_number_verified: true }
    const { result } = await begin(of, await input({ [claim]: text, ...flags }, key, format))
    expect(errorOf(result)).toMatchObject({
      name: 'Invalid',
      reason: 'ValidationFailed',
      message: 'invalid login ID',
      code: 400,
      info: {
        FlowType: 'signup',
        causes: [{ location: '/login_id', kind: 'format', details: { format } }],
      },
    })
  })

  it.each([
    ['both', { login_id: email }],
    ['neither', { external_jwt: undefined }],
    ['another type', { external_jwt: 5 }],
  ])('is given instead of a login ID: %s', async (_what, more) => {
    const given = JSON.parse(JSON.stringify({ ...(await input(verified)), ...more }))
    const { result } = await begin(world(), given)
    expect(errorOf(result)).toMatchObject({ reason: 'ValidationFailed', code: 400 })
  })

  it('is not accepted in a login, nor without issuers', async () => {
    const of = world()
    await begin(of, await input(verified))
    expect(errorOf((await begin(of, await input(verified), 'login')).result)).toMatchObject({
      reason: 'ValidationFailed',
      info: { causes: expect.arrayContaining([expect.objectContaining({ kind: 'required' })]) },
    })
    const without = world({}, { external_jwt: { issuers: [] } })
    expect(errorOf((await begin(without, await input(verified))).result)).toMatchObject({
      reason: 'ValidationFailed',
    })
  })

  it('is refused in a sign-up if the address is taken, also under strict protection', async () => {
    const of = world({}, { authentication: { enumeration_protection: 'strict' } })
    await begin(of, await input(verified))
    const { result } = await begin(of, await input(verified))
    expect(errorOf(result)).toMatchObject({ info: { cause: { kind: 'DuplicatedIdentity' } } })
  })

  it('has its claims under the configured names', async () => {
    const of = world({ claims: { email: 'mail', email_verified: 'checked' } })
    const { result } = await begin(of, await input({ mail: email, checked: true }))
    expect(stateOf(result).action.type).toBe('finished')
    const other = await begin(of, await input(verified))
    expect(errorOf(other.result)).toMatchObject({ reason: 'ExternalJWTInvalidClaim' })
  })

  it.each<[string, FakeClaims, FakeKey?]>([
    ['of an unknown issuer', { iss: 'https://evil.example' }],
    ['for another audience', { aud: 'shop' }],
    ['that has expired', { iat: now - 600, exp: now - 301 }],
    ['that is not valid yet', { nbf: now + 301 }],
    ['without an end', { exp: undefined }],
    ['with another signature', {}, other],
  ])('%s is refused', async (_, claims, signer) => {
    const { result } = await begin(world(), await input({ ...verified, ...claims }, signer))
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
    const { result } = await begin(world(), { identification: 'email', external_jwt: await token })
    expect(errorOf(result)).toMatchObject(invalid)
  })

  it('may be off by the configured clock skew', async () => {
    const late = { ...verified, iat: now - 600, exp: now - 100 }
    const { result } = await begin(world({ clock_skew_seconds: 120 }), await input(late))
    expect(stateOf(result).action.type).toBe('finished')
  })

  it('is for one of several audiences, and may have a nonce', async () => {
    const claims = { ...verified, aud: ['site', 'shop'], azp: 'site', nonce: 'n' }
    const { result } = await begin(world(), await input(claims))
    expect(stateOf(result).action.type).toBe('finished')
  })

  it('is checked by keys from a URL, which are cached', async () => {
    const server = await startFakeIssuer()
    server.answer('/jwks', { json: { keys: [key.jwk] } })
    const of = world({ jwks: undefined, jwks_uri: `${server.origin}/jwks` })
    for (const name of ['maya', 'noor']) {
      const claims = { ...verified, email: `${name}@harborlight.example` }
      const { result } = await begin(of, await input(claims))
      expect(stateOf(result).action.type).toBe('finished')
    }
    expect(server.requests.filter(({ path }) => path === '/jwks')).toHaveLength(1)
  })

  it('is not refused as invalid if its keys cannot be fetched', async () => {
    const of = world({ jwks: undefined, jwks_uri: 'http://127.0.0.1:1/jwks' })
    const { result } = await begin(of, await input(verified))
    expect(errorOf(result)).toMatchObject({
      name: 'InternalError',
      reason: 'ExternalJWTFailedToFetchJWKs',
      code: 500,
    })
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
    const one_of = [{ identification: 'email', bot_protection: { mode: 'always' } }]
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

describe('a signature of a token', () => {
  it.each(['RS256', 'RS512', 'PS256', 'PS384', 'ES256', 'ES384', 'ES512', 'EdDSA'])(
    'may be %s',
    async (alg) => {
      const signer = await createFakeKey('k', alg)
      const of = world({ jwks: { keys: [key.jwk, signer.jwk] } })
      const { result } = await begin(of, await input(verified, signer))
      expect(stateOf(result).action.type).toBe('finished')
    },
  )

  it('does not count by a key for another use, a short key, or with an unknown extension', async () => {
    const { jwk } = key
    const short = await generateKeyPair('RS256', { modulusLength: 1_024, extractable: true }).then(
      async ({ publicKey }) => ({ ...(await exportJWK(publicKey)), kid: 'first' }),
      () => ({ kty: 'RSA', kid: 'first', n: 'AQ', e: 'AQAB' }),
    )
    for (const one of [
      { ...jwk, use: 'enc' },
      { ...jwk, alg: 'ES384' },
      { ...jwk, x: 'AA' },
      short,
    ]) {
      const { result } = await begin(world({ jwks: { keys: [one] } }), await input(verified))
      expect(errorOf(result)).toMatchObject(invalid)
    }
    const external_jwt = await new SignJWT({ ...standard, ...verified })
      .setProtectedHeader({ alg: 'ES256', kid: 'first', crit: ['b64'], b64: true })
      .sign(key.privateKey)
    const { result } = await begin(world(), { identification: 'email', external_jwt })
    expect(errorOf(result)).toMatchObject(invalid)
  })

  it('by a new key is accepted as soon as the keys may be fetched again', async () => {
    const server = await startFakeIssuer()
    server.answer('/jwks', { json: { keys: [key.jwk] } })
    const of = world({ jwks: undefined, jwks_uri: `${server.origin}/jwks` })
    const next = await createFakeKey('next')
    const fetches = () => server.requests.filter(({ path }) => path === '/jwks').length
    await begin(of, await input(verified))
    server.answer('/jwks', { json: { keys: [next.jwk] } })
    const claims = { ...verified, email: 'noor@harborlight.example' }
    for (let i = 0; i < 3; i++) {
      expect(errorOf((await begin(of, await input(claims, next))).result)).toMatchObject(invalid)
    }
    expect(fetches()).toBe(1)
    of.clock.advance(60_000)
    const { result } = await begin(of, await input(claims, next))
    expect(stateOf(result).action.type).toBe('finished')
    expect(fetches()).toBe(2)
  })
})
