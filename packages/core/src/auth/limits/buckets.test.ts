import { describe, expect, it } from 'vitest'
import { configWith } from '../config/config.fixture.ts'
import type { LoadedAuthConfig, OtpRateLimits, RateLimit } from '../config/config.ts'
import type { FlowView } from '../flow/view.ts'
import {
  attemptBuckets,
  cooldownBuckets,
  enumerationBuckets,
  messagingBuckets,
  otpTriggerBuckets,
  otpValidateBuckets,
  signupBuckets,
} from './buckets.ts'
import type { BucketUse } from './limit-questions.ts'

const config = configWith()
const ip = '192.0.2.1'
const userId = 'u1'
const target = 'maya@example.com'
const view = { config, request: { ip } } as FlowView
const on: RateLimit = { enabled: true, period_ms: 1_000, burst: 7 }

/** One line a use: `<bucket_name> <rate limit> <group> <burst>/<seconds>`. */
const linesOf = (uses: readonly BucketUse[]): readonly string[] =>
  uses.map(({ bucket, limit, burst, period_ms: period }) => {
    return `${bucket} ${limit?.name} ${limit?.group} ${burst}/${period / 1_000}`
  })

/** The configuration with every limit on requests for codes enabled. */
function withTriggers(): LoadedAuthConfig {
  const limits = (given: OtpRateLimits): OtpRateLimits => ({
    ...given,
    trigger_per_ip: on,
    trigger_per_user: on,
  })
  const both = (given: { email: OtpRateLimits; sms: OtpRateLimits }) => ({
    email: limits(given.email),
    sms: limits(given.sms),
  })
  const { authentication, verification, forgot_password } = config
  const { rate_limits } = authentication
  return {
    ...config,
    authentication: {
      ...authentication,
      rate_limits: { ...rate_limits, oob_otp: both(rate_limits.oob_otp) },
    },
    verification: { ...verification, rate_limits: both(verification.rate_limits) },
    forgot_password: { ...forgot_password, rate_limits: both(forgot_password.rate_limits) },
  }
}

describe('an attempt', () => {
  it.each([
    ['password', 'VerifyPassword', 3600],
    ['totp', 'VerifyTOTP', 86_400],
    ['recovery_code', 'VerifyRecoveryCode', 86_400],
    ['device_token', 'VerifyDeviceToken', 3600],
  ] as const)('with a %s counts by address, and by user and address', (kind, name, seconds) => {
    const group = `authentication.${kind}`
    const uses = attemptBuckets(view, kind, userId)
    expect(linesOf(uses)).toEqual([
      `${name}PerIP ${group}.per_ip ${group} 60/60`,
      `${name}PerUserPerIP ${group}.per_user_per_ip ${group} 10/60`,
      `${name}PerUser ${group}.per_user ${group} 50/${seconds}`,
    ])
    expect(uses.map(({ subject }) => subject)).toEqual([[ip], [userId, ip], [userId]])
  })

  const sent = { ip, target, form: 'code', account_id: null, isFirst: false } as const

  it('with a code counts likewise, by the address the code went to', () => {
    const linesFor = (purpose: 'oob_otp' | 'verification', channel: 'email' | 'whatsapp') =>
      linesOf(otpValidateBuckets(config, { ...sent, purpose, channel, userId, account_id: userId }))
    expect(linesFor('oob_otp', 'email')).toEqual([
      'OOBOTPValidateEmailPerIP authentication.oob_otp.email.validate.per_ip authentication.oob_otp.email.validate 60/60',
      'OOBOTPValidateEmailPerUserPerIP authentication.oob_otp.email.validate.per_user_per_ip authentication.oob_otp.email.validate 10/60',
      'OOBOTPValidateEmailPerUser authentication.oob_otp.email.validate.per_user authentication.oob_otp.email.validate 10/86400',
    ])
    expect(linesFor('oob_otp', 'whatsapp')[0]).toBe(
      'OOBOTPValidateWhatsappPerIP authentication.oob_otp.sms.validate.per_ip authentication.oob_otp.sms.validate 60/60',
    )
    expect(linesFor('verification', 'email')).toEqual([
      'VerificationValidateEmailPerIP verification.email.validate.per_ip verification.email.validate 60/60',
      'VerificationValidateEmailPerUser verification.email.validate.per_user verification.email.validate 10/86400',
    ])
  })

  it('for an unknown user counts by IP address, and by the address of the code', () => {
    const use = { ...sent, purpose: 'oob_otp', channel: 'sms', userId: undefined } as const
    expect(otpValidateBuckets(config, use).map(({ bucket, subject }) => [bucket, subject])).toEqual(
      [
        ['OOBOTPValidateSMSPerIP', [ip]],
        ['OOBOTPValidateSMSPerUser', ['target', target]],
      ],
    )
  })

  it('with a code in the flow that it was sent for for the first time counts apart', () => {
    const own = { ...sent, purpose: 'oob_otp', userId, account_id: userId, isFirst: true } as const
    const uses = otpValidateBuckets(config, { ...own, channel: 'whatsapp' }).slice(2)
    expect(uses.map(({ bucket, subject, burst }) => [bucket, subject, burst])).toEqual([
      ['OOBOTPValidateSMSPerUser', [userId, 'own'], 40],
    ])
  })

  it('with the code of a link counts by IP address alone, because nobody guesses it', () => {
    const link = { ...sent, purpose: 'forgot_password', channel: 'email', form: 'link' } as const
    expect(otpValidateBuckets(config, { ...link, userId }).map(({ bucket }) => bucket)).toEqual([
      'ForgotPasswordValidateEmailPerIP',
    ])
  })
})

describe('a requested code', () => {
  it('has no limits by default', () => {
    const use = { purpose: 'verification', channel: 'email', ip, userId } as const
    expect(otpTriggerBuckets(config, use)).toEqual([])
  })

  it('counts by address and by user if those limits are enabled', () => {
    const linesFor = (purpose: 'oob_otp' | 'verification' | 'forgot_password') =>
      linesOf(otpTriggerBuckets(withTriggers(), { purpose, channel: 'sms', ip, userId }))
    expect(linesFor('oob_otp')).toEqual([
      'OOBOTPTriggerSMSPerIP authentication.oob_otp.sms.trigger.per_ip authentication.oob_otp.sms.trigger 7/1',
      'OOBOTPTriggerSMSPerUser authentication.oob_otp.sms.trigger.per_user authentication.oob_otp.sms.trigger 7/1',
    ])
    expect(linesFor('verification')[1]).toBe(
      'VerificationTriggerSMSPerUser verification.sms.trigger.per_user verification.sms.trigger 7/1',
    )
    expect(linesFor('forgot_password')).toEqual([
      'ForgotPasswordTriggerSMSPerIP forgot_password.sms.trigger.per_ip forgot_password.sms.trigger 7/1',
    ])
  })

  it('starts a cooldown of the address and one of the flow, for each channel', () => {
    const key = {
      purpose: 'oob_otp',
      target: '+6591234567',
      message: 'authenticate_primary_oob',
      flowId: 'f1',
      account_id: null,
    } as const
    const [target, flow] = cooldownBuckets(config, { ...key, channel: 'sms' })
    expect(target).toEqual({
      bucket: 'OOBOTPCooldownSMS',
      subject: ['+6591234567'],
      period_ms: 60_000,
      burst: 1,
    })
    expect(flow).toMatchObject({ bucket: 'OOBOTPCooldownSMSPerSession', subject: ['f1'] })
    const message = 'authenticate_secondary_oob'
    const [, second] = cooldownBuckets(config, { ...key, message, channel: 'sms' })
    expect(second).toMatchObject({ subject: ['f1', message] })
    const other = cooldownBuckets(config, { ...key, channel: 'whatsapp' })
    expect(other[0]?.bucket).toBe('OOBOTPCooldownWhatsapp')
    const [ofAccount] = cooldownBuckets(config, { ...key, channel: 'sms', account_id: userId })
    expect(ofAccount).toEqual({ ...target, user_id: userId, is_joint: true })
  })
})

describe('a sent message', () => {
  it('counts by IP address and by recipient, and WhatsApp as SMS', () => {
    const linesFor = (channel: 'email' | 'sms' | 'whatsapp') =>
      linesOf(messagingBuckets(config, channel, ip, { target, account_id: null }))
    expect(linesFor('email')).toEqual([
      'MessagingEmailPerIP messaging.email.per_ip messaging.email 200/60',
      'MessagingEmailPerTarget messaging.email.per_target messaging.email 50/86400',
    ])
    expect(linesFor('sms')).toEqual([
      'MessagingSMSPerIP messaging.sms.per_ip messaging.sms 60/60',
      'MessagingSMSPerTarget messaging.sms.per_target messaging.sms 10/3600',
    ])
    expect(linesFor('whatsapp')).toEqual(linesFor('sms'))
  })

  it('counts for the whole project if that limit is enabled', () => {
    const rate_limits = { ...config.messaging.rate_limits, email: on }
    const uses = messagingBuckets(
      { ...config, messaging: { ...config.messaging, rate_limits } },
      'email',
      ip,
      {
        target,
        account_id: null,
      },
    )
    expect(linesOf(uses).at(-1)).toBe('MessagingEmail messaging.email messaging.email 7/1')
    expect(uses.at(-1)?.subject).toEqual([])
  })
})

describe('a request', () => {
  it('for a user who does not exist counts by address', () => {
    expect(linesOf(enumerationBuckets(view))).toEqual([
      'AccountEnumerationPerIP authentication.account_enumeration.per_ip authentication.account_enumeration 10/60',
    ])
  })

  it('that ends a sign-up counts by address', () => {
    expect(linesOf(signupBuckets(config, ip))).toEqual([
      'SignupPerIP authentication.signup.per_ip authentication.signup 10/60',
    ])
  })
})
