import { exportPKCS8, exportSPKI, generateKeyPair, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../../testing/manual-clock.ts'
import { testClient } from '../client.fixture.ts'
import type { OAuthClientOptions } from '../client-options.ts'
import { type FakeIssuer, startFakeIssuer } from '../fake-issuer.fixture.ts'
import type { OAuthProviderConfig } from '../oauth-provider.ts'

const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
const pem = await exportPKCS8(privateKey)
const publicPem = await exportSPKI(publicKey)
const rsa = await generateKeyPair('RS256', { extractable: true })
const rsaPem = await exportPKCS8(rsa.privateKey)
const noKey = 'has a private key that is not a P-256 key in PKCS #8 PEM'
const settings = { team_id: 'TEAM123456', key_id: 'KEY1234567' }

async function startApple(): Promise<FakeIssuer> {
  const issuer = await startFakeIssuer()
  issuer.claims = { iss: 'https://appleid.apple.com', email: 'maya@privaterelay.example' }
  return issuer
}

const clientOf = (
  { origin }: FakeIssuer,
  options: Partial<OAuthClientOptions> = {},
  more: Partial<OAuthProviderConfig> = {},
) =>
  testClient(
    'apple',
    { ...settings, ...more },
    {
      endpoints: { apple: { token: `${origin}/token`, jwks: `${origin}/jwks` } },
      credentials: { apple: { privateKey: pem } },
      ...options,
    },
  )

const secretOf = (issuer: FakeIssuer): string =>
  issuer.requests.find(({ path }) => path === '/token')?.form.get('client_secret') ?? ''

describe('Apple', () => {
  it('answers with a form, as it requires with any scope, whatever the request asks for', async () => {
    const { authorize } = testClient('apple', settings)
    const { href, searchParams } = await authorize({ response_mode: 'query', prompt: ['login'] })
    expect(href).toMatch(/^https:\/\/appleid\.apple\.com\/auth\/authorize\?/)
    expect(searchParams.get('response_mode')).toBe('form_post')
    expect(searchParams.get('scope')).toBe('name email')
    expect(searchParams.has('prompt')).toBe(false)
    const bare = testClient('apple', { ...settings, scope_override: [] })
    const without = (await bare.authorize({ response_mode: 'query' })).searchParams
    expect([without.get('response_mode'), without.has('scope')]).toEqual(['query', false])
  })

  it('gets a secret signed for five minutes', async () => {
    const issuer = await startApple()
    const clock = createManualClock(Math.floor(Date.now() / 1_000) * 1_000)
    await clientOf(issuer, { clock }).redeem()
    const { payload, protectedHeader } = await jwtVerify(secretOf(issuer), publicKey)
    const nowSeconds = clock.now() / 1_000
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'KEY1234567' })
    expect(payload).toEqual({
      iss: 'TEAM123456',
      sub: 'client-1',
      aud: 'https://appleid.apple.com',
      iat: nowSeconds,
      exp: nowSeconds + 300,
    })
  })

  it('accepts a secret that was signed in advance', async () => {
    const issuer = await startApple()
    await clientOf(issuer, {
      credentials: { apple: { clientSecret: 'signed.before.hand' } },
    }).redeem()
    expect(secretOf(issuer)).toBe('signed.before.hand')
  })

  it.each<[string, Partial<OAuthProviderConfig>, string, string]>([
    ['no team', { team_id: undefined }, pem, 'has a private key, but no team_id or no key_id'],
    ['no key id', { key_id: undefined }, pem, 'has a private key, but no team_id or no key_id'],
    ['no key', {}, 'secret', noKey],
    ['a public key', {}, publicPem, noKey],
    ['a key of another type', {}, rsaPem, noKey],
  ])('with %s is refused without quoting the key', async (_, more, key, problem) => {
    const issuer = await startApple()
    const { redeem } = clientOf(issuer, { credentials: { apple: { privateKey: key } } }, more)
    const error = await redeem().catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      kind: 'InternalError',
      reason: 'InvalidConfiguration',
      message: `the identity provider "apple" ${problem}`,
    })
    expect(error).not.toHaveProperty('cause')
    expect(issuer.requests).toEqual([])
  })

  it('is the only provider with signed secrets', async () => {
    const { redeem } = testClient('google', {}, { credentials: { google: { privateKey: pem } } })
    await expect(redeem()).rejects.toMatchObject({
      reason: 'InvalidConfiguration',
      message: 'the identity provider "google" has a private key, which only type apple uses',
    })
  })

  it.each([
    ['https://appleid.apple.com', 'true', true],
    ['https://account.apple.com', 'false', false],
    ['https://appleid.apple.com', true, true],
  ])('signs as %s, with email_verified %j', async (iss, email_verified, expected) => {
    const issuer = await startApple()
    issuer.claims = { ...issuer.claims, iss, email_verified }
    expect((await clientOf(issuer).redeem()).claims).toEqual({
      email: 'maya@privaterelay.example',
      email_verified: expected,
    })
  })

  it('sends a name once, beside the code, of which only the name is trusted', async () => {
    const user = JSON.stringify({
      name: { firstName: 'Maya', lastName: 'Quill', middleName: 5 },
      email: 'admin@harborlight.example',
      sub: 'admin',
    })
    const query = new URLSearchParams({ code: 'code-1', user }).toString()
    expect(await clientOf(await startApple()).redeem({ query })).toMatchObject({
      subject: 'user-1',
      claims: { given_name: 'Maya', family_name: 'Quill', email: 'maya@privaterelay.example' },
    })
  })

  it.each([
    '',
    '{',
    'null',
    '[]',
    '"x"',
    '{"name":"x"}',
    '{"name":{"firstName":[]}}',
    `{"name":{"firstName":"${'x'.repeat(2_000)}"}}`,
  ])('reads no name from %.40s', async (user) => {
    const query = new URLSearchParams({ user }).toString()
    const { claims } = await clientOf(await startApple()).redeem({ query })
    expect(claims).toEqual({ email: 'maya@privaterelay.example' })
  })
})
