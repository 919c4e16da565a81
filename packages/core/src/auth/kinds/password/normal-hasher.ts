import { normalPassword, passwordForms } from '../../secrets/typed-password.ts'
import type { HashRequester } from './hash-queue.ts'
import type { PasswordHasher } from './password-hasher.ts'

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
