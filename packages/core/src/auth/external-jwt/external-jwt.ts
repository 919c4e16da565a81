import type { JsonObject } from '../../storage/storage.ts'

/** An issuer whose tokens supply login IDs at a sign-up. */
export interface ExternalJwtIssuer {
  /** Compared with the claim `iss` as it is. */
  readonly iss: string
  /** A token must be for one of these; if there are none, for any or for none. */
  readonly aud: readonly string[]
  /** Where the issuer publishes its keys; `undefined` if they are in `jwks`. */
  readonly jwks_uri: string | undefined
  /** The issuer's public keys. @see RFC 7517, section 5 */
  readonly jwks: JsonObject | undefined
  /** How far the clocks of the issuer and of this machine may differ. */
  readonly clock_skew_seconds: number
  /** The names of the claims in the issuer's tokens. */
  readonly claims: ExternalJwtClaims
}

/** The names of claims. */
export interface ExternalJwtClaims {
  readonly email: string
  readonly email_verified: string
  readonly phone_number: string
  readonly phone_number_verified: string
  readonly preferred_username: string
}

/** A verified token. */
export interface VerifiedJwt {
  readonly issuer: ExternalJwtIssuer
  readonly claims: JsonObject
}

/** Verifies tokens of other issuers. @see `createExternalJwtVerifier` of `@gatehouse/core/external-jwt` */
export interface ExternalJwtVerifier {
  /**
   * Verifies a token by the issuer that it names. Returns `undefined` if it is not valid.
   *
   * @throws {GatehouseError} `OAuthProtocolError` if the issuer's keys cannot be fetched.
   */
  verify(issuers: readonly ExternalJwtIssuer[], token: string): Promise<VerifiedJwt | undefined>
}
