import { mappingOf, sectionOf } from '../../document/fields.ts'
import { type Decode, findMember, memberOrSelf, report, warn } from '../../document/place.ts'
import { filledText, flag, integer, listOf, oneOf } from '../../document/values.ts'
import type { LoadedAuthConfig, PasswordPolicy, ValidPeriods } from './config.ts'
import { defaultAuthConfig } from './default-config.ts'
import { duration } from './values.ts'

type Authenticators = LoadedAuthConfig['authenticator']
type ForcedChange = Authenticators['password']['expiry']['force_change']
type EmailCodes = Authenticators['oob_otp']['email']
type PhoneCodes = Authenticators['oob_otp']['sms']

const { authenticator: defaults } = defaultAuthConfig('', '')

const longestPassword = 4_096

const policy = sectionOf<PasswordPolicy>(defaults.password.policy, {
  min_length: integer(1, longestPassword),
  uppercase_required: flag,
  lowercase_required: flag,
  alphabet_required: flag,
  digit_required: flag,
  symbol_required: flag,
  minimum_guessable_level: integer(0, 5),
  excluded_keywords: listOf(filledText),
  history_size: integer(0),
  history_days: integer(0),
})

const writtenChange = mappingOf<{
  readonly enabled: boolean
  readonly duration_since_last_update: number
}>({ enabled: flag, duration_since_last_update: duration() })

const forcedChange: Decode<ForcedChange> = (place) => {
  const { enabled = false, duration_since_last_update: length } = writtenChange(place) ?? {}
  if (enabled && findMember(place, 'duration_since_last_update') === undefined) {
    const key = memberOrSelf(place, 'duration_since_last_update')
    report(key, 'required', 'is missing: enabled: true needs it')
  }
  return { enabled, duration_since_last_update_ms: length }
}

const writtenPeriods = mappingOf<{ readonly code: number; readonly link: number }>({
  code: duration(),
  link: duration(),
})

/** How long codes and links are good. */
export const validPeriods: Decode<Partial<ValidPeriods>> = (place) => {
  const { code, link } = writtenPeriods(place) ?? {}
  return {
    ...(code === undefined ? {} : { code_ms: code }),
    ...(link === undefined ? {} : { link_ms: link }),
  }
}

/** How `valid_periods` was said once. */
export const codeValidPeriod: Decode<number> = (place) => {
  warn(place, 'is now valid_periods')
  return duration()(place)
}

/** What is written of one kind of codes. */
type Written<Codes> = Omit<Codes, 'valid_periods'> & {
  readonly valid_periods: Partial<ValidPeriods>
  readonly code_valid_period: number
}

const codeFields = {
  maximum: integer(0),
  valid_periods: validPeriods,
  code_valid_period: codeValidPeriod,
}

function codesOf<Codes extends { readonly valid_periods: ValidPeriods }>(
  codes: Codes,
  mapping: Decode<Partial<Written<Codes>>>,
): Decode<Codes> {
  return (place) => {
    const { valid_periods, code_valid_period, ...given } = mapping(place) ?? {}
    const old = code_valid_period === undefined ? {} : { code_ms: code_valid_period }
    return {
      ...codes,
      ...given,
      valid_periods: { ...codes.valid_periods, ...old, ...valid_periods },
    }
  }
}

const email = codesOf<EmailCodes>(
  defaults.oob_otp.email,
  mappingOf<Written<EmailCodes>>({ ...codeFields, email_otp_mode: oneOf('code', 'login_link') }),
)

const sms = codesOf<PhoneCodes>(
  defaults.oob_otp.sms,
  mappingOf<Written<PhoneCodes>>({
    ...codeFields,
    phone_otp_mode: oneOf('sms', 'whatsapp_sms', 'whatsapp'),
  }),
)

/** What secrets and devices are like that people sign in with. */
export const authenticator: Decode<Authenticators> = sectionOf<Authenticators>(defaults, {
  password: sectionOf(defaults.password, {
    policy,
    force_change: flag,
    expiry: sectionOf(defaults.password.expiry, { force_change: forcedChange }),
  }),
  totp: sectionOf(defaults.totp, { maximum: integer(0), issuer: filledText }),
  oob_otp: sectionOf(defaults.oob_otp, { email, sms }),
})
