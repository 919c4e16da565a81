import {
  built,
  type Fields,
  flag,
  listOf,
  mapping,
  optional,
  required,
  type Schema,
  searchPattern,
  text,
  withDefault,
} from '../../document/schema.ts'
import type { LoadedAuthConfig, TestModeRule } from './config.ts'
import { ignoring } from './ignored.ts'

/** What a user types is trimmed too. */
const fixedCode = built(text, (code) => code.trim() || undefined)

const regex = required(searchPattern, 'A pattern in RE2 syntax that finds addresses.')

function rulesOf<Rule extends Partial<TestModeRule>>(
  fields: Fields<Rule>,
  description: string,
): Schema<readonly Rule[]> {
  const rules = mapping({
    enabled: withDefault(flag, false, 'Whether the rules count.'),
    rules: withDefault(
      listOf(mapping(fields, { ignored: ignoring('fixed_code', 'suppressed') })),
      [],
      'The rules.',
    ),
  })
  return withDefault(
    built(rules, (given): readonly Rule[] => (given.enabled ? given.rules : [])),
    {},
    description,
  )
}

const suppressed = withDefault(flag, false, 'Whether nothing is sent.')
const sendingRules = (what: string): Schema<readonly Omit<TestModeRule, 'fixed_code'>[]> =>
  rulesOf({ regex, suppressed }, `Which ${what} are not sent.`)

type Rules = readonly Pick<TestModeRule, 'regex'>[]
const whole = <T extends Rules>(rules: T): readonly TestModeRule[] =>
  rules.map((rule) => ({ fixed_code: undefined, suppressed: false, ...rule }))

/** Codes that are known in advance and messages that are not sent. */
export const testMode: Schema<LoadedAuthConfig['test_mode']> = built(
  mapping({
    oob_otp: rulesOf(
      {
        regex,
        fixed_code: optional(
          fixedCode,
          'The code, also of links: any text. Default: a random code, as without the rule.',
        ),
      },
      'Codes that are known in advance.',
    ),
    email: sendingRules('emails'),
    sms: sendingRules('messages by SMS'),
    whatsapp: sendingRules('messages by WhatsApp'),
  }),
  ({ oob_otp, email, sms, whatsapp }) => ({
    oob_otp: whole(oob_otp),
    email: whole(email),
    sms: whole(sms),
    whatsapp: whole(whatsapp),
  }),
)
