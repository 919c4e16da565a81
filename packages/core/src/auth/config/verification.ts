import { mappingOf, sectionOf } from '../../document/fields.ts'
import type { Decode } from '../../document/place.ts'
import { flag, oneOf } from '../../document/values.ts'
import { codeValidPeriod, validPeriods } from './authenticator.ts'
import type { LoadedAuthConfig, ValidPeriods } from './config.ts'
import { defaultAuthConfig } from './default-config.ts'
import { recoveryOtpLimits, verificationOtpLimits } from './rate-limits.ts'
import { duration } from './values.ts'

type Verification = LoadedAuthConfig['verification']
type Recovery = LoadedAuthConfig['forgot_password']

const { verification: defaults, forgot_password: recovery } = defaultAuthConfig('', '')

interface WrittenVerification extends Omit<Verification, 'code_valid_period_ms'> {
  readonly code_valid_period: number
}

const { claims, rate_limits } = defaults
const writtenVerification = mappingOf<WrittenVerification>({
  claims: sectionOf(claims, {
    email: sectionOf(claims.email, {
      enabled: flag,
      required: flag,
      otp_form: oneOf('code', 'link'),
    }),
    phone_number: sectionOf(claims.phone_number, { enabled: flag, required: flag }),
  }),
  criteria: oneOf('any', 'all'),
  code_valid_period: duration(),
  rate_limits: sectionOf(rate_limits, {
    email: verificationOtpLimits(rate_limits.email),
    sms: verificationOtpLimits(rate_limits.sms),
  }),
})

/** How addresses are proven. */
export const verification: Decode<Verification> = (place) => {
  const { code_valid_period, ...given } = writtenVerification(place) ?? {}
  const { code_valid_period_ms } = defaults
  return { ...defaults, ...given, code_valid_period_ms: code_valid_period ?? code_valid_period_ms }
}

interface WrittenRecovery extends Omit<Recovery, 'valid_periods'> {
  readonly valid_periods: Partial<ValidPeriods>
  readonly code_valid_period: number
}

const writtenRecovery = mappingOf<WrittenRecovery>({
  enabled: flag,
  valid_periods: validPeriods,
  code_valid_period: codeValidPeriod,
  revoke_sessions: flag,
  reset_lockout: flag,
  rate_limits: sectionOf(recovery.rate_limits, {
    email: recoveryOtpLimits(recovery.rate_limits.email),
    sms: recoveryOtpLimits(recovery.rate_limits.sms),
  }),
})

/** How people get back in. The old spelling of the periods knew one for codes and links. */
export const forgotPassword: Decode<Recovery> = (place) => {
  const { valid_periods, code_valid_period, ...given } = writtenRecovery(place) ?? {}
  const old =
    code_valid_period === undefined
      ? {}
      : { code_ms: code_valid_period, link_ms: code_valid_period }
  return {
    ...recovery,
    ...given,
    valid_periods: { ...recovery.valid_periods, ...old, ...valid_periods },
  }
}
