import type { Json } from '../../storage/storage.ts'
import type { OAuthProviderConfig } from './oauth-provider.ts'

/** Whether a provider can be used: with the host's own credentials, with demo credentials, or not at all. */
export type OAuthProviderStatus = 'active' | 'missing_credentials' | 'using_demo_credentials'

/** The parameters of an authorization request. */
export interface OAuthAuthorization {
  readonly redirect_uri: string
  readonly response_mode?: 'form_post' | 'query'
  /** The prompts that the authorization session requested, such as `login`. */
  readonly prompt: readonly string[]
  readonly nonce: string
  /** For PKCE, with the method S256. */
  readonly code_challenge: string
}

/** The parameters for redeeming a code. */
export interface OAuthRedemption {
  readonly code: string
  readonly redirect_uri: string
  readonly nonce: string
  /** For PKCE. */
  readonly code_verifier: string
  /**
   * The query of the callback, without a leading `?`, or the form, as far as the client has sent it. Beside the code it may
   * contain the issuer and, from Apple, a name.
   *
   * @see RFC 9207
   */
  readonly query?: string
}

/** A user's profile at a provider. */
export interface OAuthProfile {
  /** The provider's permanent id of the user. */
  readonly subject: string
  /** The standard claims that the provider returned: `email`, `email_verified`, `name`, `picture`, … */
  readonly claims: { readonly [name: string]: Json }
  /** The provider's claims, unchanged. */
  readonly raw: { readonly [name: string]: Json }
}

/** Connects to identity providers. @see `createOAuthClient` of `@gatehouse/core/oauth` */
export interface OAuthClient {
  status(provider: OAuthProviderConfig): OAuthProviderStatus
  /**
   * Builds the authorization URL. It has no `state`: the sign-in page adds and checks it.
   *
   * @throws {GatehouseError} `OAuthProtocolError` if the provider cannot be reached; `InvalidConfiguration` if the
   *   configuration does not work.
   */
  authorizationUrl(provider: OAuthProviderConfig, request: OAuthAuthorization): Promise<string>
  /**
   * Redeems a code, once.
   *
   * @throws {GatehouseError} `OAuthError` if the provider refuses; `OAuthProtocolError` if its answer is invalid.
   */
  redeem(provider: OAuthProviderConfig, redemption: OAuthRedemption): Promise<OAuthProfile>
}
