import { decodeInput, exactly, flag, optional } from '../../input/decode.ts'
import type { Instant } from '../../time/clock.ts'
import type { AuthContext } from '../context.ts'
import { hasNext, signingKeyOf, validKeys } from '../signing/key-ring.ts'
import {
  addKey,
  type PublicJwk,
  publicKeys,
  readKeyRing,
  replaceKeys,
  tokenMs,
} from '../signing/signing-keys.ts'
import { issuerOf } from './token-set.ts'

/** A key, without its private part. */
export interface ListedSigningKey {
  readonly kid: string
  readonly created_at: Instant
  /** From when it signs. */
  readonly active_from: Instant
  /** `next` is published and does not sign yet; `retiring` does not sign any more, and its tokens are still valid. */
  readonly state: 'next' | 'signing' | 'retiring'
}

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
  const { revoke = false } = decodeInput('options', decodeOptions, given)
  const { tokens } = issuerOf(auth)
  if (revoke) await replaceKeys(auth, () => true)
  else await addKey(auth, tokens, (ring) => !hasNext(ring, auth.clock.now()))
  return listSigningKeys(auth)
}

/**
 * The keys for access tokens that are valid, the one that signs last of all at the end; none before the first token.
 *
 * @throws {GatehouseError} `TokensDisabled`
 */
export async function listSigningKeys(auth: AuthContext): Promise<readonly ListedSigningKey[]> {
  const now = auth.clock.now()
  const ring = await readKeyRing(auth)
  const signing = signingKeyOf(ring, now)
  return validKeys(ring, now, tokenMs(issuerOf(auth).tokens)).map((key) => {
    const { kid, created_at, active_from } = key
    const old = kid === signing?.kid ? 'signing' : 'retiring'
    return { kid, created_at, active_from, state: active_from > now ? 'next' : old }
  })
}

/**
 * The public keys that verify access tokens, for `/.well-known/jwks.json`.
 *
 * @throws {GatehouseError} `TokensDisabled`
 * @see RFC 7517, section 5
 */
export async function getJwks(auth: AuthContext): Promise<{ readonly keys: readonly PublicJwk[] }> {
  return { keys: await publicKeys(auth, issuerOf(auth).tokens) }
}
