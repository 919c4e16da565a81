import type { HashRequester } from './hash-queue.ts'
import type { PasswordHasher } from './password-hasher.ts'

/** Longer than users type; hashing takes time for every byte. */
export const mostPasswordBytes = 4_096

/**
 * The form of a password that is hashed and checked: Unicode's NFC. Keyboards write `ñ` as one character or as two. Nothing is
 * trimmed, and compatible characters stay apart. Texts that are too long for a password are not changed: normalizing takes
 * quadratic time.
 *
 * @see RFC 8265, section 4.2.2; NIST SP 800-63B-4, section 3.1.1.2
 */
export function normalPassword(text: string): string {
  return text.length > mostPasswordBytes ? text : text.normalize('NFC')
}

/**
 * The texts to compare with a stored password, in this order: the normal form, and the text as it was typed, if it differs.
 * Passwords that were stored elsewhere, or before they were normalized, may have that form.
 */
export function passwordForms(text: string): readonly string[] {
  return [...new Set([normalPassword(text), text])]
}

/** A hasher that hashes the normal form of each password. */
export interface NormalHasher extends PasswordHasher {
  /** The form of a password that a hash is of; `undefined` for another password. A hash of the typed form is due for rehashing. */
  formOf(
    password: string,
    hash: string,
    requester?: HashRequester,
  ): Promise<'normal' | 'typed' | undefined>
}

/** Hashes the normal form of each password, and verifies all of {@link passwordForms}. */
export function normalizeHasher(hasher: PasswordHasher): NormalHasher {
  const formOf: NormalHasher['formOf'] = async (password, hash, requester) => {
    for (const [index, form] of passwordForms(password).entries()) {
      if (await hasher.verify(form, hash, requester)) return index === 0 ? 'normal' : 'typed'
    }
    return undefined
  }
  return {
    formOf,
    hash: (password, requester) => hasher.hash(normalPassword(password), requester),
    verify: async (...given) => (await formOf(...given)) !== undefined,
    needsRehash: (hash) => hasher.needsRehash(hash),
  }
}
