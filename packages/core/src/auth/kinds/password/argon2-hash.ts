import { decodeInput, exactly, functionLike, optional, wholeFrom } from '../../../input/decode.ts'
import { createHashQueue } from './hash-queue.ts'
import type { HashVerify } from './hash-thread.ts'
import { loadArgon2Verify } from './load-hash-verify.ts'
import type { PasswordVerifier } from './password-hasher.ts'

/** Options of {@link createArgon2Verifier}. */
export interface Argon2VerifierOptions {
  /** The comparison (default: `argon2Verify` of the optional package hash-wasm, in its own thread). */
  readonly argon2Verify?: HashVerify
  /** How many passwords may wait for their turn (default 32); more are refused. */
  readonly maxWaiting?: number
}

const decodeOptions = exactly<Argon2VerifierOptions>({
  argon2Verify: optional(functionLike('a function that compares')),
  maxWaiting: optional(wholeFrom(0)),
})

const argon2 =
  /^\$argon2(?:id|i|d)\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{6,171}$/
/** In KiB: 256 MiB. */
const maxMemory = 2 ** 18
/** The memory times the passes, in KiB: about two seconds. */
const maxWork = 2 ** 20
const maxLanes = 16
const secondsPerJob = 0.2

/** Whether a text is a hash of Argon2 (`$argon2id$v=19$m=…,t=…,p=…$salt$hash`) that takes at most 256 MiB and about two seconds. */
export function isArgon2Hash(text: string): boolean {
  const [m, t, p] = (argon2.exec(text) ?? []).slice(1).map(Number)
  if (m === undefined || t === undefined || p === undefined) return false
  return t >= 1 && p >= 1 && p <= maxLanes && m >= 8 * p && m <= maxMemory && m * t <= maxWork
}

/**
 * Verifies hashes of Argon2, one at a time. The verification rejects with `MissingPackage` if hash-wasm is needed and missing.
 *
 * @throws {GatehouseError} `InvalidInput`
 * @see RFC 9106
 */
export function createArgon2Verifier(options: Argon2VerifierOptions = {}): PasswordVerifier {
  const { maxWaiting = 32, argon2Verify } = decodeInput('options', decodeOptions, options)
  const queue = createHashQueue({ maxParallel: 1, maxWaiting, secondsPerJob })
  let verifyHash = argon2Verify
  return {
    accepts: isArgon2Hash,
    async verify(password, text, requester) {
      if (!isArgon2Hash(text)) return false
      return queue(async () => {
        verifyHash ??= loadArgon2Verify()
        const bytes = new TextEncoder().encode(password)
        // The library refuses the empty password. Do the work anyway.
        const comparable = bytes.length === 0 ? new Uint8Array(1) : bytes
        const matches = await verifyHash({ password: comparable, hash: text })
        return matches && bytes.length > 0
      }, requester)
    },
  }
}
