import { isInRanges } from '../../http/ip-address.ts'
import type { Rule, SignatureOptions, Source } from '../webhook.ts'
import { matchesPart } from './value-pattern.ts'

/** What a rule asks about a delivery. */
export interface Judged {
  /** The value of a source; `undefined` if it is missing. */
  read(from: Source): string | undefined
  /** Whether it has a valid signature. */
  isSigned(signature: SignatureOptions): boolean
  readonly clientAddress: string | undefined
}

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

function judgeRule(rule: Rule, judged: Judged): Verdict {
  if (rule.kind === 'match') return judgeValue(rule.test, judged.read(rule.from))
  if (rule.kind === 'signature') return judged.isSigned(rule.signature)
  if (rule.kind === 'client_ip') {
    const { clientAddress: address } = judged
    return address !== undefined && isInRanges(address, rule.ranges)
  }
  if (rule.kind === 'not') {
    const verdict = judgeRule(rule.rule, judged)
    return verdict === undefined ? undefined : !verdict
  }
  return combine(rule.rules, rule.kind === 'any', (inner) => judgeRule(inner, judged))
}

/**
 * Whether a delivery satisfies a rule. A missing value satisfies only `exists: false`. A value that is too long for a pattern
 * leaves its rule undecided, even inside of `not`, and an undecided rule is not satisfied.
 */
export function isSatisfied(rule: Rule, judged: Judged): boolean {
  return judgeRule(rule, judged) === true
}
