import { compilePattern, deferPattern, type Pattern } from '@gatehouse/go-template/regex'
import { compareBytes, goQuote } from '@gatehouse/go-template/text'
import { isGatehouseError } from '../../errors.ts'
import { invalidInput } from '../../input/refusal.ts'
import type { LabelSet } from '../alert/label-set.ts'
import { invalidMatcher } from './invalid-matcher.ts'

/** The comparison of a matcher: equal, not equal, matches the regular expression, does not match it. */
export type MatchOperator = '=' | '!=' | '=~' | '!~'

/** A condition on one label. Created by {@link createMatcher}. */
export interface Matcher {
  readonly name: string
  readonly operator: MatchOperator
  /** The text or regular expression that the label's value is compared with. */
  readonly value: string
  /** The compiled `value` for the operators `=~` and `!~`. */
  readonly pattern?: Pattern
}

const operators: readonly MatchOperator[] = ['=', '!=', '=~', '!~']
const reservedInName =
  /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000{}!=,\\"'`~]/

/**
 * Creates a matcher for the label `name`; compiles the regular expression of `=~` and `!~` once.
 *
 * @throws {GatehouseError} `InvalidInput`; `InvalidMatcher` if the regular expression is not valid.
 */
export function createMatcher(name: string, operator: MatchOperator, value: string): Matcher {
  if (typeof name !== 'string') throw invalidInput('name', 'a string', typeof name)
  if (typeof value !== 'string') throw invalidInput('value', 'a string', typeof value)
  if (operator === '=' || operator === '!=') return { name, operator, value }
  if (operator !== '=~' && operator !== '!~') {
    throw invalidInput('operator', operators.join(' or '), 'another value')
  }
  try {
    return { name, operator, value, pattern: compilePattern(value) }
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    throw invalidMatcher(error.message, error)
  }
}

/** The same for a value that was validated before, such as a stored one: its regular expression is compiled on demand. */
export function deferMatcher(name: string, operator: MatchOperator, value: string): Matcher {
  if (operator === '=' || operator === '!=') return { name, operator, value }
  return { name, operator, value, pattern: deferPattern(value) }
}

/** Whether a value of the matcher's label matches; a missing label has the value `''`. */
export function matches(matcher: Matcher, value: string): boolean {
  switch (matcher.operator) {
    case '=':
      return value === matcher.value
    case '!=':
      return value !== matcher.value
    case '=~':
      return testPattern(matcher, value)
    case '!~':
      return !testPattern(matcher, value)
  }
}

function testPattern(matcher: Matcher, value: string): boolean {
  return (matcher.pattern ?? compilePattern(matcher.value)).test(value)
}

/** Whether every matcher matches these labels; true for an empty list. */
export function matchesAll(matchers: readonly Matcher[], labels: LabelSet): boolean {
  for (const matcher of matchers) {
    if (!matches(matcher, labels.get(matcher.name) ?? '')) return false
  }
  return true
}

/** Whether one of the matchers may be slow; see {@link matchesAllInSteps}. */
export function isAnyCostly(matchers: readonly Matcher[]): boolean {
  return matchers.some(({ pattern }) => pattern?.isCostly === true)
}

/** {@link matchesAll} in slices. */
export function* matchesAllInSteps(
  matchers: readonly Matcher[],
  labels: LabelSet,
): Generator<void, boolean> {
  for (const matcher of matchers) {
    if (!matches(matcher, labels.get(matcher.name) ?? '')) return false
    if (matcher.pattern?.isCostly) yield
  }
  return true
}

/**
 * Whether a silence with only such matchers would be too broad: `=` with an empty value, or `=~` with a pattern that matches the
 * empty text. Negative matchers never count.
 *
 * @see Alertmanager API v2, `POST /silences`
 */
export function matchesEmpty(matcher: Matcher): boolean {
  return (matcher.operator === '=' || matcher.operator === '=~') && matches(matcher, '')
}

/** The order of a formatted list: by name, then by value, then `=`, `!=`, `=~`, `!~`. */
export function compareMatchers(a: Matcher, b: Matcher): number {
  return (
    compareBytes(a.name, b.name) ||
    compareBytes(a.value, b.value) ||
    operators.indexOf(a.operator) - operators.indexOf(b.operator)
  )
}

/**
 * Formats a matcher, such as `severity=~"critical|page"`. A name with a blank or a character of the grammar is quoted, and then
 * the value has Go's quotes.
 */
export function formatMatcher({ name, operator, value }: Matcher): string {
  if (reservedInName.test(name)) return goQuote(name) + operator + goQuote(value)
  const escaped = value.replace(/[\\"\n]/g, (character) =>
    character === '\n' ? '\\n' : `\\${character}`,
  )
  return `${name}${operator}"${escaped}"`
}

/** Formats a list in the given order, such as `{a="b",c=~"d"}`. */
export function formatMatchers(matchers: readonly Matcher[]): string {
  return `{${matchers.map(formatMatcher).join(',')}}`
}
