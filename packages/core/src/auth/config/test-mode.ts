import { mappingOf, wholeOf } from '../../document/fields.ts'
import { type Decode, report } from '../../document/place.ts'
import { flag, listOf, text, textLike } from '../../document/values.ts'
import { isGatehouseError } from '../../errors.ts'
import { checkPattern, compilePattern, type Pattern } from '../../regex.ts'
import type { AuthConfig, TestModeRule } from '../config.ts'

type TestMode = AuthConfig['test_mode']

/**
 * An expression that may match anywhere in an address, in time linear in its length, whoever chose it.
 *
 * @see https://github.com/google/re2/wiki/Syntax
 */
const searchPattern: Decode<Pattern> = (place) => {
  const written = text(place)
  if (written === undefined) return undefined
  try {
    // By itself first: within the brackets even ")(" would be an expression.
    checkPattern(written)
    return compilePattern(`(?s:.*)(?:${written})(?s:.*)`)
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    // The expression itself stands between the last two backquotes.
    const reason = error.message.replace(/^error parsing regexp: /, '').replace(/: `.*$/s, '')
    return report(place, 'bad_pattern', `is no regular expression: ${reason}`)
  }
}

const fixedCode = textLike((code) => /^\d{6}$/.test(code), 'six digits')

type Rules = readonly TestModeRule[]

const rulesOf = (rule: Decode<TestModeRule>): Decode<Rules> => {
  const written = mappingOf<{ readonly enabled: boolean; readonly rules: Rules }>({
    enabled: flag,
    rules: listOf(rule),
  })
  return (place) => {
    const { enabled = false, rules = [] } = written(place) ?? {}
    return enabled ? rules : []
  }
}

const codeRule = wholeOf<{ readonly regex: Pattern; readonly fixed_code: string }>(
  { regex: searchPattern, fixed_code: fixedCode },
  { required: ['regex', 'fixed_code'] },
)
const codeRules = rulesOf((place) => {
  const rule = codeRule(place)
  return rule === undefined ? undefined : { ...rule, suppressed: false }
})

const sendingRule = wholeOf<{ readonly regex: Pattern; readonly suppressed?: boolean }>(
  { regex: searchPattern, suppressed: flag },
  { required: ['regex'] },
)
const sendingRules = rulesOf((place) => {
  const rule = sendingRule(place)
  if (rule === undefined) return undefined
  return { regex: rule.regex, fixed_code: undefined, suppressed: rule.suppressed ?? false }
})

const written = mappingOf<TestMode>({
  oob_otp: codeRules,
  email: sendingRules,
  sms: sendingRules,
  whatsapp: sendingRules,
})

/** Codes that are known beforehand and messages that are not sent. */
export const testMode: Decode<TestMode> = (place) => ({
  oob_otp: [],
  email: [],
  sms: [],
  whatsapp: [],
  ...written(place),
})
