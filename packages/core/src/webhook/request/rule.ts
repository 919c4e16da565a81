import type { Rule, Source } from '../webhook.ts'
import { matchesPart } from './value-pattern.ts'

type Test = Extract<Rule, { kind: 'match' }>['test']

/** What is known of a rule; `undefined` where a value is too long to be matched. */
type Verdict = boolean | undefined

function judgeValue(test: Test, value: string | undefined): Verdict {
  if (test.kind === 'exists') return test.exists === (value !== undefined)
  if (value === undefined) return false
  if (test.kind === 'equals') return value === test.value
  if (test.kind === 'one_of') return test.values.includes(value)
  return matchesPart(test.pattern, value)
}

/** The verdict that decides, wherever it is; else whether all are known. */
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
 * Whether values are as a rule demands. A missing value satisfies nothing but `exists: false`. A value that is too long for a
 * pattern leaves its rule undecided, also where it is negated, and what is undecided is not satisfied.
 */
export function isSatisfied(rule: Rule, read: (from: Source) => string | undefined): boolean {
  return judgeRule(rule, read) === true
}
