import type { Json } from '../../storage/storage.ts'
import type { OAuthProviderConfig } from './oauth-provider.ts'

/** Whether a provider can be used: with credentials of the host's own, with ones for trying, or not at all. */
export type OAuthProviderStatus = 'active' | 'missing_credentials' | 'using_demo_credentials'

/** What a browser is sent to a provider with. */
export interface OAuthAuthorization {
  readonly redirect_uri: string
  readonly response_mode?: 'form_post' | 'query'
  /** What the authorization session asked for, as `login`. */
  readonly prompt: readonly string[]
  readonly nonce: string
  /** Of PKCE, by the method S256. */
  readonly code_challenge: string
}

/** What a code is redeemed with. */
export interface OAuthRedemption {
  readonly code: string
  readonly redirect_uri: string
  readonly nonce: string
  /** Of PKCE. */
  readonly code_verifier: string
  /**
   * The query that the browser came back with, without a leading `?`, or the form; as far as the client has sent it. Beside the code
   * there may be the issuer in it, and at Apple a name.
   *
   * @see RFC 9207
   */
  readonly query?: string
}

/** Whom a provider says somebody is. */
export interface OAuthProfile {
  /** The provider's name for them, which never changes. */
  readonly subject: string
  /** Standard claims, as far as the provider has them: `email`, `email_verified`, `name`, `picture`, … */
  readonly claims: { readonly [name: string]: Json }
  /** What the provider said, as it said it. */
  readonly raw: { readonly [name: string]: Json }
}

/** Speaks to identity providers. @see `createOAuthClient` of `@gatehouse/core/oauth` */
export interface OAuthClient {
  status(provider: OAuthProviderConfig): OAuthProviderStatus
  /**
   * The address a browser is sent to. It holds no `state`: that is the sign-in page's to add and to check.
   *
   * @throws {GatehouseError} `OAuthProtocolError` if the provider cannot be asked; `InvalidConfiguration` if what is configured
   *   cannot be.
   */
  authorizationUrl(provider: OAuthProviderConfig, request: OAuthAuthorization): Promise<string>
  /**
   * Redeems a code, once.
   *
   * @throws {GatehouseError} `OAuthError` if the provider refuses; `OAuthProtocolError` if its answer is not sound.
   */
  redeem(provider: OAuthProviderConfig, redemption: OAuthRedemption): Promise<OAuthProfile>
}
