/** Where a provider is asked. */
export interface OAuthEndpoints {
  /**
   * The discovery document, of a provider that speaks OpenID Connect: all the rest is in it. What is given beside it goes before
   * what it says.
   */
  readonly discovery: string
  /** Who issues ID tokens. */
  readonly issuer: string
  /** Where browsers are sent to. */
  readonly authorization: string
  /** Where codes are redeemed. */
  readonly token: string
  /** The keys that ID tokens are signed with, as a JWK Set. */
  readonly jwks: string
  readonly userInfo: string
  /** Of `github`: the e-mail addresses of a user. */
  readonly emails: string
}

/** How a client shows who it is at the token endpoint. @see RFC 6749, section 2.3.1 */
export type ClientAuthentication = 'client_secret_basic' | 'client_secret_post'

/**
 * The endpoints of a provider and its other metadata, by the names of its discovery document.
 *
 * @see OpenID Connect Discovery 1.0, section 3
 */
export interface ProviderSite {
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly issuer?: string
  readonly jwks_uri?: string
  readonly userinfo_endpoint?: string
  /** Of `github`. */
  readonly emails_endpoint?: string
  readonly response_modes_supported?: string[]
  readonly prompt_values_supported?: string[]
  readonly token_endpoint_auth_methods_supported?: string[]
  /** Whether it names itself when it sends a browser back. @see RFC 9207 */
  readonly authorization_response_iss_parameter_supported?: boolean
  readonly [name: string]: string | string[] | boolean | undefined
}
