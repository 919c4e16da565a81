import type { TokenClaims } from '../../access-tokens/token-verifier.ts'

/** The sender of a request with an access token, where a route takes them beside sessions. */
export interface AccessTokenSession {
  readonly kind: 'access_token'
  /** The user on whose behalf the client asks; `null` where it asks on its own. */
  readonly user_id: string | null
  readonly client_id: string | null
  readonly scopes: readonly string[]
  readonly claims: TokenClaims
}

/** What the claims of a token say of its sender. A client that asks on its own is the subject. @see RFC 9068, section 2.2 */
export function accessTokenSession(
  claims: TokenClaims,
  scopes: readonly string[],
): AccessTokenSession {
  const { sub } = claims
  const client_id = typeof claims.client_id === 'string' ? claims.client_id : null
  return {
    kind: 'access_token',
    user_id: sub === client_id ? null : sub,
    client_id,
    scopes,
    claims,
  }
}
