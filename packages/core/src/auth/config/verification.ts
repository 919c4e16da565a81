import {
  built,
  flag,
  mapping,
  noted,
  oneOf,
  optional,
  type Schema,
  withDefault,
} from '../../document/schema.ts'
import { periodFields, validPeriods } from './authenticator.ts'
import type { LoadedAuthConfig } from './config.ts'
import { recoveryLimits, verificationLimits } from './rate-limits.ts'
import { duration, secondsAsMs, section } from './values.ts'

const claimFields = {
  enabled: withDefault(flag, true, 'Whether addresses can be proven.'),
  required: withDefault(flag, true, 'Whether a sign-up needs it.'),
}

/** How addresses are proven. */
export const verification: Schema<LoadedAuthConfig['verification']> = built(
  mapping({
    claims: section(
      {
        email: section(
          {
            ...claimFields,
            otp_form: withDefault(
              oneOf('code', 'link'),
              'code',
              'The content of a message: a code or a link.',
            ),
          },
          'Email addresses.',
        ),
        phone_number: section(claimFields, 'Phone numbers.'),
      },
      'Which addresses are proven.',
    ),
    criteria: withDefault(
      oneOf('any', 'all'),
      'any',
      'Whether any or all addresses make a user `is_verified`.',
    ),
    code_valid_period: optional(duration(), 'How long a code is good. Default: `5m`.'),
    code_expiry_seconds: optional(
      noted(secondsAsMs, () => 'is now code_valid_period'),
      'The older form of `code_valid_period`.',
    ),
    rate_limits: withDefault(verificationLimits, {}, 'Limits of codes by message.'),
  }),
  ({ code_expiry_seconds: old = 300_000, code_valid_period = old, ...given }) => ({
    ...given,
    code_valid_period_ms: code_valid_period,
  }),
)

/** How people get back in. The older form of the periods was one length for codes and links. */
export const forgotPassword: Schema<LoadedAuthConfig['forgot_password']> = built(
  mapping({
    enabled: withDefault(flag, true, 'Whether accounts can be recovered.'),
    ...periodFields,
    reset_code_expiry_seconds: optional(
      noted(secondsAsMs, () => 'is now valid_periods'),
      'An older form of `valid_periods`.',
    ),
    revoke_sessions: withDefault(flag, true, 'Whether an account recovery ends all sessions.'),
    reset_lockout: withDefault(flag, false, 'Whether an account recovery unlocks the account.'),
    rate_limits: withDefault(recoveryLimits, {}, 'Limits of codes by message.'),
  }),
  ({ valid_periods, reset_code_expiry_seconds, code_valid_period: written, ...given }) => {
    const code_valid_period = written ?? reset_code_expiry_seconds
    return {
      ...given,
      valid_periods: validPeriods({ valid_periods, code_valid_period }, code_valid_period),
    }
  },
)
