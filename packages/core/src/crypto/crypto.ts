import {
  createHmac,
  timingSafeEqual as equalInConstantTime,
  hash,
  randomBytes as randomBuffer,
  randomFillSync,
} from 'node:crypto'

/** The SHA-256 of a text's UTF-8 bytes, as 64 lower-case hex digits. @see FIPS 180-4 */
export function sha256Hex(text: string): string {
  return hash('sha256', text)
}

/** The SHA-256 of bytes in base64url, 43 characters. @see FIPS 180-4 */
export function sha256Base64Url(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'base64url')
}

/** The HMAC of a text's UTF-8 bytes with SHA-256: 32 bytes. @see RFC 2104 */
export function hmacSha256(key: string | Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest()
}

/** A hash function by its name. */
export type HashName = 'sha1' | 'sha256' | 'sha512'

/** The hash of a text's UTF-8 bytes. A lone surrogate counts as U+FFFD. @see FIPS 180-4 */
export function hashText(algorithm: HashName, text: string): Buffer {
  return hash(algorithm, text, 'buffer')
}

/** The digest of bytes. */
export function hashBytes(algorithm: HashName, bytes: Uint8Array): Buffer {
  return hash(algorithm, bytes, 'buffer')
}

/** The HMAC of concatenated pieces, texts as their UTF-8 bytes. @see RFC 2104 */
export function hmacOf(
  algorithm: HashName,
  key: string | Uint8Array,
  pieces: readonly (string | Uint8Array)[],
): Buffer {
  const hmac = createHmac(algorithm, key)
  for (const piece of pieces) {
    if (typeof piece === 'string') hmac.update(piece, 'utf8')
    else hmac.update(piece)
  }
  return hmac.digest()
}

/** Compares two byte strings in a time that depends only on their lengths. */
export function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && equalInConstantTime(a, b)
}

/**
 * A pool, because the platform takes as long for a few bytes as for 4 KiB. Creating a flow needs some fifteen ids and nonces, and
 * takes 15 to 20 % longer without the pool.
 */
const randomPool = new Uint8Array(4_096)
let poolUsed = randomPool.length
const maxFromPool = 256

/** Returns bytes from the machine's cryptographically secure random source. */
export function randomBytes(count: number): Uint8Array {
  if (count > maxFromPool) return randomBuffer(count)
  if (poolUsed + count > randomPool.length) {
    randomFillSync(randomPool)
    poolUsed = 0
  }
  const bytes = randomPool.slice(poolUsed, poolUsed + count)
  // Zero the bytes in the pool once handed out.
  randomPool.fill(0, poolUsed, poolUsed + count)
  poolUsed += count
  return bytes
}
