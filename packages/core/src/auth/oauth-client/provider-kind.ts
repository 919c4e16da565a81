import type { Json } from '../../storage/storage.ts'
import type { CodeGrant, RedeemedCode } from './code-grant.ts'
import type { ClientAuthentication, OAuthEndpoints } from './endpoints.ts'
import type { ProviderHttp, ProviderRequest } from './http/provider-http.ts'
import type { JsonObject } from './json-object.ts'
import type { OAuthRefusal } from './oauth-errors.ts'
import type { OAuthProviderConfig } from './oauth-provider.ts'

/** What a provider says of somebody, before any of it is checked. */
export interface SaidProfile {
  readonly subject: Json | undefined
  /** By the names of standard claims. */
  readonly claims: JsonObject
  readonly raw: JsonObject
}

/** A redeemed code, and by what to ask whose it was. */
export interface UserSession extends RedeemedCode {
  readonly http: ProviderHttp
  readonly accessToken: string
}

interface CommonKind {
  /** What is asked for where the configuration names no scopes. */
  readonly scopes: readonly string[]
  /** The values of `prompt` that it understands. */
  readonly prompts: readonly string[]
  /** The value of `prompt` where nobody asks for one. */
  readonly defaultPrompt?: string
  /** Whether it takes part in PKCE. To one that does not, the parameters would be unknown ones. */
  readonly usesPkce: boolean
  /** How the client may show who it is; the first that the provider knows is taken. */
  readonly clientAuthentications: readonly ClientAuthentication[]
  /**
   * Where it is asked.
   *
   * @throws {GatehouseError} `InvalidConfiguration` if that depends on something that is not configured.
   */
  endpoints(provider: OAuthProviderConfig): Partial<OAuthEndpoints>
  /** The `response_mode` to ask for, given the one that a client wants, the scopes, and those that the provider knows. */
  responseMode(
    wanted: string | undefined,
    scopes: readonly string[],
    known: readonly string[] | undefined,
  ): string | undefined
  /** Makes what is special of the URL that browsers are sent to. */
  readonly finishAuthorizationUrl?: (url: URL) => void
  /** The request that redeems a code, where it is not that of RFC 6749. */
  readonly tokenRequest?: (url: string, grant: CodeGrant) => Omit<ProviderRequest, 'what'>
  /** The refusal in an answer of the token endpoint, where it is not that of RFC 6749. */
  readonly readRefusal?: (answer: JsonObject) => OAuthRefusal | undefined
}

/** A sort of provider that speaks OpenID Connect: an ID token says whose the code was. */
export interface OpenIdKind extends CommonKind {
  readonly protocol: 'openid'
  /** Whether an ID token must have the nonce, or only the right one if it has any. */
  readonly nonce: 'required' | 'if_given'
  /** The claim that names a user for good. */
  readonly subject: 'sub' | 'oid'
  /** Whether claims are to be had at the user-info endpoint alone. */
  readonly asksUserInfo: boolean
  /** Whether a discovery document that was found at this URL may be that of the issuer it names. */
  isDocumentOf(issuer: string, discoveryUrl: string): boolean
  /** Who may have issued an ID token with these claims, if the provider calls itself so. */
  issuers(issuer: string, claims: JsonObject): readonly (string | undefined)[]
  /** The standard claims in what the provider said, and in the query that the browser came back with. */
  claims(said: JsonObject, query: URLSearchParams): JsonObject
}

/** A sort of provider with an API of its own behind OAuth 2.0. */
export interface OAuth2Kind extends CommonKind {
  readonly protocol: 'oauth2'
  /** Asks whose an access token is. */
  getUser(session: UserSession): Promise<SaidProfile>
}

/** A sort of provider, and how it differs from others. */
export type ProviderKind = OpenIdKind | OAuth2Kind
