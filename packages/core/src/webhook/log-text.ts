/** Control characters and line separators. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}]/gu

const escapeOf = (character: string): string => {
  const code = character.charCodeAt(0)
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`
}

/** Texts without control characters, as most are. */
const plain = /^[ -~]*$/

/** Escapes control characters in a text from outside, for the log. */
export function logText(text: string): string {
  return plain.test(text) ? text : text.replace(controls, escapeOf)
}
