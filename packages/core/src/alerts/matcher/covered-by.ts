import { type Matcher, matches } from './matcher.ts'

/**
 * Whether all label sets that match `matchers` certainly match `limits` too, for roles that may silence only some alerts. Each limit
 * must be among the matchers, or follow from one for the same label that allows only certain values, such as `team="db"` or
 * `team=~"db|cache"`. A false answer means that this is not certain.
 *
 * @example
 * const limits = [createMatcher('team', '=~', 'db.*')]
 * console.log(isCoveredBy([createMatcher('team', '=', 'db-eu')], limits)) // true
 */
export function isCoveredBy(matchers: readonly Matcher[], limits: readonly Matcher[]): boolean {
  return limits.every((limit) => matchers.some((matcher) => implies(matcher, limit)))
}

function implies(matcher: Matcher, limit: Matcher): boolean {
  if (matcher.name !== limit.name) return false
  if (matcher.operator === limit.operator && matcher.value === limit.value) return true
  return valuesOf(matcher)?.every((value) => matches(limit, value)) ?? false
}

/** The only values that match, if they are known. */
function valuesOf({ operator, value, pattern }: Matcher): readonly string[] | undefined {
  if (operator === '=') return [value]
  return operator === '=~' ? pattern?.literals : undefined
}
