import { mappingOf, sectionOf } from '../../document/fields.ts'
import { type Decode, findMember, memberOrSelf, report, warn } from '../../document/place.ts'
import { flag, integer } from '../../document/values.ts'
import type { AttemptRateLimits, OtpRateLimits, RateLimit } from './config.ts'
import { noLimit } from './default-config.ts'
import { duration } from './values.ts'

const writtenLimit = mappingOf<{
  readonly enabled: boolean
  readonly period: number
  readonly burst: number
}>({ enabled: flag, period: duration(), burst: integer(1) })

/** How often something may happen. One that does not say whether it is enabled is as good as absent. */
export const rateLimit: Decode<RateLimit> = (place) => {
  const given = writtenLimit(place)
  if (given === undefined) return undefined
  const { enabled, period, burst = 1 } = given
  if (findMember(place, 'enabled') === undefined && Object.keys(given).length > 0) {
    warn(place, 'does not say enabled: true or false, so the default counts')
  }
  if (enabled === undefined) return undefined
  if (!enabled) return { enabled, period_ms: period ?? noLimit.period_ms, burst }
  const periodPlace = memberOrSelf(place, 'period')
  if (findMember(place, 'period') === undefined) {
    return report(periodPlace, 'required', 'is missing: a limit that is enabled needs it')
  }
  if (period === undefined) return undefined
  if (burst > period) return report(periodPlace, 'out_of_range', 'is too short for so many')
  return { enabled, period_ms: period, burst }
}

/** The limits of attempts; `general` is what counts where the document is silent. */
export function attemptLimits(general: AttemptRateLimits): Decode<AttemptRateLimits> {
  return sectionOf(general, {
    per_ip: rateLimit,
    per_user_per_ip: rateLimit,
    per_user: rateLimit,
  })
}

interface WrittenOtpLimits extends Omit<OtpRateLimits, 'trigger_cooldown_ms'> {
  readonly trigger_cooldown: number
}

/** A cooldown of nothing is none. */
const otpFields = {
  trigger_per_ip: rateLimit,
  trigger_cooldown: duration(0),
  max_failed_attempts_revoke_otp: integer(0),
  validate_per_ip: rateLimit,
  validate_per_user: rateLimit,
}

/** How the limits of one purpose of codes are read: `defaults` is what counts where the document is silent. */
type OtpLimits = (defaults: OtpRateLimits) => Decode<OtpRateLimits>

const otpLimitsOf =
  (mapping: Decode<Partial<WrittenOtpLimits>>): OtpLimits =>
  (defaults) =>
  (place) => {
    const { trigger_cooldown = defaults.trigger_cooldown_ms, ...given } = mapping(place) ?? {}
    return { ...defaults, ...given, trigger_cooldown_ms: trigger_cooldown }
  }

/** Limits of the codes that somebody signs in with. */
export const authenticationOtpLimits: OtpLimits = otpLimitsOf(
  mappingOf<WrittenOtpLimits>({
    ...otpFields,
    trigger_per_user: rateLimit,
    validate_per_user_per_ip: rateLimit,
  }),
)

/** Limits of the codes that prove an address. */
export const verificationOtpLimits: OtpLimits = otpLimitsOf(
  mappingOf<Omit<WrittenOtpLimits, 'validate_per_user_per_ip'>>({
    ...otpFields,
    trigger_per_user: rateLimit,
  }),
)

/** Limits of the codes of account recovery, where nobody is known yet. */
export const recoveryOtpLimits: OtpLimits = otpLimitsOf(
  mappingOf<Omit<WrittenOtpLimits, 'validate_per_user_per_ip' | 'trigger_per_user'>>(otpFields),
)
