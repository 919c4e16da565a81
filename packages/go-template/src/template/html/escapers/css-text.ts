/** Whether a character is one of the five white space characters of CSS. */
export function isCssBlank(character: string): boolean {
  return character !== '' && ' \t\n\f\r'.includes(character)
}

/** Whether a UTF-16 unit may be part of a CSS name. */
export function isCssNameCharacter(unit: number): boolean {
  return (unit >= 0x80 && unit < 0xfffe) || /[\w-]/.test(String.fromCharCode(unit))
}

const escapes = /\\(?:([\da-fA-F]{1,6})(\r\n|[ \t\n\f\r])?|([\s\S]|$))/gu

/**
 * Decodes the escapes in a piece of CSS. A backslash at the end is dropped.
 *
 * @see https://www.w3.org/TR/css-syntax-3/#consume-escaped-code-point
 */
export function decodeCss(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(escapes, (_, hex?: string, blank = '', character = '') => {
    return hex === undefined ? character : decodeHex(hex, blank)
  })
}

/** One blank after an escape belongs to it. */
function decodeHex(hex: string, blank: string): string {
  const codePoint = Number.parseInt(hex, 16)
  // There is no such character, so the last digit is plain text.
  if (codePoint > 0x10ffff) return decodeHex(hex.slice(0, -1), '') + hex.slice(-1) + blank
  return codePoint >= 0xd800 && codePoint <= 0xdfff ? '\ufffd' : String.fromCodePoint(codePoint)
}
