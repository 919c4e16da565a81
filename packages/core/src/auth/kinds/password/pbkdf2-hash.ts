import { equalBytes, type Pbkdf2Digest, pbkdf2Hash } from '../../../crypto/crypto-secrets.ts'
import { decodeInput, exactly, optional, wholeFrom } from '../../../input/decode.ts'
import { createHashQueue } from './hash-queue.ts'
import type { PasswordVerifier } from './password-hasher.ts'

/** Options of {@link createPbkdf2Verifier}. */
export interface Pbkdf2VerifierOptions {
  /** How many passwords may wait for their turn (default 32); more are refused. */
  readonly maxWaiting?: number
}

const decodeOptions = exactly<Pbkdf2VerifierOptions>({ maxWaiting: optional(wholeFrom(0)) })

/** A higher count would let one login occupy a thread for seconds: 2,000,000 rounds of SHA-256 take about one. */
const maxIterations = 2_000_000
const secondsPerJob = 0.3

interface Parts {
  readonly digest: Pbkdf2Digest
  readonly iterations: number
  readonly salt: Uint8Array
  readonly hash: Uint8Array
}

/** `$pbkdf2-sha256$i=600000$salt$hash`, also with `,l=32`; passlib writes the count alone, and `.` for `+`. */
const phc =
  /^\$pbkdf2-(sha1|sha256|sha512)\$(?:i=)?(\d{1,7})(?:,l=\d{1,3})?\$([\w+/.]{1,172})\$([\w+/.]{16,172})$/
/** `pbkdf2_sha256$600000$salt$hash`: the salt is text, the hash is Base64 with padding. */
const django =
  /^pbkdf2_(sha1|sha256|sha512)\$(\d{1,7})\$([^$]{1,128})\$([A-Za-z0-9+/]{16,172}={0,2})$/

/** Whether a text is a hash of PBKDF2 in PHC, passlib or Django format, with at most 2,000,000 iterations. */
export const isPbkdf2Hash = (text: string): boolean => parse(text) !== undefined

/**
 * Verifies hashes of PBKDF2 with SHA-1, SHA-256 or SHA-512, one at a time: `$pbkdf2-sha256$i=600000$salt$hash` (PHC and passlib)
 * and `pbkdf2_sha256$600000$salt$hash` (Django).
 *
 * @throws {GatehouseError} `InvalidInput`
 * @see RFC 8018, section 5.2
 */
export function createPbkdf2Verifier(options: Pbkdf2VerifierOptions = {}): PasswordVerifier {
  const { maxWaiting = 32 } = decodeInput('options', decodeOptions, options)
  const queue = createHashQueue({ maxParallel: 1, maxWaiting, secondsPerJob })
  return {
    accepts: isPbkdf2Hash,
    async verify(password, text, requester) {
      const parts = parse(text)
      if (parts === undefined) return false
      const { hash } = parts
      const found = await queue(() => pbkdf2Hash(password, hash.length, parts), requester)
      return equalBytes(found, hash)
    },
  }
}

function parse(text: string): Parts | undefined {
  const [, digest, count, salt = '', hash = ''] = phc.exec(text) ?? django.exec(text) ?? []
  const iterations = Number(count)
  if (digest === undefined || iterations < 1 || iterations > maxIterations) return undefined
  const isDjango = !text.startsWith('$')
  return {
    // The patterns name no other.
    digest: digest as Pbkdf2Digest,
    iterations,
    salt: isDjango ? Buffer.from(salt) : decode(salt),
    hash: decode(hash),
  }
}

const decode = (text: string): Uint8Array => Buffer.from(text.replaceAll('.', '+'), 'base64')
