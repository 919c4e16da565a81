/** How many characters of a request a pattern is run on at most. */
const mostCharacters = 4096

/** Whether a text has more characters than patterns see; one outside the basic plane counts as one. */
function isTooLong(text: string): boolean {
  if (text.length <= mostCharacters) return false
  return text.length > 2 * mostCharacters || Array.from(text).length > mostCharacters
}

/** Whether the match of a pattern is the whole of a value. A value that is too long is matched by none. */
export function matchesWhole(pattern: RegExp, value: string): boolean {
  return !isTooLong(value) && pattern.exec(value)?.[0].length === value.length
}

/** Whether a pattern matches somewhere in a value; `undefined` if the value is too long. */
export function matchesPart(pattern: RegExp, value: string): boolean | undefined {
  return isTooLong(value) ? undefined : pattern.test(value)
}
