import { createRequire } from 'node:module'
import { GatehouseError } from '../../../errors.ts'
import { createHashThread, type HashVerify, type VerifyName } from './hash-thread.ts'

/** Compares bytes with a hash of bcrypt. The hash starts with `$2a$` or `$2b$`; there are 1 to 72 bytes. */
export type BcryptVerify = HashVerify

/** A bundle in CommonJS has no `import.meta`. The name is not a literal, so that bundlers leave the package where it is installed. */
const findInstalled = (name: string): string =>
  createRequire(import.meta.url || __filename).resolve(name)

const findHashWasm = (): string => findInstalled('hash-wasm')

/**
 * The comparison of bcrypt hashes by the optional package hash-wasm, in its own thread, so that it blocks nothing.
 *
 * @throws {GatehouseError} `MissingPackage`
 */
export const loadBcryptVerify = (): BcryptVerify => hashVerifyAt(findHashWasm, 'bcryptVerify')

/**
 * {@link loadBcryptVerify} for hashes of Argon2.
 *
 * @throws {GatehouseError} `MissingPackage`
 */
export const loadArgon2Verify = (): HashVerify => hashVerifyAt(findHashWasm, 'argon2Verify')

/**
 * A comparison by the package hash-wasm.
 *
 * @param find returns the file of the package.
 * @throws {GatehouseError} `MissingPackage`
 */
export function hashVerifyAt(find: () => string, verify: VerifyName): HashVerify {
  try {
    return createHashThread(find(), verify)
  } catch (cause) {
    const name = verify === 'bcryptVerify' ? 'bcrypt' : 'Argon2'
    const message = `passwords hashed with ${name} need the package "hash-wasm", which could not be loaded: npm install hash-wasm`
    throw new GatehouseError('InternalError', 'MissingPackage', message, { cause })
  }
}
