import { createHash, createHmac } from 'node:crypto'

/** The SHA-256 of a text's UTF-8 bytes, as 64 lower-case hex digits. @see FIPS 180-4 */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/** The HMAC of a text's UTF-8 bytes with SHA-256: 32 bytes. @see RFC 2104 */
export function hmacSha256(key: string | Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest()
}
