/** The user of an ID token. */
export interface IdTokenUser {
  readonly user_id: string
  /** The session in which the token was issued, as in the claim `sid`. A `reauth` flow renews it without the session's cookie. */
  readonly session_id?: string
}

/**
 * Returns the user that an ID token names (an id alone names no session), or `undefined` for a token that the host did not issue
 * to its own clients with a valid signature. Expired tokens are accepted: they identify a user, they do not prove presence. A
 * rejection is a fault of the host, answered with 500.
 */
export type IdTokenVerifier = (token: string) => Promise<string | IdTokenUser | undefined>
