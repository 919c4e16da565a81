import { parseGoDuration } from '@gatehouse/go-template/text'
import {
  built,
  checked,
  type Fields,
  flag,
  integer,
  mapping,
  optional,
  type Schema,
  withDefault,
} from '../../document/schema.ts'
import type { AttemptRateLimits, LoadedAuthConfig, OtpRateLimits, RateLimit } from './config.ts'
import { ignoring } from './ignored.ts'
import { duration, section } from './values.ts'

/** A limit as it would be written. */
interface UsualLimit {
  readonly enabled: boolean
  readonly period?: string
  readonly burst?: number
}

const writtenLimit = checked(
  mapping(
    {
      enabled: optional(
        flag,
        'Whether there is a limit. Required: if the key is absent, the default limit applies.',
      ),
      period: optional(
        duration(),
        'Refill period, such as `1m`. Required for a limit that is enabled.',
      ),
      burst: optional(integer(1), 'Bucket size; refills fully once per `period`. Default: 1.'),
    },
    { title: 'WrittenRateLimit' },
  ),
  ({ value, isBroken, report, warn }) => {
    const { enabled, period, burst = 1 } = value
    if (enabled === undefined && !isBroken('enabled') && Object.keys(value).length > 0) {
      warn([], 'does not say enabled: true or false, so the default counts')
    }
    if (enabled !== true || isBroken('period')) return
    if (period === undefined) {
      report(['period'], 'required', 'is missing: a limit that is enabled needs it')
    } else if (burst > period) {
      warn(['burst'], `is more than one for each ms of the period: it counts as ${period}`)
    }
  },
)

/** Nothing if it does not say whether it is enabled. */
const rateLimit: Schema<RateLimit | undefined> = built(
  writtenLimit,
  ({ enabled, period = 60_000, burst = 1 }) =>
    enabled === undefined
      ? undefined
      : { enabled, period_ms: period, burst: Math.min(burst, period) },
)

/** A limit that is switched off. */
const noLimit: RateLimit = { enabled: false, period_ms: 60_000, burst: 1 }

/** A key with a limit. */
export function limited(usual: UsualLimit, description: string): Schema<RateLimit> {
  const { enabled, period = '1m', burst = 1 } = usual
  const limit: RateLimit = { enabled, period_ms: parseGoDuration(period), burst }
  return withDefault(
    built(rateLimit, (given) => given ?? limit),
    usual,
    description,
  )
}

/** A limit per minute. */
export const perMinute = (burst: number): UsualLimit => ({ enabled: true, period: '1m', burst })

/**
 * Guesses at one account from any number of addresses: a burst of 50, then one every 72 seconds, so at most 100 an hour.
 * Authgear has no such limit.
 *
 * @see OWASP ASVS 4.0, 2.2.1
 */
const perAccount: UsualLimit = { enabled: true, period: '1h', burst: 50 }

const dayMs = 86_400_000

/**
 * Guesses at six digits that are sent: 10 at once and as many a day. Codes in the flow that they were sent for count apart, four
 * times as many, so at most 100 in any 24 hours.
 *
 * @see NIST SP 800-63B-4, section 3.2.2
 */
const codesPerDay = 10

/** Guesses at a TOTP or recovery code: 50 at once and as many a day, so at most 100 in any 24 hours. */
const secretsPerDay = 50

/** A limit by account for secrets that are easy to guess, which holds for a day at least. */
const daily = (limit: RateLimit, most: number): RateLimit => ({
  ...limit,
  period_ms: Math.max(limit.period_ms, dayMs),
  burst: Math.min(limit.burst, most),
})

/** Limits of which some are left to `general`. */
type Open<Limits> = { readonly [Key in keyof Limits]: Limits[Key] | undefined }

const attemptLimits = mapping<Open<AttemptRateLimits>>(
  {
    per_ip: optional(rateLimit, 'By address. Default: as `general`.'),
    per_user_per_ip: optional(rateLimit, 'By user and address. Default: as `general`.'),
    per_user: optional(rateLimit, 'By user, whatever the address. Default: as `general`.'),
  },
  { title: 'WrittenAttemptLimits' },
)
const attempts = (what: string): Schema<Open<AttemptRateLimits>> =>
  withDefault(attemptLimits, {}, `Limits of attempts ${what}.`)
const dailyAttempts = (what: string): Schema<Open<AttemptRateLimits>> =>
  attempts(`${what}; \`per_user\` holds for a day by default`)

/** A section with a limit by address. */
const addressLimit = (usual: UsualLimit, what: string): Schema<{ readonly per_ip: RateLimit }> =>
  section({ per_ip: limited(usual, 'By address.') }, `Limits of ${what}.`)

/** Limits of codes as they are written. */
interface WrittenOtpLimits extends Omit<OtpRateLimits, 'trigger_cooldown_ms'> {
  readonly trigger_cooldown: number
}

type Recovery = Omit<WrittenOtpLimits, 'trigger_per_user' | 'validate_per_user_per_ip'>
type Verification = Omit<WrittenOtpLimits, 'validate_per_user_per_ip'>
type Validation = 'validate_per_ip' | 'validate_per_user' | 'validate_per_user_per_ip'

const off: UsualLimit = { enabled: false }

const triggerFields: Fields<Omit<Recovery, Validation>> = {
  trigger_per_ip: limited(off, 'Codes requested, by address.'),
  trigger_cooldown: withDefault(duration(0), '1m', 'How long until a code can be sent again.'),
  max_failed_attempts_revoke_otp: withDefault(
    integer(0),
    // The reference has no such limit.
    10,
    'How many wrong codes end a code; 0 for any number.',
  ),
}
const userTrigger = limited(off, 'Codes requested, by user.')

const recoveryFields: Fields<Recovery> = {
  ...triggerFields,
  validate_per_ip: limited(perMinute(60), 'Codes tried, by address.'),
  validate_per_user: limited(
    { enabled: true, period: '24h', burst: codesPerDay },
    'Codes tried, by where they were sent, and four times as many in the flow that they were sent for.',
  ),
}

/** Limits by kind of message. */
type ByMessage = LoadedAuthConfig['forgot_password']['rate_limits']

function byMessage<T extends Omit<WrittenOtpLimits, 'trigger_per_user' | Validation>>(
  title: string,
  fields: Fields<T>,
): Schema<{ readonly email: T; readonly sms: T }> {
  const limits = mapping(fields, { title })
  return section(
    {
      email: withDefault(limits, {}, 'For codes by email.'),
      sms: withDefault(limits, {}, 'For codes by SMS and WhatsApp.'),
    },
    'Limits of codes by message.',
  )
}

const otpLimitsOf = ({
  trigger_cooldown,
  ...limits
}: Verification & Partial<WrittenOtpLimits>): OtpRateLimits => ({
  validate_per_user_per_ip: noLimit,
  ...limits,
  trigger_cooldown_ms: trigger_cooldown,
})

/** Limits of the codes that prove an address. */
export const verificationLimits: Schema<ByMessage> = built(
  byMessage<Verification>('WrittenVerificationLimits', {
    ...recoveryFields,
    trigger_per_user: userTrigger,
  }),
  ({ email, sms }) => ({ email: otpLimitsOf(email), sms: otpLimitsOf(sms) }),
)

/** Limits of the codes of account recovery, where no user is known yet. */
export const recoveryLimits: Schema<ByMessage> = built(
  byMessage<Recovery>('WrittenRecoveryLimits', recoveryFields),
  ({ email, sms }) => ({
    email: otpLimitsOf({ trigger_per_user: noLimit, ...email }),
    sms: otpLimitsOf({ trigger_per_user: noLimit, ...sms }),
  }),
)

/** The limits of sign-ins. What the document does not say is as in `general`. */
export const signInLimits: Schema<LoadedAuthConfig['authentication']['rate_limits']> = built(
  mapping(
    {
      general: section(
        {
          per_ip: limited(perMinute(60), 'By address.'),
          per_user_per_ip: limited(perMinute(10), 'By user and address.'),
          per_user: limited(perAccount, 'By user, whatever the address.'),
        },
        'The default of the others.',
      ),
      password: attempts('with a password'),
      oob_otp: byMessage<
        Omit<WrittenOtpLimits, Validation> & Open<Pick<OtpRateLimits, Validation>>
      >('WrittenOtpLimits', {
        ...triggerFields,
        trigger_per_user: userTrigger,
        validate_per_ip: optional(rateLimit, 'Codes tried, by address. Default: as `general`.'),
        validate_per_user_per_ip: optional(
          rateLimit,
          'Codes tried, by user and address. Default: as `general`.',
        ),
        validate_per_user: optional(
          rateLimit,
          'Codes tried, by user, and four times as many in the flow that they were sent for. Default: as `general`, but at most 10 in `24h`.',
        ),
      }),
      totp: dailyAttempts('with TOTP'),
      recovery_code: dailyAttempts('with recovery codes'),
      device_token: attempts('with device tokens'),
      passkey: section(
        { per_ip: optional(rateLimit, 'By address. Default: as `general`.') },
        'Limits of attempts with passkeys.',
      ),
      signup: addressLimit(perMinute(10), 'sign-ups'),
      signup_anonymous: addressLimit(perMinute(60), 'sign-ups of guests'),
      account_enumeration: addressLimit(
        perMinute(10),
        'requests that reveal whether an account exists',
      ),
    },
    { ignored: ignoring('siwe') },
  ),
  ({ general, oob_otp, passkey, ...others }) => {
    const { per_ip, per_user_per_ip, per_user } = general
    const filled = (
      given: Open<AttemptRateLimits>,
      usual: RateLimit = per_user,
    ): AttemptRateLimits => ({
      per_ip: given.per_ip ?? per_ip,
      per_user_per_ip: given.per_user_per_ip ?? per_user_per_ip,
      per_user: given.per_user ?? usual,
    })
    const codes = ({ trigger_cooldown, ...given }: typeof oob_otp.email): OtpRateLimits => ({
      ...given,
      trigger_cooldown_ms: trigger_cooldown,
      validate_per_ip: given.validate_per_ip ?? per_ip,
      validate_per_user_per_ip: given.validate_per_user_per_ip ?? per_user_per_ip,
      validate_per_user: given.validate_per_user ?? daily(per_user, codesPerDay),
    })
    return {
      ...others,
      general,
      oob_otp: { email: codes(oob_otp.email), sms: codes(oob_otp.sms) },
      passkey: { per_ip: passkey.per_ip ?? per_ip },
      password: filled(others.password),
      totp: filled(others.totp, daily(per_user, secretsPerDay)),
      recovery_code: filled(others.recovery_code, daily(per_user, secretsPerDay)),
      device_token: filled(others.device_token),
    }
  },
)
