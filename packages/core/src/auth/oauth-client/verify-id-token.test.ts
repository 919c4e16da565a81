import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { type TestClient, testClient } from './client.fixture.ts'
import {
  createFakeKey,
  type FakeClaims,
  type FakeIssuer,
  startFakeIssuer,
} from './fake-issuer.fixture.ts'

interface Case {
  readonly issuer: FakeIssuer
  readonly redeem: TestClient['redeem']
  /** Sets the ID token that the token endpoint returns. */
  give(idToken: string): void
}

async function startCase(): Promise<Case> {
  const issuer = await startFakeIssuer()
  const settings = { discovery_document_endpoint: issuer.discoveryUrl }
  const { redeem } = testClient('oidc', settings)
  const give = (idToken: string): void =>
    issuer.answer('/token', { json: { access_token: 'access-1', id_token: idToken } })
  return { issuer, redeem, give }
}

const soundClaims = (issuer: FakeIssuer): JWTPayload => {
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const times = { iat: nowSeconds, exp: nowSeconds + 300 }
  return {
    iss: issuer.issuer,
    aud: 'client-1',
    sub: 'user-1',
    nonce: 'nonce-of-the-test',
    ...times,
  }
}

const refused = (message: unknown) => ({
  kind: 'BadRequest',
  reason: 'OAuthProtocolError',
  message,
})

describe('an ID token', () => {
  it('names the user of a code', async () => {
    const { issuer, redeem } = await startCase()
    issuer.claims = { email: 'maya@harborlight.example', azp: 'client-1' }
    expect(await redeem()).toMatchObject({
      subject: 'user-1',
      claims: { email: 'maya@harborlight.example' },
      raw: { iss: issuer.issuer, aud: 'client-1' },
    })
  })

  const hourMs = 3_600_000
  const inSeconds = (ms: number): number => Math.floor((Date.now() + ms) / 1_000)
  it.each<[string, string, FakeClaims]>([
    ['another issuer', 'iss', { iss: 'https://evil.example' }],
    ['an issuer that only begins like it', 'iss', { iss: 'http://127.0.0.1' }],
    ['another audience', 'aud', { aud: 'client-2' }],
    ['several audiences without this client', 'aud', { aud: ['client-2', 'client-3'] }],
    ['several audiences and no authorized party', 'aud', { aud: ['client-1', 'client-2'] }],
    ['another authorized party', 'azp', { azp: 'client-2' }],
    ['another nonce', 'nonce', { nonce: 'nonce-of-another' }],
    ['an expiry an hour ago', 'exp', { exp: inSeconds(-hourMs) }],
    ['a start in an hour', 'nbf', { nbf: inSeconds(hourMs) }],
  ])('with %s is refused', async (_, claim, claims) => {
    const { issuer, redeem } = await startCase()
    issuer.claims = claims
    await expect(redeem()).rejects.toMatchObject(refused(`the ID token has the wrong "${claim}"`))
  })

  it.each(['iss', 'sub', 'aud', 'exp', 'iat', 'nonce'])(
    'without "%s" is refused',
    async (claim) => {
      const { issuer, redeem } = await startCase()
      issuer.claims = { [claim]: undefined }
      await expect(redeem()).rejects.toMatchObject(
        refused(
          expect.stringMatching(
            new RegExp(`could not be verified \\(JWT "${claim}" .* claim missing`),
          ),
        ),
      )
    },
  )

  it('is valid until a minute after its expiry, by the given clock', async () => {
    const issuer = await startFakeIssuer()
    const clock = createManualClock(Date.parse('2026-03-04T10:00:00Z'))
    const { redeem } = testClient(
      'oidc',
      { discovery_document_endpoint: issuer.discoveryUrl },
      { clock },
    )
    const iat = clock.now() / 1_000
    issuer.claims = { iat, exp: iat + 300 }
    // The package reads the machine's time after the difference of the clocks was taken: no second may pass between.
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    clock.advance(359_000)
    expect(await redeem()).toMatchObject({ subject: 'user-1' })
    clock.advance(1_000)
    await expect(redeem()).rejects.toMatchObject(refused('the ID token has the wrong "exp"'))
  })

  it('may have several audiences if this client is its authorized party', async () => {
    const { issuer, redeem } = await startCase()
    issuer.claims = { aud: ['client-1', 'client-2'], azp: 'client-1' }
    expect(await redeem()).toMatchObject({ subject: 'user-1' })
  })

  it('must not be nested endlessly', async () => {
    const { issuer, redeem, give } = await startCase()
    const deep = '['.repeat(40) + ']'.repeat(40)
    give(await issuer.sign({ ...soundClaims(issuer), deep: JSON.parse(deep) }))
    await expect(redeem()).rejects.toMatchObject(refused('the ID token is nested too deeply'))
  })

  it('is required', async () => {
    const { issuer, redeem } = await startCase()
    for (const json of [{ access_token: 'access-1' }, { id_token: 5 }, {}]) {
      issuer.answer('/token', { json })
      await expect(redeem()).rejects.toMatchObject(
        refused('the token endpoint gave no ID token (is "openid" among the scopes?)'),
      )
    }
  })
})

describe('the signature of an ID token', () => {
  it.each(['RS256', 'PS256', 'ES384', 'EdDSA'])('may be %s', async (alg) => {
    const { issuer, redeem, give } = await startCase()
    const key = await createFakeKey('other', alg)
    issuer.answer('/jwks', { json: { keys: [issuer.key.jwk, key.jwk] } })
    give(await issuer.sign(soundClaims(issuer), key))
    expect(await redeem()).toMatchObject({ subject: 'user-1' })
  })

  it('is required', async () => {
    const { issuer, redeem, give } = await startCase()
    give(new UnsecuredJWT(soundClaims(issuer)).encode())
    await expect(redeem()).rejects.toMatchObject(
      refused('the ID token could not be verified (unexpected JWT "alg" header parameter)'),
    )
  })

  it.each(['the client secret', 'the public key'])('cannot be made with %s', async (which) => {
    const { issuer, redeem, give } = await startCase()
    const key = which === 'the client secret' ? 'secret-1' : JSON.stringify(issuer.key.jwk)
    const signed = new SignJWT(soundClaims(issuer)).setProtectedHeader({
      alg: 'HS256',
      kid: 'first',
    })
    give(await signed.sign(new TextEncoder().encode(key.padEnd(64))))
    await expect(redeem()).rejects.toMatchObject(
      refused('the ID token could not be verified (unexpected JWT "alg" header parameter)'),
    )
  })

  it('cannot be made with a foreign key, whatever its id', async () => {
    const { issuer, redeem, give } = await startCase()
    give(await issuer.sign(soundClaims(issuer), await createFakeKey('first')))
    await expect(redeem()).rejects.toMatchObject(
      refused('the ID token could not be verified (JWT signature verification failed)'),
    )
  })

  it('cannot be that of other claims', async () => {
    const { issuer, redeem, give } = await startCase()
    const [head, , signature] = (await issuer.sign(soundClaims(issuer))).split('.')
    const claims = { ...soundClaims(issuer), sub: 'admin' }
    give(`${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`)
    await expect(redeem()).rejects.toMatchObject({ reason: 'OAuthProtocolError' })
  })

  it.each(['', 'x', 'a.b.c', 'a.b.c.d.e', `${'A'.repeat(500_000)}..`, 'e30.e30.', '..'])(
    'is not read from a text like %.20s',
    async (idToken) => {
      const { redeem, give } = await startCase()
      give(idToken)
      const error = await redeem().catch((caught: unknown) => caught)
      expect(error).toMatchObject({
        reason: 'OAuthProtocolError',
        message: expect.stringMatching(/^the ID token could not be verified \(.+\)$/),
      })
    },
  )

  it('is refused with an error that names only the problem', async () => {
    const { issuer, redeem } = await startCase()
    issuer.claims = { exp: 1, email: 'maya@harborlight.example' }
    const error = await redeem().catch((caught: unknown) => caught)
    expect(error).toMatchObject(refused('the ID token has the wrong "exp"'))
    expect(error).not.toHaveProperty('cause')
  })
})

describe('the keys of a provider', () => {
  const noKey =
    'the ID token could not be verified (error when selecting a JWT verification key, no applicable keys found)'
  const noKeySet = expect.stringMatching(
    /^the ID token could not be verified \("response" body "keys" property .*must be /,
  )
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const keysAsked = ({ requests }: FakeIssuer): number =>
    requests.filter(({ path }) => path === '/jwks').length

  it('are cached for five minutes', async () => {
    const { issuer, redeem } = await startCase()
    await redeem()
    vi.setSystemTime(Date.now() + 299_000)
    await redeem()
    expect(keysAsked(issuer)).toBe(1)
    vi.setSystemTime(Date.now() + 1_000)
    await redeem()
    expect(keysAsked(issuer)).toBe(2)
  })

  it('are requested again for an unknown key, but not at once', async () => {
    const { issuer, redeem, give } = await startCase()
    await redeem()
    const second = await createFakeKey('second')
    issuer.answer('/jwks', { json: { keys: [issuer.key.jwk, second.jwk] } })
    give(await issuer.sign(soundClaims(issuer), second))

    vi.setSystemTime(Date.now() + 59_000)
    await expect(redeem()).rejects.toMatchObject(refused(noKey))
    expect(keysAsked(issuer)).toBe(1)
    vi.setSystemTime(Date.now() + 1_000)
    expect(await Promise.all([redeem(), redeem()])).toMatchObject([
      { subject: 'user-1' },
      { subject: 'user-1' },
    ])
    expect(keysAsked(issuer)).toBe(2)
  })

  it.each([
    [{}, noKeySet],
    [{ keys: {} }, noKeySet],
    [{ keys: [5] }, noKeySet],
    [{ keys: [] }, noKey],
    [{ keys: [{ kty: 'EC', kid: 'first', crv: 'P-256', x: 'A', y: 7 }] }, undefined],
    [{ keys: [{ kty: 5, kid: [] }, {}] }, noKey],
  ])('are refused if they are %j', async (json, message) => {
    const { issuer, redeem } = await startCase()
    issuer.answer('/jwks', { json })
    await expect(redeem()).rejects.toMatchObject({
      reason: 'OAuthProtocolError',
      message: message ?? expect.stringMatching(/^the ID token could not be verified \(.+\)$/),
    })
  })
})
