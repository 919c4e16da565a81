/** The endpoints of a provider. */
export interface OAuthEndpoints {
  /**
   * The discovery document of an OpenID Connect provider, which has all other endpoints. Endpoints given beside it take
   * precedence.
   */
  readonly discovery: string
  /** The issuer of ID tokens. */
  readonly issuer: string
  /** The authorization endpoint, for browsers. */
  readonly authorization: string
  /** The token endpoint, which redeems codes. */
  readonly token: string
  /** The keys of ID tokens, as a JWK Set. */
  readonly jwks: string
  readonly userInfo: string
  /** For `github`: the email addresses of a user. */
  readonly emails: string
}

/** How a client authenticates at the token endpoint. @see RFC 6749, section 2.3.1 */
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
  /** For `github`. */
  readonly emails_endpoint?: string
  readonly response_modes_supported?: string[]
  readonly prompt_values_supported?: string[]
  readonly token_endpoint_auth_methods_supported?: string[]
  /** Whether the provider sends its issuer with the code. @see RFC 9207 */
  readonly authorization_response_iss_parameter_supported?: boolean
  readonly [name: string]: string | string[] | boolean | undefined
}
