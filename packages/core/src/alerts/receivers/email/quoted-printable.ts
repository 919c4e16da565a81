import { escapeByte } from './encoded-word.ts'

/** The longest line, without the `=` that continues it. */
const maxLine = 75

/**
 * The UTF-8 bytes of a text as ASCII lines that end with CRLF, except the last one.
 *
 * @see RFC 2045, section 6.7
 */
export function quotedPrintable(text: string): string {
  return text
    .toWellFormed()
    .split(/\r\n|\r|\n/)
    .map(encodeLine)
    .join('\r\n')
}

function encodeLine(text: string): string {
  const lines: string[] = []
  let line = ''
  const bytes = new TextEncoder().encode(text)
  for (const [index, byte] of bytes.entries()) {
    const isLast = index === bytes.length - 1
    const encoded = isPlain(byte, isLast) ? String.fromCharCode(byte) : escapeByte(byte)
    if (line.length + encoded.length > maxLine) {
      lines.push(`${line}=`)
      line = ''
    }
    line += encoded
  }
  return [...lines, line].join('\r\n')
}

/** Whether a byte is written literally. Blanks at the end of a line would be lost. */
function isPlain(byte: number, isLast: boolean): boolean {
  if (byte === 0x20 || byte === 0x09) return !isLast
  return byte > 0x20 && byte < 0x7f && byte !== 0x3d
}
