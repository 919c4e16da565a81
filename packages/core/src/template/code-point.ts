const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u

/** Whether a character shows something, as Go sees it; of all blanks only U+0020 does. */
export function isPrintable(character: string): boolean {
  return printable.test(character)
}

/** A code point as `U+0040`. */
export function formatCodePoint(codePoint: number | bigint): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
}

/** A character as `U+0040 '@'`; without the quoted part where it shows nothing. */
export function describeCharacter(character: string): string {
  const name = formatCodePoint(character.codePointAt(0) ?? 0)
  return isPrintable(character) ? `${name} '${character}'` : name
}
