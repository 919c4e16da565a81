import type { Pattern } from '@gatehouse/go-template/regex'

/** The most characters of a request that a pattern is run on. */
const maxCharacters = 4096

/** Whether a text exceeds the limit of a pattern; a character outside of the basic plane counts as one. */
function isTooLong(text: string, { longest }: Pattern): boolean {
  if (text.length > longest) return true
  if (text.length <= maxCharacters) return false
  return text.length > 2 * maxCharacters || Array.from(text).length > maxCharacters
}

/** Whether a pattern matches the whole value. No pattern matches a value that is too long. */
export function matchesWhole(pattern: Pattern, value: string): boolean {
  return !isTooLong(value, pattern) && pattern.test(value)
}

/** Whether a pattern matches anywhere in a value; `undefined` if the value is too long. */
export function matchesPart(pattern: Pattern, value: string): boolean | undefined {
  return isTooLong(value, pattern) ? undefined : pattern.test(value)
}
