/**
 * Makes and verifies hashes of passwords. A hash is a text that says how it was made, so that hashes of many makers can
 * be stored side by side.
 */
export interface PasswordHasher {
  /** A new hash: two of one password differ. */
  hash(password: string): Promise<string>
  /** Whether a hash is of this password. One that is malformed is of no password; it throws nothing. */
  verify(password: string, hash: string): Promise<boolean>
  /** Whether {@link PasswordHasher.hash} would make it otherwise today. */
  needsRehash(hash: string): boolean
}

/** Verifies hashes that are made no more, as those of imported users. */
export interface PasswordVerifier {
  /** Whether it knows this sort of hash. */
  accepts(hash: string): boolean
  /** Whether a hash that it accepts is of this password; `false` for others. */
  verify(password: string, hash: string): Promise<boolean>
}

/** Hashes as `preferred` does. Verifies with the first verifier that knows a hash, which is then due to be made anew. */
export function combineHashers(
  preferred: PasswordHasher,
  verifiers: readonly PasswordVerifier[],
): PasswordHasher {
  const verifierOf = (hash: string): PasswordVerifier | undefined =>
    verifiers.find((verifier) => verifier.accepts(hash))
  return {
    hash: (password) => preferred.hash(password),
    verify: (password, hash) => (verifierOf(hash) ?? preferred).verify(password, hash),
    needsRehash: (hash) => verifierOf(hash) !== undefined || preferred.needsRehash(hash),
  }
}
