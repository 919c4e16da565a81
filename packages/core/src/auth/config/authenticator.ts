import {
  built,
  checked,
  type Fields,
  filledText,
  flag,
  integer,
  listOf,
  mapping,
  noted,
  oneOf,
  optional,
  type Schema,
  text,
  withDefault,
} from '../../document/schema.ts'
import type { LoadedAuthConfig, ValidPeriods } from './config.ts'
import { ignoring } from './ignored.ts'
import { duration, section, unbounded } from './values.ts'

type Authenticators = LoadedAuthConfig['authenticator']

const notNegative = unbounded(0, 'is negative: it counts as 0')

/** The longest that a password may be. */
const maxPasswordLength = 4_096

const leastLength = noted(integer(1), (length) =>
  length > maxPasswordLength
    ? `is more than ${maxPasswordLength}: no password is that long`
    : undefined,
)

/** Words without the empty one, which every password contains. */
const keywords = built(
  noted(listOf(text), (words) =>
    words.includes('') ? 'has an empty word, which has no effect here' : undefined,
  ),
  (words) => words.filter((word) => word !== ''),
)

const hardest = 5

const guessableLevel = noted(unbounded(0, 'is negative: it counts as 0'), (level) =>
  level > hardest ? `is more than ${hardest}: no password is good enough` : undefined,
)

const policy: Schema<Authenticators['password']['policy']> = section(
  {
    min_length: withDefault(leastLength, 8, 'The least number of characters.'),
    uppercase_required: withDefault(flag, false, 'Whether a capital letter is needed.'),
    lowercase_required: withDefault(flag, false, 'Whether a small letter is needed.'),
    alphabet_required: withDefault(flag, false, 'Whether a letter is needed.'),
    digit_required: withDefault(flag, false, 'Whether a digit is needed.'),
    symbol_required: withDefault(flag, false, 'Whether a symbol is needed.'),
    minimum_guessable_level: withDefault(
      guessableLevel,
      0,
      'How hard to guess, from 0 (any) to 5. More than 0 needs the option `passwordStrength`.',
    ),
    excluded_keywords: withDefault(
      keywords,
      [],
      'Words that no password may contain. Default: none.',
    ),
    history_size: withDefault(notNegative, 0, 'How many earlier passwords cannot be used again.'),
    history_days: withDefault(
      notNegative,
      0,
      'For how many days earlier passwords cannot be used again.',
    ),
  },
  'The policy for new passwords.',
)

const forcedChange: Schema<Authenticators['password']['expiry']['force_change']> = built(
  checked(
    mapping({
      enabled: withDefault(flag, false, 'Whether an old password must be changed at the login.'),
      duration_since_last_update: optional(
        duration(),
        'How old a password may be. Needed with `enabled`.',
      ),
    }),
    ({ value: { enabled, duration_since_last_update: length }, isBroken, report }) => {
      const key = 'duration_since_last_update'
      if (enabled !== true || length !== undefined || isBroken(key)) return
      report([key], 'required', 'is missing: enabled: true needs it')
    },
  ),
  ({ enabled, duration_since_last_update }) => ({
    enabled,
    duration_since_last_update_ms: duration_since_last_update,
  }),
)

/** How long codes and links are good, as it is written. */
interface WrittenPeriods {
  readonly valid_periods: { readonly code: number | undefined; readonly link: number | undefined }
  readonly code_valid_period: number | undefined
}

/** Keys for how long codes and links are good. */
export const periodFields: Fields<WrittenPeriods> = {
  valid_periods: withDefault(
    mapping(
      {
        code: optional(duration(), 'For a code. Default: `5m`.'),
        link: optional(duration(), 'For a link. Default: `20m`.'),
      },
      { title: 'WrittenPeriods' },
    ),
    {},
    'How long codes and links are good.',
  ),
  code_valid_period: optional(
    noted(duration(), () => 'is now valid_periods'),
    'The older form of `valid_periods`.',
  ),
}

/** How long codes and links are good. The older form knew one length. */
export function validPeriods(
  { valid_periods: { code, link }, code_valid_period: old }: WrittenPeriods,
  oldLink: number | undefined,
): ValidPeriods {
  return { code_ms: code ?? old ?? 300_000, link_ms: link ?? oldLink ?? 1_200_000 }
}

interface WrittenCodes extends WrittenPeriods {
  readonly maximum: number
}

const codeFields: Fields<WrittenCodes> = {
  maximum: withDefault(notNegative, 99, 'How many of them a user may have.'),
  ...periodFields,
}

const codesOf = <T>({
  valid_periods,
  code_valid_period,
  ...codes
}: WrittenCodes & T): Omit<WrittenCodes & T, keyof WrittenPeriods> & {
  readonly valid_periods: ValidPeriods
} => ({ ...codes, valid_periods: validPeriods({ valid_periods, code_valid_period }, undefined) })

/** The settings of authenticators. */
export const authenticator: Schema<Authenticators> = mapping({
  password: section(
    {
      policy,
      force_change: withDefault(
        flag,
        true,
        'Whether a password that the policy no longer allows must be changed at the next login.',
      ),
      expiry: section(
        { force_change: withDefault(forcedChange, {}, 'The age at which passwords expire.') },
        'Whether passwords expire.',
      ),
    },
    'Passwords.',
    { ignored: ignoring('ratelimit') },
  ),
  totp: section(
    {
      maximum: withDefault(notNegative, 99, 'How many of them a user may have.'),
      issuer: optional(
        filledText,
        'The issuer that authenticator apps show. Default: the host of the public origin.',
      ),
    },
    'Codes of authenticator apps (TOTP).',
  ),
  oob_otp: section(
    {
      email: withDefault(
        built(
          mapping<WrittenCodes & Pick<Authenticators['oob_otp']['email'], 'email_otp_mode'>>({
            ...codeFields,
            email_otp_mode: withDefault(
              oneOf('code', 'login_link'),
              'code',
              'The content of an email: a code or a link.',
            ),
          }),
          codesOf,
        ),
        {},
        'Codes by email.',
      ),
      sms: withDefault(
        built(
          mapping<WrittenCodes & Pick<Authenticators['oob_otp']['sms'], 'phone_otp_mode'>>({
            ...codeFields,
            phone_otp_mode: withDefault(
              oneOf('sms', 'whatsapp_sms', 'whatsapp'),
              'whatsapp_sms',
              'The channel of a code.',
            ),
          }),
          codesOf,
        ),
        {},
        'Codes by SMS and WhatsApp.',
      ),
    },
    'Codes by message.',
  ),
})
