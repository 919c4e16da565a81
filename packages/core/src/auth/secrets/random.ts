import { encodeBase32 } from './base32.ts'

/** A source of cryptographically strong random bytes; returns as many as requested. */
export type Random = (size: number) => Uint8Array

/** Digits and capital letters without the confusable I, L, O and U. @see Crockford's Base 32 */
export const crockfordAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** At worst nearly half of the bytes are unusable; a source that needs this many draws is broken. */
const maxDraws = 100

/** A random string with five bits a character. Draws all bytes it needs in one call. */
export function randomCrockford(random: Random, length: number): string {
  const bytes = draw(random, Math.ceil((length * 5) / 8))
  return encodeBase32(bytes, crockfordAlphabet).slice(0, length)
}

/** A random string over an alphabet of at most 256 characters, each equally likely. */
export function randomText(random: Random, alphabet: string, length: number): string {
  const limit = 256 - (256 % alphabet.length)
  let text = ''
  for (let draws = 0; text.length < length; draws++) {
    if (draws === maxDraws) throw new Error('the random source does not return random bytes')
    for (const byte of draw(random, length - text.length)) {
      // Bytes from the limit up would make the first characters likelier than the others.
      if (byte < limit) text += alphabet.charAt(byte % alphabet.length)
    }
  }
  return text
}

function draw(random: Random, size: number): Uint8Array {
  const bytes = random(size)
  if (bytes.length === size) return bytes
  throw new RangeError(`the random source returned ${bytes.length} bytes, not ${size}`)
}
