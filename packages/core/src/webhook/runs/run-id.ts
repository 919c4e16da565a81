import type { Instant } from '../../time/clock.ts'

/** Crockford's base 32, in lower case. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const randomByteCount = 10

/** 48 bits as 10 characters, the first of which holds 3 of them. */
function encodeTime(now: Instant): string {
  let text = ''
  let rest = Math.floor(now) % 2 ** 48
  for (let count = 0; count < 10; count++) {
    text = alphabet.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** Bytes as characters of 5 bits each. Called for every run; numbers are ten times as fast as a bigint. */
function encodeBytes(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let count = 0
  for (const byte of bytes) {
    bits = (bits << 8) | byte
    for (count += 8; count >= 5; ) {
      count -= 5
      text += alphabet.charAt(bits >> count)
      bits &= (1 << count) - 1
    }
  }
  return text
}

/**
 * Creates the id of a new run: `run_` and 26 characters for 48 bits of time in ms and 80 random bits. Ids of later milliseconds
 * sort after earlier ones.
 *
 * @throws {RangeError} if `random` does not have 10 bytes.
 * @see https://github.com/ulid/spec
 */
export function createRunId(now: Instant, random: Uint8Array): string {
  if (random.length !== randomByteCount) {
    throw new RangeError(`a run id needs ${randomByteCount} random bytes, not ${random.length}`)
  }
  return `run_${encodeTime(now)}${encodeBytes(random)}`
}
