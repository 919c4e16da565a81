import { describe, expect, it } from 'vitest'
import { addAmr, assuranceLevel, hasShown, sessionAmr, type UsedAuthenticator } from './amr.ts'

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

  it('lists an authenticator that was used twice once', () => {
    expect(sessionAmr([password, password])).not.toContain('mfa')
    expect(
      sessionAmr([
        { ...sms, id: 'a' },
        { ...sms, id: 'a' },
      ]),
    ).not.toContain('mfa')
    expect(sessionAmr([{ ...sms, id: null }, sms])).not.toContain('mfa')
  })

  it('counts two authenticators of one kind as two factors', () => {
    const amr = sessionAmr([
      { ...sms, id: 'a' },
      { ...sms, id: 'b' },
    ])
    expect(amr).toEqual(['mfa', 'otp', 'sms', 'x_secondary_oob_otp_sms'])
  })
})

describe('the AMR of a continued session', () => {
  const first = addAmr({}, [password], 1)

  it('has the time at which each reference was last shown', () => {
    expect(first).toEqual({ pwd: 1, x_primary_password: 1 })
    expect(addAmr(first, [password], 2)).toEqual({ pwd: 2, x_primary_password: 2 })
    expect(addAmr(first, [], 2)).toEqual(first)
    expect(first).toEqual({ pwd: 1, x_primary_password: 1 })
  })

  it('has MFA after two factors in succession, as of the older one', () => {
    const both = addAmr(first, [totp], 2)
    expect(both).toEqual({ pwd: 1, x_primary_password: 1, otp: 2, x_secondary_totp: 2, mfa: 1 })
    expect(addAmr(both, [password], 3)).toMatchObject({ pwd: 3, otp: 2, mfa: 2 })
    expect(addAmr(both, [totp], 3)).toMatchObject({ pwd: 1, otp: 3, mfa: 1 })
    expect(addAmr(both, [password, totp], 4)).toMatchObject({ pwd: 4, otp: 4, mfa: 4 })
  })

  it('counts two codes by different authenticators as two factors', () => {
    expect(addAmr(addAmr({}, [sms], 1), [totp], 2)).toMatchObject({ otp: 2, sms: 1, mfa: 1 })
    expect(addAmr(addAmr({}, [sms], 1), [sms], 2)).not.toHaveProperty('mfa')
  })

  it('counts a recovery code as a factor, but not a trusted device', () => {
    expect(addAmr(first, [recoveryCode], 2)).toMatchObject({ x_recovery_code: 2, mfa: 1 })
    expect(addAmr(first, [deviceToken], 2)).not.toHaveProperty('mfa')
    expect(addAmr(addAmr({}, [deviceToken], 1), [password], 2)).not.toHaveProperty('mfa')
  })

  it('does not count a trusted device as shown', () => {
    expect([[password], [recoveryCode], [passkey]].map(hasShown)).toEqual([true, true, true])
    expect([[], [deviceToken]].map(hasShown)).toEqual([false, false])
  })
})

describe('the assurance level', () => {
  it('is 2 after two factors or a passkey with user verification, else 1', () => {
    expect(assuranceLevel(sessionAmr([password]))).toBe(1)
    expect(assuranceLevel(sessionAmr([password]), true)).toBe(1)
    expect(assuranceLevel(sessionAmr([password, totp]))).toBe(2)
    expect(assuranceLevel(sessionAmr([passkey]))).toBe(1)
    expect(assuranceLevel(sessionAmr([passkey]), true)).toBe(2)
  })
})
