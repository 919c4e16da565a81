import { GatehouseError } from '../../errors.ts'

/** Compares bytes with a hash of bcrypt. The hash starts with `$2a$` or `$2b$`; there are 1 to 72 bytes. */
export type BcryptVerify = (options: {
  readonly password: Uint8Array
  readonly hash: string
}) => Promise<boolean>

/**
 * The comparison of the optional package hash-wasm.
 *
 * @param load imports it.
 * @throws {GatehouseError} `MissingPackage`
 */
export async function loadBcryptVerify(
  load: () => Promise<{ readonly bcryptVerify: BcryptVerify }> = () => import('hash-wasm'),
): Promise<BcryptVerify> {
  try {
    return (await load()).bcryptVerify
  } catch (cause) {
    const message =
      'passwords hashed with bcrypt need the package "hash-wasm", which could not be loaded: npm install hash-wasm'
    throw new GatehouseError('InternalError', 'MissingPackage', message, { cause })
  }
}
