import { describe, expect, it } from 'vitest'
import type { Json } from '../../../storage/storage.ts'
import type { IncomingIdentity } from '../../accounts/incoming-identity.ts'
import { configWith, providerOf } from '../../config/config.fixture.ts'
import type { OAuthProviderConfig } from '../../oauth-client/oauth-provider.ts'
import { e164PhoneNumbers } from '../../phone/e164-phone-numbers.ts'
import { createLoginIdRules } from '../login-id/login-id-rules.ts'
import { incomingOAuthIdentity, oauthRecord, requireEmail } from './oauth-identity.ts'

const rules = createLoginIdRules({}, e164PhoneNumbers)(configWith())

function incoming(
  claims: { readonly [name: string]: Json },
  parts: Partial<OAuthProviderConfig> = {},
): IncomingIdentity {
  const provider = { ...providerOf('google', 'g'), ...parts }
  const raw = { sub: 's-1', aud: 'g-1', upn: 'maya@corp.x.io', exp: 1_772_618_400, nonce: 'n' }
  return incomingOAuthIdentity(provider, { subject: 's-1', claims, raw }, rules)
}

const trust = (assume_verified: boolean, required = false): Partial<OAuthProviderConfig> => ({
  claims: { email: { assume_verified, required } },
})

const about = { id: 'i-1', user_id: 'u-1', created_at: 7 }

describe('an account of a provider', () => {
  it('has its claims normalized like login IDs, and is shown masked', () => {
    expect(
      incoming({
        email: 'Maya@HARBORLIGHT.example',
        phone_number: '+6591234567',
        preferred_username: 'Maya.S',
        name: 'Maya',
      }),
    ).toMatchObject({
      identification: 'oauth',
      names: { IdentityTypeIncoming: 'oauth', OAuthProviderTypeIncoming: 'google' },
      source: 'g',
      claims: {
        email: 'maya@harborlight.example',
        phone_number: '+6591234567',
        preferred_username: 'maya.s',
      },
      verified: ['email'],
      display: 'ma**@harborlight.example',
    })
  })

  it.each([['not-an-address'], [''], [5], [null], ['a@b@c'], [`${'x'.repeat(400)}@x.io`]])(
    'has no address if it is %j',
    (email) => {
      const { claims, verified, display } = incoming({ email }, trust(true))
      expect([claims, verified, display]).toEqual([{}, [], 'g'])
    },
  )

  it('is refused without a required address', () => {
    const refused = expect.objectContaining({
      reason: 'OAuthError',
      info: {
        error: 'email_required',
        error_description: 'there is no email address in the profile',
        provider_type: 'google',
      },
    })
    const google = providerOf('google', 'g')
    for (const claims of [{ name: 'Maya' }, { email: 'nowhere' }]) {
      expect(() => requireEmail(google, incoming(claims))).toThrow(refused)
    }
    requireEmail(google, incoming({ email: 'maya@x.io' }))
  })

  it('is refused without a subject', () => {
    const provider = providerOf('oidc', 'o')
    expect(() =>
      incomingOAuthIdentity(provider, { subject: '', claims: {}, raw: {} }, rules),
    ).toThrow(expect.objectContaining({ reason: 'OAuthProtocolError' }))
  })

  it.each<readonly [boolean, Json | undefined, boolean]>([
    [true, undefined, true],
    [true, true, true],
    [true, false, false],
    [false, undefined, false],
    [false, true, true],
    [false, false, false],
    [false, 'true', false],
    [true, 'yes', false],
  ])(
    'with assume_verified %j and email_verified %j has the verification %j',
    (assumed, said, is) => {
      const email = { email: 'maya@x.io', ...(said === undefined ? {} : { email_verified: said }) }
      expect(incoming(email, trust(assumed)).verified).toEqual(is ? ['email'] : [])
    },
  )

  it('has a verified number if the provider says so', () => {
    const number = { phone_number: '+6591234567' }
    expect(incoming(number, trust(true)).verified).toEqual([])
    expect(incoming({ ...number, phone_number_verified: true }, trust(true)).verified).toEqual([
      'phone_number',
    ])
  })

  it('is stored with its profile and address, without claims to a number or name', () => {
    const claims = {
      email: 'Maya@x.io',
      phone_number: '+6591234567',
      preferred_username: 'maya',
      name: 'Maya',
    }
    const record = oauthRecord(incoming(claims), about)
    expect(record).toEqual({
      ...about,
      type: 'oauth',
      provider_type: 'google',
      provider_alias: 'g',
      subject: 's-1',
      unique_key: expect.stringMatching(/^[0-9a-f]{64}$/),
      email: 'maya@x.io',
      claims,
      profile: { sub: 's-1', aud: 'g-1', upn: 'maya@corp.x.io', exp: 1_772_618_400, nonce: 'n' },
    })
  })

  it('is stored with only its subject if so configured, and still compared', () => {
    const account = incoming(
      { email: 'maya@x.io', name: 'Maya' },
      { do_not_store_identity_attributes: true },
    )
    expect(account).toMatchObject({ claims: { email: 'maya@x.io' }, verified: ['email'] })
    const record = oauthRecord(account, about)
    expect(record).toMatchObject({ subject: 's-1', claims: {}, profile: {} })
    expect(JSON.stringify(record)).not.toMatch(/maya/i)
  })

  it('is stored with as many claims as fit, in their order', () => {
    const claims = {
      name: 'Maya',
      essay: 'x'.repeat(20_000),
      picture: 'https://x.io/1.png',
      ...Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`c${i}`, 'y'.repeat(1_000)])),
    }
    const { claims: kept } = oauthRecord(incoming(claims, trust(false)), about)
    expect(JSON.stringify(kept).length).toBeLessThan(16_500)
    expect(Object.keys(kept).slice(0, 3)).toEqual(['name', 'picture', 'c0'])
    expect(Object.keys(kept).length).toBeGreaterThan(15)
  })
})
