import { sha512 } from '../../../crypto/crypto-secrets.ts'
import { decodeInput, exactly, functionLike, optional, wholeFrom } from '../../../input/decode.ts'
import { createHashQueue } from './hash-queue.ts'
import { type BcryptVerify, loadBcryptVerify } from './load-hash-verify.ts'
import type { PasswordVerifier } from './password-hasher.ts'

/** Options of {@link createBcryptVerifier}. */
export interface BcryptVerifierOptions {
  /** The comparison (default: `bcryptVerify` of the optional package hash-wasm, in its own thread: 70 ms at cost 10). */
  readonly bcryptVerify?: BcryptVerify
  /** How many passwords may wait for their turn (default 32); more are refused. */
  readonly maxWaiting?: number
}

const decodeOptions = exactly<BcryptVerifierOptions>({
  bcryptVerify: optional(functionLike('a function that compares')),
  maxWaiting: optional(wholeFrom(0)),
})

/** The limit of bcrypt, both when a hash is made and when it is compared. */
const maxPasswordBytes = 72
/** Each step doubles the time: cost 14 takes a second. */
const maxCost = 14
const secondsPerJob = 0.1

const bcrypt = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
const sha512Prefix = '$bcrypt-sha512$'

/** Whether a text is a hash of bcrypt, or of bcrypt over SHA-512 (`$bcrypt-sha512$`), with a cost from 4 to 14. */
export function isBcryptHash(text: string): boolean {
  const [, cost] = bcrypt.exec(bcryptPart(text)) ?? []
  return cost !== undefined && Number(cost) >= 4 && Number(cost) <= maxCost
}

/**
 * Verifies hashes of bcrypt (`$2a$`, `$2b$`, `$2y$`) and of bcrypt over the 64 bytes of the password's SHA-512
 * (`$bcrypt-sha512$`), one at a time. The verification rejects with `MissingPackage` if hash-wasm is needed and missing.
 *
 * @see Authgear, password hashes `bcrypt-sha512`
 */
export function createBcryptVerifier(options: BcryptVerifierOptions = {}): PasswordVerifier {
  const { maxWaiting = 32, bcryptVerify } = decodeInput('options', decodeOptions, options)
  const queue = createHashQueue({ maxParallel: 1, maxWaiting, secondsPerJob })
  let verifyHash = bcryptVerify
  return {
    accepts: isBcryptHash,
    async verify(password, text, requester) {
      if (!isBcryptHash(text)) return false
      return queue(async () => {
        verifyHash ??= loadBcryptVerify()
        const bytes = text.startsWith(sha512Prefix)
          ? sha512(password)
          : new TextEncoder().encode(password).subarray(0, maxPasswordBytes)
        // No library compares the empty password. Do the work anyway.
        const comparable = bytes.length === 0 ? new Uint8Array(1) : bytes
        const hash = asVersionB(bcryptPart(text))
        const matches = await verifyHash({ password: comparable, hash })
        return matches && bytes.length > 0
      }, requester)
    },
  }
}

/** The bcrypt part of a hash; after the prefix its first `$` may be missing. */
function bcryptPart(text: string): string {
  if (!text.startsWith(sha512Prefix)) return text
  const rest = text.slice(sha512Prefix.length)
  return rest.startsWith('$') ? rest : `$${rest}`
}

/** `$2y$` is PHP's name for `$2b$`; not every library knows it. */
const asVersionB = (hash: string): string => hash.replace(/^\$2y/, '$2b')
