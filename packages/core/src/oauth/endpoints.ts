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

/** What a provider tells about itself; what it leaves out is `undefined`. */
export interface ProviderMetadata {
  readonly responseModes?: readonly string[] | undefined
  readonly prompts?: readonly string[] | undefined
  readonly clientAuthentications?: readonly string[] | undefined
  /** Whether it says who it is when it sends a browser back. @see RFC 9207 */
  readonly namesItself?: boolean | undefined
}

/** Where a provider is asked, and what it told about itself. */
export interface ProviderSite extends Partial<Omit<OAuthEndpoints, 'discovery'>> {
  readonly authorization: string
  readonly token: string
  readonly metadata: ProviderMetadata
}
