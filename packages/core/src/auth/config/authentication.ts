import { sectionOf } from '../../document/fields.ts'
import { type Decode, findMember, itemPlace, report, warn } from '../../document/place.ts'
import { quoteKey } from '../../document/problem.ts'
import { flag, integer, listOf, oneOf } from '../../document/values.ts'
import type { LoadedAuthConfig, OtpRateLimits, RateLimit } from './config.ts'
import { defaultAuthConfig } from './default-config.ts'
import { ignoring } from './ignored.ts'
import { lockout } from './lockout.ts'
import { attemptLimits, authenticationOtpLimits, rateLimit } from './rate-limits.ts'
import { dateTime } from './values.ts'

type Authentication = LoadedAuthConfig['authentication']
type RateLimits = Authentication['rate_limits']

const { authentication: defaults } = defaultAuthConfig('', '')

/** A list of words in which each stands once. `unused` are words that nothing is offered for. */
function distinctWords(
  words: readonly string[],
  unused: readonly string[],
): Decode<readonly string[]> {
  const list = listOf(oneOf(...words))
  return (place) => {
    const { node } = place
    const given = list(place)
    if (given === undefined || node.kind !== 'sequence') return given
    const seen = new Set<string>()
    for (const [index, item] of node.items.entries()) {
      const at = itemPlace(place, item, index)
      const word = item.kind === 'scalar' ? item.text : ''
      if (seen.has(word)) report(at, 'conflict', `${quoteKey(word)} is here already`)
      seen.add(word)
      if (unused.includes(word)) warn(at, `${quoteKey(word)} is not built in: it is never offered`)
    }
    return [...new Set(given)]
  }
}

const identities = distinctWords(
  ['login_id', 'oauth', 'passkey', 'anonymous', 'biometric', 'siwe', 'ldap'],
  ['biometric', 'siwe', 'ldap'],
)
const primaryAuthenticators = distinctWords(
  ['password', 'passkey', 'oob_otp_email', 'oob_otp_sms'],
  [],
)
const secondaryAuthenticators = distinctWords(
  ['password', 'oob_otp_email', 'oob_otp_sms', 'totp'],
  [],
)

const shownAgain: Decode<boolean> = (place) => {
  const isShown = flag(place)
  if (isShown === true) warn(place, 'has no effect: recovery codes are kept as digests')
  return isShown
}

const recoveryCode = sectionOf<Authentication['recovery_code']>(
  defaults.recovery_code,
  { disabled: flag, count: integer(10, 50), list_enabled: shownAgain },
  { ignored: ignoring('storage') },
)

/** Where the document is silent about one limit, what it says in `general` counts. */
const rateLimits: Decode<RateLimits> = (place) => {
  const generalPlace = findMember(place, 'general')
  const {
    general: usual,
    oob_otp,
    signup,
    signup_anonymous,
    account_enumeration,
  } = defaults.rate_limits
  const general = generalPlace === undefined ? usual : (attemptLimits(usual)(generalPlace) ?? usual)
  const codes: OtpRateLimits = {
    ...oob_otp.email,
    validate_per_ip: general.per_ip,
    validate_per_user_per_ip: general.per_user_per_ip,
    validate_per_user: general.per_user,
  }
  const attempts = attemptLimits(general)
  const ofCodes = authenticationOtpLimits(codes)
  const silent: RateLimits = {
    general,
    password: general,
    oob_otp: { email: codes, sms: codes },
    totp: general,
    recovery_code: general,
    device_token: general,
    passkey: { per_ip: general.per_ip },
    signup,
    signup_anonymous,
    account_enumeration,
  }
  const perAddress = (usually: { readonly per_ip: RateLimit }): Decode<typeof usually> =>
    sectionOf(usually, { per_ip: rateLimit })
  const section = sectionOf<RateLimits>(silent, {
    general: () => general,
    password: attempts,
    oob_otp: sectionOf(silent.oob_otp, { email: ofCodes, sms: ofCodes }),
    totp: attempts,
    recovery_code: attempts,
    device_token: attempts,
    passkey: perAddress(silent.passkey),
    signup: perAddress(signup),
    signup_anonymous: perAddress(signup_anonymous),
    account_enumeration: perAddress(account_enumeration),
  })
  return section(place)
}

/** By what people sign in, and how often they may try. */
export const authentication: Decode<Authentication> = sectionOf<Authentication>(defaults, {
  identities,
  primary_authenticators: primaryAuthenticators,
  secondary_authenticators: secondaryAuthenticators,
  secondary_authentication_mode: oneOf('disabled', 'if_exists', 'required'),
  secondary_applies_to: distinctWords(['oauth', 'passkey', 'select_account'], []),
  secondary_authentication_grace_period: sectionOf(defaults.secondary_authentication_grace_period, {
    enabled: flag,
    end_at: dateTime,
  }),
  device_token: sectionOf(defaults.device_token, {
    disabled: flag,
    expire_in_days: integer(1, 36_525),
    revoke_on_password_change: flag,
    revoke_on_password_reset: flag,
  }),
  recovery_code: recoveryCode,
  public_signup_disabled: flag,
  enumeration_protection: oneOf('off', 'login', 'strict'),
  rate_limits: rateLimits,
  lockout,
})
