import { describe, expect, it } from 'vitest'
import { codesIn, configWith, messagesIn } from './config.fixture.ts'

describe('authentication', () => {
  it('needs a second factor to choose from where one is required', () => {
    const authentication = { secondary_authenticators: [] }
    expect(configWith({ authentication }).warnings).toEqual([
      'authentication.secondary_authenticators: is empty, so nobody is asked for a second factor',
    ])
    expect(
      messagesIn({
        authentication: { ...authentication, secondary_authentication_mode: 'required' },
      }),
    ).toEqual([
      'authentication.secondary_authenticators: must not be empty with secondary_authentication_mode: required',
    ])
    expect(
      codesIn({ authentication: { ...authentication, secondary_authentication_mode: 'disabled' } }),
    ).toEqual([])
  })

  it('has passkeys in both lists or in none, and beside login IDs', () => {
    const codes = (identities: string[], primary_authenticators: string[]): readonly string[] =>
      codesIn({ authentication: { identities, primary_authenticators } })
    expect(codes(['login_id', 'passkey'], ['password'])).toEqual([
      'authentication.primary_authenticators conflict',
    ])
    expect(codes(['login_id'], ['passkey'])).toEqual(['authentication.identities conflict'])
    expect(codes(['passkey'], ['passkey'])).toEqual(['authentication.identities conflict'])
    expect(codes(['login_id', 'passkey'], ['password', 'passkey'])).toEqual([])
  })

  it('warns of passkeys for an origin that is an address', () => {
    const authentication = {
      identities: ['login_id', 'passkey'],
      primary_authenticators: ['password', 'passkey'],
    }
    const warnings = (
      public_origin: string,
      more: object = { authentication },
    ): readonly string[] =>
      configWith({ http: { public_origin, allow_insecure: true }, ...more }).warnings
    const warning = 'http.public_origin: is an address, and browsers make passkeys for names alone'
    expect(warnings('http://127.0.0.1:9093')).toEqual([warning])
    expect(warnings('http://[::1]:9093')).toEqual([warning])
    expect(warnings('http://localhost:9093')).toEqual([])
    expect(warnings('http://127.0.0.1:9093', {})).toEqual([])
  })

  it('refuses words that it does not know, and those that come twice', () => {
    const authentication = {
      identities: ['login_id', 'login_id'],
      primary_authenticators: ['pasword'],
      secondary_authenticators: ['totp', 'oob_otp'],
      secondary_authentication_mode: true,
    }
    expect(messagesIn({ authentication })).toEqual([
      'authentication.identities[1]: "login_id" is here already',
      'authentication.primary_authenticators[0]: must be one of password, passkey, oob_otp_email, oob_otp_sms; did you mean "password"?',
      'authentication.secondary_authenticators[1]: must be one of password, oob_otp_email, oob_otp_sms, totp',
      'authentication.secondary_authentication_mode: must be text: put it in quotes',
    ])
  })

  it('warns of what is never offered', () => {
    const { warnings } = configWith({
      authentication: {
        identities: ['login_id', 'passkey', 'biometric'],
        primary_authenticators: ['oob_otp_sms', 'passkey'],
        recovery_code: { list_enabled: true, storage: 'reversible' },
      },
    })
    expect(warnings).toEqual([
      'authentication.identities[2]: "biometric" is not built in: it is never offered',
      'authentication.recovery_code.list_enabled: has no effect here',
      'authentication.recovery_code.storage: has no effect here',
      'authentication.primary_authenticators: oob_otp_sms is never offered without a login ID key of the type phone',
    ])
    expect(configWith({ authentication: { identities: ['oauth'] } }).warnings).toEqual([
      'authentication.identities: leaves no login ID and no provider, so the generated flows let nobody in',
    ])
    expect(configWith({ identity: { login_id: { keys: [] } } }).warnings).toEqual([
      'identity.login_id.keys: leaves no login ID and no provider, so the generated flows let nobody in',
    ])
  })

  it('has a second factor asked of those who show by themselves who they are, where it says so', () => {
    const appliedTo = (secondary_applies_to: unknown, mode = 'if_exists'): object => ({
      authentication: { secondary_applies_to, secondary_authentication_mode: mode },
    })
    const words = ['oauth', 'passkey', 'select_account']
    const config = configWith(appliedTo(words))
    expect(config.authentication.secondary_applies_to).toEqual(words)
    expect(config.warnings).toEqual([])
    expect(configWith().authentication.secondary_applies_to).toEqual([])
    expect(configWith(appliedTo(['oauth'], 'disabled')).warnings).toEqual([
      'authentication.secondary_applies_to: has no effect with secondary_authentication_mode: disabled',
    ])
    expect(codesIn(appliedTo(['email', 'oauth', 'oauth']))).toEqual([
      'authentication.secondary_applies_to[0] out_of_range',
      'authentication.secondary_applies_to[2] conflict',
    ])
  })

  it('reads the end of the grace period as an instant', () => {
    const end = (end_at: string): object => ({
      authentication: { secondary_authentication_grace_period: { enabled: true, end_at } },
    })
    const config = configWith(end('2026-05-01T02:00:00+02:00'))
    expect(config.authentication.secondary_authentication_grace_period).toEqual({
      enabled: true,
      end_at: Date.parse('2026-05-01T00:00:00Z'),
    })
    for (const wrong of [
      '2026-05-01',
      'soon',
      '',
      '2026-13-01T00:00:00Z',
      `2026-05-01${'T'.repeat(1e6)}Z`,
    ]) {
      expect(codesIn(end(wrong))).toEqual([
        'authentication.secondary_authentication_grace_period.end_at out_of_range',
      ])
    }
  })
})
