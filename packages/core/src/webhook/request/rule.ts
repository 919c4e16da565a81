import type { Rule, Source } from '../webhook.ts'
import { matchesPart } from './value-pattern.ts'

type Test = Extract<Rule, { kind: 'match' }>['test']

/** The result of a rule; `undefined` if a value is too long to match. */
type Verdict = boolean | undefined

function judgeValue(test: Test, value: string | undefined): Verdict {
  if (test.kind === 'exists') return test.exists === (value !== undefined)
  if (value === undefined) return false
  if (test.kind === 'equals') return value === test.value
  if (test.kind === 'one_of') return test.values.includes(value)
  return matchesPart(test.pattern, value)
}

/** Returns the decisive verdict if any rule has it; otherwise `undefined` if any rule is undecided. */
function combine(
  rules: readonly Rule[],
  decisive: boolean,
  judge: (rule: Rule) => Verdict,
): Verdict {
  let verdict: Verdict = !decisive
  for (const rule of rules) {
    const one = judge(rule)
    if (one === decisive) return decisive
    if (one === undefined) verdict = undefined
  }
  return verdict
}

function judgeRule(rule: Rule, read: (from: Source) => string | undefined): Verdict {
  if (rule.kind === 'match') return judgeValue(rule.test, read(rule.from))
  if (rule.kind === 'not') {
    const verdict = judgeRule(rule.rule, read)
    return verdict === undefined ? undefined : !verdict
  }
  return combine(rule.rules, rule.kind === 'any', (inner) => judgeRule(inner, read))
}

/**
 * Whether a delivery satisfies a rule. A missing value satisfies only `exists: false`. A value that is too long for a pattern
 * leaves its rule undecided, even inside of `not`, and an undecided rule is not satisfied.
 */
export function isSatisfied(rule: Rule, read: (from: Source) => string | undefined): boolean {
  return judgeRule(rule, read) === true
}
