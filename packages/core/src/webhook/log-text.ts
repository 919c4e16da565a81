/** Control characters, and what else ends a line. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}]/gu

const escapeOf = (character: string): string => {
  const code = character.charCodeAt(0)
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`
}

/** What is certain to have none, as most texts are. */
const plain = /^[ -~]*$/

/** A text from outside as a log may show it: with its control characters escaped. */
export function logText(text: string): string {
  return plain.test(text) ? text : text.replace(controls, escapeOf)
}
