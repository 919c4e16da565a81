import { mappingOf, wholeOf } from '../../document/fields.ts'
import { searchPattern } from '../../document/patterns.ts'
import type { Decode } from '../../document/place.ts'
import { flag, listOf, textLike } from '../../document/values.ts'
import type { Pattern } from '../../regex/regex.ts'
import type { LoadedAuthConfig, TestModeRule } from './config.ts'

type TestMode = LoadedAuthConfig['test_mode']

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
