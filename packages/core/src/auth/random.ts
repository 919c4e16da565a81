import { encodeBase32 } from './secrets/base32.ts'

/** A source of cryptographically strong random bytes: it answers as many as it is asked for. */
export type Random = (size: number) => Uint8Array

/** Digits and capital letters that are not taken for one another: no I, L, O, U. @see Crockford's Base 32 */
export const crockfordAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** At worst nearly half of the bytes are of no use; a source of which so many more are is broken. */
const maxDraws = 100

/** A text of random characters that hold five bits each. Asks the source once, for as many bytes as that takes. */
export function randomCrockford(random: Random, length: number): string {
  const bytes = draw(random, Math.ceil((length * 5) / 8))
  return encodeBase32(bytes, crockfordAlphabet).slice(0, length)
}

/** A text of random characters of an alphabet of at most 256, each equally likely. */
export function randomText(random: Random, alphabet: string, length: number): string {
  const limit = 256 - (256 % alphabet.length)
  let text = ''
  for (let draws = 0; text.length < length; draws++) {
    if (draws === maxDraws) throw new Error('the source of randomness does not answer random bytes')
    for (const byte of draw(random, length - text.length)) {
      // Bytes above would make the first characters likelier than the others.
      if (byte < limit) text += alphabet.charAt(byte % alphabet.length)
    }
  }
  return text
}

function draw(random: Random, size: number): Uint8Array {
  const bytes = random(size)
  if (bytes.length === size) return bytes
  throw new RangeError(`the source of randomness answered ${bytes.length} bytes, not ${size}`)
}
