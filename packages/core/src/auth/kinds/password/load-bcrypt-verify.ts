import { createRequire } from 'node:module'
import { GatehouseError } from '../../../errors.ts'
import { type BcryptVerify, createBcryptThread } from './bcrypt-thread.ts'

/**
 * The comparison of the optional package hash-wasm, in its own thread, so that it blocks nothing.
 *
 * @throws {GatehouseError} `MissingPackage`
 */
export const loadBcryptVerify = (): BcryptVerify =>
  bcryptVerifyAt(() => createRequire(import.meta.url).resolve('hash-wasm'))

/**
 * {@link loadBcryptVerify} with another way to find the package.
 *
 * @param find returns the file of the package.
 * @throws {GatehouseError} `MissingPackage`
 */
export function bcryptVerifyAt(find: () => string): BcryptVerify {
  try {
    return createBcryptThread(find())
  } catch (cause) {
    const message =
      'passwords hashed with bcrypt need the package "hash-wasm", which could not be loaded: npm install hash-wasm'
    throw new GatehouseError('InternalError', 'MissingPackage', message, { cause })
  }
}
