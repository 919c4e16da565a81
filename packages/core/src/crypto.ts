import { createHash } from 'node:crypto'

/** The SHA-256 of a text's UTF-8 bytes, as 64 lower-case hex digits. @see FIPS 180-4 */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}
