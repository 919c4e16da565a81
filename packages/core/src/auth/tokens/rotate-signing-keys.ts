import { decodeInput, exactly, flag, optional } from '../../input/decode.ts'
import type { AuthContext } from '../context.ts'
import type { RingRules } from '../signing/key-ring.ts'
import {
  type ListedSigningKey,
  listKeyRing,
  type PublicJwk,
  publicKeys,
  rotateKeyRing,
} from '../signing/signing-keys.ts'
import { tokenRing } from '../signing/token-ring.ts'
import { issuerOf } from './token-set.ts'

const ringOf = (auth: AuthContext): RingRules => tokenRing(issuerOf(auth).tokens)

/** Options of {@link rotateSigningKeys}. */
export interface RotateSigningKeysOptions {
  /**
   * Whether all other keys, and with them all access tokens, end at once: after a key was stolen (default `false`: the new key signs when
   * everyone can know it, and the others end after the last token that they have signed).
   */
  readonly revoke?: boolean
}

const decodeOptions = exactly<RotateSigningKeysOptions>({ revoke: optional(flag) })

/**
 * Makes a new key for access tokens, before it is due by `tokens.signing_key_rotation_days`; none if one is waiting already for its turn
 * to sign. Returns all keys then.
 *
 * @throws {GatehouseError} `TokensDisabled`
 */
export async function rotateSigningKeys(
  auth: AuthContext,
  given: RotateSigningKeysOptions = {},
): Promise<readonly ListedSigningKey[]> {
  const options = decodeInput('options', decodeOptions, given)
  return rotateKeyRing(auth, ringOf(auth), options)
}

/**
 * The keys for access tokens that are valid, the one that signs last of all at the end; none before the first token.
 *
 * @throws {GatehouseError} `TokensDisabled`
 */
export async function listSigningKeys(auth: AuthContext): Promise<readonly ListedSigningKey[]> {
  return listKeyRing(auth, ringOf(auth))
}

/**
 * The public keys that verify access tokens, for `/.well-known/jwks.json`.
 *
 * @throws {GatehouseError} `TokensDisabled`
 * @see RFC 7517, section 5
 */
export async function getJwks(auth: AuthContext): Promise<{ readonly keys: readonly PublicJwk[] }> {
  return { keys: await publicKeys(auth, ringOf(auth)) }
}
