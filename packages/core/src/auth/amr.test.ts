import { describe, expect, it } from 'vitest'
import { assuranceLevel, sessionAmr, type UsedAuthenticator } from './amr.ts'

const password: UsedAuthenticator = {
  authentication: 'primary_password',
  amr: ['pwd', 'x_primary_password'],
  kind: 'primary',
}
const totp: UsedAuthenticator = {
  authentication: 'secondary_totp',
  amr: ['otp', 'x_secondary_totp'],
  kind: 'secondary',
}
const sms: UsedAuthenticator = {
  authentication: 'secondary_oob_otp_sms',
  amr: ['otp', 'sms', 'x_secondary_oob_otp_sms'],
  kind: 'secondary',
}
const recoveryCode: UsedAuthenticator = {
  authentication: 'recovery_code',
  amr: ['x_recovery_code'],
  kind: 'pseudo',
}
const deviceToken: UsedAuthenticator = {
  authentication: 'device_token',
  amr: ['x_device_token'],
  kind: 'pseudo',
}
const passkey: UsedAuthenticator = {
  authentication: 'primary_passkey',
  amr: ['x_passkey', 'x_primary_passkey'],
  kind: 'primary',
}

describe('the AMR of a session', () => {
  it.each<[string, UsedAuthenticator[], string[]]>([
    ['nothing', [], []],
    ['a password', [password], ['pwd', 'x_primary_password']],
    [
      'a password and TOTP',
      [password, totp],
      ['mfa', 'otp', 'pwd', 'x_primary_password', 'x_secondary_totp'],
    ],
    [
      'a password and a device token',
      [password, deviceToken],
      ['pwd', 'x_device_token', 'x_primary_password'],
    ],
    [
      'a password and a recovery code',
      [password, recoveryCode],
      ['mfa', 'pwd', 'x_primary_password', 'x_recovery_code'],
    ],
    ['a recovery code alone', [recoveryCode], ['x_recovery_code']],
    [
      'a recovery code and a device token',
      [recoveryCode, deviceToken],
      ['x_device_token', 'x_recovery_code'],
    ],
    ['a passkey', [passkey], ['x_passkey', 'x_primary_passkey']],
  ])('after %s', (_what, used, expected) => {
    expect(sessionAmr(used)).toEqual(expected)
    expect(sessionAmr(used.toReversed())).toEqual(expected)
  })

  it('counts an authenticator that was used twice once', () => {
    expect(sessionAmr([password, password])).not.toContain('mfa')
    expect(
      sessionAmr([
        { ...sms, id: 'a' },
        { ...sms, id: 'a' },
      ]),
    ).not.toContain('mfa')
    expect(sessionAmr([{ ...sms, id: null }, sms])).not.toContain('mfa')
  })

  it('counts two authenticators of one kind twice', () => {
    const amr = sessionAmr([
      { ...sms, id: 'a' },
      { ...sms, id: 'b' },
    ])
    expect(amr).toEqual(['mfa', 'otp', 'sms', 'x_secondary_oob_otp_sms'])
  })
})

describe('the assurance level', () => {
  it('is 2 after two factors or a passkey that verified its user, else 1', () => {
    expect(assuranceLevel(sessionAmr([password]))).toBe(1)
    expect(assuranceLevel(sessionAmr([password]), true)).toBe(1)
    expect(assuranceLevel(sessionAmr([password, totp]))).toBe(2)
    expect(assuranceLevel(sessionAmr([passkey]))).toBe(1)
    expect(assuranceLevel(sessionAmr([passkey]), true)).toBe(2)
  })
})
