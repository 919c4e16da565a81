import { type Decode, decodeInput, having, listOf } from '../../../input/decode.ts'
import type { HashRequester } from './hash-queue.ts'

/**
 * Makes and verifies hashes of passwords. A hash is a text that says how it was made, so that hashes of many makers can
 * be stored side by side.
 */
export interface PasswordHasher {
  /** A new hash: two of one password differ. `requester`, if given, is whose share of the work it counts to. */
  hash(password: string, requester?: HashRequester): Promise<string>
  /** Whether a hash is of this password. One that is malformed is of no password; it throws nothing. */
  verify(password: string, hash: string, requester?: HashRequester): Promise<boolean>
  /** Whether {@link PasswordHasher.hash} would make it otherwise today. */
  needsRehash(hash: string): boolean
}

/** Verifies hashes that are made no more, as those of imported users. */
export interface PasswordVerifier {
  /** Whether it knows this sort of hash. */
  accepts(hash: string): boolean
  /** Whether a hash that it accepts is of this password; `false` for others. */
  verify(password: string, hash: string, requester?: HashRequester): Promise<boolean>
}

/** Checks that an option hashes passwords. */
export const hasherPort: Decode<PasswordHasher> = having<PasswordHasher>(
  'a PasswordHasher, as createScryptHasher() makes it',
  'hash',
  'verify',
  'needsRehash',
)

const verifierPort = having<PasswordVerifier>('a PasswordVerifier', 'accepts', 'verify')

/** Hashes as `preferred` does. Verifies with the first verifier that knows a hash, which is then due to be made anew. */
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
