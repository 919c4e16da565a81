/** The characters of an encoded word that are left for text. @see RFC 2047, section 2 */
const maxContent = 75 - '=?utf-8?q?'.length - '?='.length

/**
 * A header's text as encoded words. Any text is safe: a line break cannot end the header.
 *
 * @see RFC 2047, section 4.2
 */
export function encodeWords(text: string): string {
  const words: string[] = []
  let word = ''
  for (const character of text.toWellFormed()) {
    const encoded = encodeCharacter(character)
    if (word.length + encoded.length > maxContent) {
      words.push(word)
      word = ''
    }
    word += encoded
  }
  return [...words, word].map((content) => `=?utf-8?q?${content}?=`).join(' ')
}

function encodeCharacter(character: string): string {
  if (character === ' ') return '_'
  if (/^[!-~]$/.test(character) && !/[=?_]/.test(character)) return character
  return Array.from(new TextEncoder().encode(character), escapeByte).join('')
}

/** A byte as `=XX`. */
export const escapeByte = (byte: number): string =>
  `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
