import type { JsonObject } from './json-object.ts'

/** What the claims of an ID token must be like. */
export interface ExpectedClaims {
  readonly clientId: string
  readonly nonce: string
  /** Whether it may have no nonce. */
  readonly isNonceOptional: boolean
  /** Who may have issued a token with these claims. */
  issuers(claims: JsonObject): readonly (string | undefined)[]
}

/** Signatures that need a key which nobody but the provider has. A secret that both sides know signs nothing. */
export const idTokenAlgorithms: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'Ed25519',
  'EdDSA',
]

/** How far the clocks of a provider and of this machine may be apart. */
export const clockToleranceSeconds = 60

/**
 * The first claim of an ID token that is not what it must be, if there is one. Its signature, its audience and its times are
 * looked at elsewhere.
 *
 * @see OpenID Connect Core 1.0, section 3.1.3.7
 */
export function findWrongClaim(claims: JsonObject, expected: ExpectedClaims): string | undefined {
  const { iss, aud, azp, nonce } = claims
  if (typeof iss !== 'string' || !expected.issuers(claims).includes(iss)) return 'iss'
  const isForSeveral = Array.isArray(aud) && aud.length > 1
  if ((isForSeveral || azp !== undefined) && azp !== expected.clientId) return 'azp'
  const mayMissNonce = expected.isNonceOptional && nonce === undefined
  return mayMissNonce || nonce === expected.nonce ? undefined : 'nonce'
}
