import type { Json, JsonObject } from '../../storage/storage.ts'
import type { CodeGrant, RedeemedCode } from './code-grant.ts'
import type { ClientAuthentication, OAuthEndpoints } from './endpoints.ts'
import type { ProviderHttp, ProviderRequest } from './http/provider-http.ts'
import type { OAuthRefusal } from './oauth-errors.ts'
import type { OAuthProviderConfig } from './oauth-provider.ts'

/** The unchecked profile of a provider. */
export interface SaidProfile {
  readonly subject: Json | undefined
  /** By the names of standard claims. */
  readonly claims: JsonObject
  readonly raw: JsonObject
}

/** A redeemed code, with access to the provider for reading its user. */
export interface UserSession extends RedeemedCode {
  readonly http: ProviderHttp
  readonly accessToken: string
}

interface CommonKind {
  /** The scopes if the configuration has none. */
  readonly scopes: readonly string[]
  /** The supported values of `prompt`. */
  readonly prompts: readonly string[]
  /** The default value of `prompt`. */
  readonly defaultPrompt?: string
  /** Whether the provider supports PKCE. Others would get unknown parameters. */
  readonly usesPkce: boolean
  /** The supported client authentications; the first that the provider knows is used. */
  readonly clientAuthentications: readonly ClientAuthentication[]
  /**
   * The endpoints of the provider.
   *
   * @throws {GatehouseError} `InvalidConfiguration` if they depend on missing settings.
   */
  endpoints(provider: OAuthProviderConfig): Partial<OAuthEndpoints>
  /** Chooses the `response_mode`, given the one that the client wants, the scopes, and the modes that the provider knows. */
  responseMode(
    wanted: string | undefined,
    scopes: readonly string[],
    known: readonly string[] | undefined,
  ): string | undefined
  /** Applies the provider's peculiarities to the authorization URL. */
  readonly finishAuthorizationUrl?: (url: URL) => void
  /** The request that redeems a code, if it differs from RFC 6749. */
  readonly tokenRequest?: (url: string, grant: CodeGrant) => Omit<ProviderRequest, 'what'>
  /** The refusal in an answer of the token endpoint, if it differs from RFC 6749. */
  readonly readRefusal?: (answer: JsonObject) => OAuthRefusal | undefined
}

/** A kind of OpenID Connect provider: an ID token names the user of the code. */
export interface OpenIdKind extends CommonKind {
  readonly protocol: 'openid'
  /** Whether an ID token must have the nonce, or only must not have a wrong one. */
  readonly nonce: 'required' | 'if_given'
  /** The claim with the permanent id of a user. */
  readonly subject: 'sub' | 'oid'
  /** Whether some claims come only from the user-info endpoint. */
  readonly asksUserInfo: boolean
  /** Whether a discovery document at this URL may name this issuer. */
  isDocumentOf(issuer: string, discoveryUrl: string): boolean
  /** The allowed issuers of an ID token with these claims, given the issuer in the discovery document. */
  issuers(issuer: string, claims: JsonObject): readonly (string | undefined)[]
  /** The standard claims in the provider's claims, and in the query of the callback. */
  claims(said: JsonObject, query: URLSearchParams): JsonObject
}

/** A kind of provider with its own API behind OAuth 2.0. */
export interface OAuth2Kind extends CommonKind {
  readonly protocol: 'oauth2'
  /** Reads the user of an access token. */
  getUser(session: UserSession): Promise<SaidProfile>
}

/** A kind of provider, and how it differs from others. */
export type ProviderKind = OpenIdKind | OAuth2Kind
