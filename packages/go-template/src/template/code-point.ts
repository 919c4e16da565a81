const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u

/** Whether a character is printable for Go. Of all white space only U+0020 is. */
export function isPrintable(character: string): boolean {
  return printable.test(character)
}

/** Formats a code point as `U+0040`. */
export function formatCodePoint(codePoint: number | bigint): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Formats a character as `U+0040 '@'`; without the quoted part if it is not printable. */
export function describeCharacter(character: string): string {
  const name = formatCodePoint(character.codePointAt(0) ?? 0)
  return isPrintable(character) ? `${name} '${character}'` : name
}
