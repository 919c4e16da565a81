import type { Pattern } from '../../regex/regex.ts'

/** How many characters of a request a pattern is run on at most. */
const mostCharacters = 4096

/** Whether a text has more characters than a pattern sees; one outside the basic plane counts as one. */
function isTooLong(text: string, { longest }: Pattern): boolean {
  if (text.length > longest) return true
  if (text.length <= mostCharacters) return false
  return text.length > 2 * mostCharacters || Array.from(text).length > mostCharacters
}

/** Whether a pattern matches a value. A value that is too long is matched by none. */
export function matchesWhole(pattern: Pattern, value: string): boolean {
  return !isTooLong(value, pattern) && pattern.test(value)
}

/** The same for a pattern that may match anywhere in a value; `undefined` if the value is too long. */
export function matchesPart(pattern: Pattern, value: string): boolean | undefined {
  return isTooLong(value, pattern) ? undefined : pattern.test(value)
}
