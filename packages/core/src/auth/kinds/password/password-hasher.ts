import { type Decode, decodeInput, having, listOf } from '../../../input/decode.ts'
import type { HashRequester } from './hash-queue.ts'

/**
 * Makes and verifies hashes of passwords. A hash names its algorithm, so that hashes of several hashers can be stored side by
 * side.
 */
export interface PasswordHasher {
  /**
   * A new hash; two hashes of the same password differ. `requester` is the account and address whose share of the work it counts
   * to.
   */
  hash(password: string, requester?: HashRequester): Promise<string>
  /** Whether a hash is of this password; `false` for a malformed hash. Never throws for the hash. */
  verify(password: string, hash: string, requester?: HashRequester): Promise<boolean>
  /** Whether {@link PasswordHasher.hash} would use other parameters today. */
  needsRehash(hash: string): boolean
}

/** Verifies hashes that are no longer made, such as those of imported users. */
export interface PasswordVerifier {
  /** Whether it knows this kind of hash. */
  accepts(hash: string): boolean
  /** Whether a hash that it accepts is of this password; `false` for others. */
  verify(password: string, hash: string, requester?: HashRequester): Promise<boolean>
}

/** Validates the option for a password hasher. */
export const hasherPort: Decode<PasswordHasher> = having<PasswordHasher>(
  'a PasswordHasher, such as createScryptHasher()',
  'hash',
  'verify',
  'needsRehash',
)

const verifierPort = having<PasswordVerifier>('a PasswordVerifier', 'accepts', 'verify')

/**
 * Hashes with `preferred`. Verifies with the first verifier that accepts a hash; hashes of the others are then due for rehashing.
 */
export function combineHashers(
  by: PasswordHasher,
  others: readonly PasswordVerifier[],
): PasswordHasher {
  const preferred = decodeInput('preferred', hasherPort, by)
  const verifiers = decodeInput('verifiers', listOf(verifierPort), others)
  const verifierOf = (hash: string): PasswordVerifier | undefined =>
    verifiers.find((verifier) => verifier.accepts(hash))
  return {
    hash: (password, requester) => preferred.hash(password, requester),
    verify: (password, hash, requester) =>
      (verifierOf(hash) ?? preferred).verify(password, hash, requester),
    needsRehash: (hash) => verifierOf(hash) !== undefined || preferred.needsRehash(hash),
  }
}
