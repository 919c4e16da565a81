import { built, flag, mapping, oneOf, type Schema, withDefault } from '../../document/schema.ts'
import { periodFields, validPeriods } from './authenticator.ts'
import type { LoadedAuthConfig } from './config.ts'
import { recoveryLimits, verificationLimits } from './rate-limits.ts'
import { duration, section } from './values.ts'

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
          'E-mail addresses.',
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
    code_valid_period: withDefault(duration(), '5m', 'How long a code is good.'),
    rate_limits: withDefault(verificationLimits, {}, 'Limits of codes by message.'),
  }),
  ({ code_valid_period, ...given }) => ({ ...given, code_valid_period_ms: code_valid_period }),
)

/** How people get back in. The older form of the periods was one length for codes and links. */
export const forgotPassword: Schema<LoadedAuthConfig['forgot_password']> = built(
  mapping({
    enabled: withDefault(flag, true, 'Whether accounts can be recovered.'),
    ...periodFields,
    revoke_sessions: withDefault(flag, true, 'Whether an account recovery ends all sessions.'),
    reset_lockout: withDefault(flag, false, 'Whether an account recovery unlocks the account.'),
    rate_limits: withDefault(recoveryLimits, {}, 'Limits of codes by message.'),
  }),
  ({ valid_periods, code_valid_period, ...given }) => ({
    ...given,
    valid_periods: validPeriods({ valid_periods, code_valid_period }, code_valid_period),
  }),
)
