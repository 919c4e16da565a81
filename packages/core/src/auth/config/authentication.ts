import { aboutSchemas } from '../../document/about.ts'
import { quoteKey } from '../../document/problem.ts'
import {
  checked,
  flag,
  integer,
  listOf,
  mapping,
  noted,
  oneOf,
  optional,
  type Schema,
  withDefault,
} from '../../document/schema.ts'
import type { LoadedAuthConfig } from './config.ts'
import { ignoring } from './ignored.ts'
import { lockout } from './lockout.ts'
import { signInLimits } from './rate-limits.ts'
import { dateTime, maxDays, section, span } from './values.ts'

/** A list of words in which each stands once. `unused` are words that nothing is offered for. */
function distinctWords(
  words: readonly string[],
  unused: readonly string[] = [],
): Schema<readonly string[]> {
  const word = noted(oneOf(...words), (given) =>
    unused.includes(given) ? `${quoteKey(given)} is not built in: it is never offered` : undefined,
  )
  if (unused.length > 0) aboutSchemas.add(word, { idleNames: unused })
  return checked(listOf(word), ({ value, report }) => {
    const seen = new Set<string>()
    for (const [index, given] of value.entries()) {
      if (given === undefined) continue
      if (seen.has(given)) report([index], 'conflict', `${quoteKey(given)} is here already`)
      seen.add(given)
    }
  })
}

/** By what people sign in, and how often they may try. */
export const authentication: Schema<LoadedAuthConfig['authentication']> = mapping({
  identities: withDefault(
    distinctWords(
      ['login_id', 'oauth', 'passkey', 'anonymous', 'biometric', 'siwe', 'ldap'],
      ['biometric', 'siwe'],
    ),
    ['oauth', 'login_id'],
    'The identifications, in the order in which they are offered. `biometric` and `siwe` are never offered.',
  ),
  primary_authenticators: withDefault(
    distinctWords(['password', 'passkey', 'oob_otp_email', 'oob_otp_sms']),
    ['password'],
    'First factors, in the order in which they are offered.',
  ),
  secondary_authenticators: withDefault(
    distinctWords(['password', 'oob_otp_email', 'oob_otp_sms', 'totp']),
    ['totp'],
    'Second factors, in the order in which they are offered.',
  ),
  secondary_authentication_mode: withDefault(
    oneOf('disabled', 'if_exists', 'required'),
    'if_exists',
    'Whether a second factor is asked for: never, of users who have one, or always.',
  ),
  secondary_applies_to: withDefault(
    distinctWords(['oauth', 'passkey', 'select_account']),
    [],
    'Further identifications whose generated logins ask for a second factor. Default: none.',
  ),
  secondary_authentication_grace_period: section(
    {
      enabled: withDefault(flag, false, 'Whether they are let in.'),
      end_at: optional(dateTime, 'Until when, in RFC 3339. Default: it does not end.'),
    },
    'How long users without a second factor are let in although one is required.',
  ),
  device_token: section(
    {
      disabled: withDefault(flag, false, 'Whether no device is trusted.'),
      expire_in_days: withDefault(span(maxDays, 30), 30, 'How long a device is trusted.'),
      revoke_on_password_change: withDefault(
        flag,
        true,
        'Whether a changed password ends the trust in devices.',
      ),
      revoke_on_password_reset: withDefault(
        flag,
        true,
        'Whether an account recovery ends the trust in devices.',
      ),
    },
    'Devices that need no second factor again.',
  ),
  recovery_code: section(
    {
      disabled: withDefault(flag, false, 'Whether there are none.'),
      count: withDefault(integer(10, 50), 16, 'How many codes a user gets.'),
    },
    'Recovery codes, for users who lost their second factor.',
    { ignored: ignoring('storage', 'list_enabled') },
  ),
  public_signup_disabled: withDefault(flag, false, 'Whether sign-up is closed.'),
  enumeration_protection: withDefault(
    oneOf('off', 'login', 'strict'),
    'off',
    'Where answers do not reveal whether an account exists.',
  ),
  rate_limits: withDefault(signInLimits, {}, 'Rate limits.'),
  lockout: optional(lockout, 'When an account is locked. Default: never.'),
})
