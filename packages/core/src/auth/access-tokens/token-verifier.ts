import type { Json } from '../../storage/storage.ts'
import type { TokenRequest } from './token-request.ts'

/** The claims of a verified access token. @see RFC 9068, section 2.2 */
export interface TokenClaims {
  /** The issuer. */
  readonly iss: string
  /** The user, or the client itself where it asked for the token on its own behalf. */
  readonly sub: string
  /** The APIs that the token is for. */
  readonly aud: string | readonly string[]
  /** When the token ends, in seconds since the Unix epoch. */
  readonly exp: number
  readonly client_id?: string
  /** What the token allows, separated by spaces. */
  readonly scope?: string
  readonly [name: string]: Json | readonly string[] | undefined
}

/** What an access token must be good for. */
export interface TokenDemands {
  /** The scopes that the token must have, all of them: a list, or a text with spaces (default: none). */
  readonly scope?: string | readonly string[] | undefined
  /** The API, or several: the token must be for one of them (default: that of the verifier). */
  readonly audience?: string | readonly string[] | undefined
  /**
   * The origin under which clients reach the API, which DPoP proofs name (default: that of the audience, if it is a URL, else that
   * of the request).
   */
  readonly origin?: string | undefined
}

/** A token, or the request with it, and the demands on it. */
export interface TokenCheck extends TokenDemands {
  /**
   * The request. Its header `Authorization` has the token, with the scheme `Bearer` or `DPoP`. A token that is bound to a key needs
   * the header `DPoP` too.
   */
  readonly request?: TokenRequest | undefined
  /** In place of the request: the token alone, which must not be bound to a key. */
  readonly token?: string | undefined
}

/** Verifies access tokens. @see `createTokenVerifier` */
export interface TokenVerifier {
  /**
   * Verifies an access token and returns its claims.
   *
   * @throws {GatehouseError} `NotAuthenticated` without a token; `InvalidToken`; `InvalidDpopProof`; `InsufficientScope`, whose
   *   `info.missing` names the scopes; `TokenVerifierUnavailable` if the issuer's keys cannot be fetched; `InvalidInput` if neither the
   *   check nor the verifier has an audience.
   */
  verifyToken(check: TokenCheck): Promise<TokenClaims>
}
