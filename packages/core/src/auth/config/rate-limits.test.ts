import { describe, expect, it } from 'vitest'
import { codesIn, configWith } from './config.fixture.ts'
import { defaultAuthConfig } from './default-config.fixture.ts'

const { authentication, verification, forgot_password, messaging } = defaultAuthConfig('', '')
const off = { enabled: false }
const limit = (burst: number, period = '1m'): object => ({ enabled: true, period, burst })
const read = (burst: number, period_ms = 60_000): object => ({ enabled: true, period_ms, burst })

describe('rate limits of authentication', () => {
  it('are those of the documentation where the document is silent', () => {
    const { rate_limits } = configWith().authentication
    expect(rate_limits).toEqual(authentication.rate_limits)
    expect(rate_limits).toMatchObject({
      general: { per_ip: read(60), per_user_per_ip: read(10) },
      password: { per_ip: read(60), per_user_per_ip: read(10) },
      oob_otp: {
        sms: {
          trigger_per_ip: off,
          trigger_per_user: off,
          trigger_cooldown_ms: 60_000,
          max_failed_attempts_revoke_otp: 10,
          validate_per_ip: read(60),
          validate_per_user_per_ip: read(10),
        },
      },
      signup: { per_ip: read(10) },
      account_enumeration: { per_ip: read(10) },
    })
  })

  it('fall back to general one by one', () => {
    const { rate_limits } = configWith({
      authentication: {
        rate_limits: {
          password: { per_ip: limit(3) },
          oob_otp: { email: { validate_per_user_per_ip: off, trigger_per_ip: limit(9, '1h') } },
          totp: {},
          general: { per_ip: limit(5, '1h'), per_user_per_ip: limit(2) },
          signup: { per_ip: off },
        },
      },
    }).authentication
    const general = { per_ip: read(5, 3_600_000), per_user_per_ip: read(2) }
    expect(rate_limits).toMatchObject({
      general,
      password: { ...general, per_ip: read(3) },
      totp: general,
      recovery_code: general,
      device_token: general,
      oob_otp: {
        email: {
          validate_per_ip: general.per_ip,
          validate_per_user_per_ip: off,
          trigger_per_ip: read(9, 3_600_000),
        },
        sms: {
          validate_per_ip: general.per_ip,
          validate_per_user_per_ip: general.per_user_per_ip,
          trigger_per_ip: off,
        },
      },
      signup: { per_ip: off },
      account_enumeration: { per_ip: read(10) },
    })
  })

  it('of passkeys are those of general by default, those of anonymous sign-ups have their own', () => {
    const limits = (rate_limits: object): unknown => {
      const { passkey, signup_anonymous } = configWith({ authentication: { rate_limits } })
        .authentication.rate_limits
      return [passkey, signup_anonymous]
    }
    const sixty = { per_ip: read(60) }
    expect(limits({})).toEqual([sixty, sixty])
    const general = { per_ip: limit(7), per_user_per_ip: limit(8) }
    expect(limits({ general })).toEqual([{ per_ip: read(7) }, sixty])
    const own = { passkey: { per_ip: limit(5) }, signup_anonymous: { per_ip: limit(6) } }
    expect(limits({ general, ...own })).toEqual([{ per_ip: read(5) }, { per_ip: read(6) }])
    const wrong = { passkey: { per_user_per_ip: limit(5) } }
    expect(codesIn({ authentication: { rate_limits: wrong } })).toEqual([
      'authentication.rate_limits.passkey.per_user_per_ip unknown_key',
    ])
  })
})

describe('a rate limit', () => {
  const password = (per_ip: object): object => ({
    authentication: { rate_limits: { password: { per_ip } } },
  })
  const at = 'authentication.rate_limits.password.per_ip'

  it('lets one through at once unless it says more', () => {
    const { rate_limits } = configWith(password({ enabled: true, period: '10s' })).authentication
    expect(rate_limits.password.per_ip).toEqual(read(1, 10_000))
  })

  it('needs a period if it is enabled', () => {
    expect(codesIn(password({ enabled: true, burst: 5 }))).toEqual([`${at}.period required`])
    expect(codesIn(password({ enabled: true, period: 'soon' }))).toEqual([
      `${at}.period bad_duration`,
    ])
    expect(codesIn(password({ enabled: false, burst: 5 }))).toEqual([])
  })

  it('that does not say whether it is enabled leaves the default, with a warning', () => {
    const config = configWith(password({ period: '1h', burst: 1 }))
    expect(config.authentication.rate_limits.password.per_ip).toEqual(read(60))
    expect(config.warnings).toEqual([
      `${at}: does not say enabled: true or false, so the default counts`,
    ])
    expect(configWith(password({})).warnings).toEqual([])
  })

  it('is refused with a burst or a period of nothing', () => {
    expect(codesIn(password(limit(0)))).toEqual([`${at}.burst out_of_range`])
    expect(codesIn(password(limit(1.5)))).toEqual([`${at}.burst wrong_type`])
    expect(codesIn(password(limit(1, '0s')))).toEqual([`${at}.period out_of_range`])
    expect(codesIn(password(limit(1_000, '1s')))).toEqual([])
  })

  it('lets one through in a ms at most', () => {
    const config = configWith(password(limit(99_999_999, '1s')))
    expect(config.authentication.rate_limits.password.per_ip.burst).toBe(1_000)
    expect(config.warnings).toEqual([expect.stringContaining(`${at}.burst: is more than one`)])
  })
})

describe('limits of codes', () => {
  it('are read for verification and for recovery', () => {
    const codes = {
      trigger_cooldown: '0s',
      max_failed_attempts_revoke_otp: 0,
      validate_per_ip: limit(7),
    }
    const config = configWith({
      verification: { rate_limits: { email: { ...codes, trigger_per_user: limit(2) } } },
      forgot_password: { rate_limits: { sms: codes } },
    })
    const known = {
      trigger_cooldown_ms: 0,
      max_failed_attempts_revoke_otp: 0,
      validate_per_ip: read(7),
    }
    expect(config.verification.rate_limits).toEqual({
      email: { ...verification.rate_limits.email, ...known, trigger_per_user: read(2) },
      sms: verification.rate_limits.sms,
    })
    expect(config.forgot_password.rate_limits).toEqual({
      email: forgot_password.rate_limits.email,
      sms: { ...forgot_password.rate_limits.sms, ...known },
    })
  })

  it('know no user where nobody is known', () => {
    expect(
      codesIn({
        verification: { rate_limits: { sms: { validate_per_user_per_ip: limit(1) } } },
        forgot_password: { rate_limits: { email: { trigger_per_user: limit(1) } } },
      }),
    ).toEqual([
      'verification.rate_limits.sms.validate_per_user_per_ip unknown_key',
      'forgot_password.rate_limits.email.trigger_per_user unknown_key',
    ])
  })
})

describe('limits of messages', () => {
  it('are read one by one', () => {
    const config = configWith({
      messaging: { rate_limits: { sms: limit(100, '24h') }, sms_provider: 'x' },
    })
    expect(config.messaging.rate_limits).toEqual({
      ...messaging.rate_limits,
      sms: read(100, 86_400_000),
    })
    expect(config.warnings).toEqual(['messaging.sms_provider: has no effect here'])
  })
})
