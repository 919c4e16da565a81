import type { AuthContext, Json, UserDetails } from '@gatehouse/core'

/** The words that some options of a client may be. */
export const oidcChoices = {
  type: ['web', 'spa', 'native', 'service'],
  consent: ['ask', 'never'],
  grantTypes: [
    'authorization_code',
    'refresh_token',
    'client_credentials',
    'urn:ietf:params:oauth:grant-type:device_code',
  ],
  /** RS256 is what every client of OpenID Connect understands. */
  idTokenAlg: ['RS256', 'ES256'],
} as const

/** How an app gets tokens. The default of a client follows from its type. */
export type OidcGrantType = (typeof oidcChoices.grantTypes)[number]

/**
 * The kind of an app: `web` has a server that keeps a secret, `spa` runs in the browser, `native` on a device, and `service` is a
 * machine without people.
 */
export type OidcClientType = (typeof oidcChoices.type)[number]

/** A text for people: one for all, or one for each language, by its tag. */
export type OidcText = string | Readonly<Record<string, string>>

/** An app that may ask for tokens. */
export interface OidcClient {
  /** 1 to 128 visible ASCII characters; not a URL. */
  readonly clientId: string
  /** The name on the consent page. */
  readonly name: string
  /** `web` has a server that keeps a secret, `spa` runs in the browser, `native` on a device, `service` without people. */
  readonly type: OidcClientType
  /** Its secret, which `web` and `service` need: at least 24 visible ASCII characters. Give two while you replace one by another. */
  readonly clientSecret?: string | readonly string[] | undefined
  /**
   * Where people are sent back to. They are compared character by character, but for the port of a loopback address of a `native`
   * app. Needed by all but `service`.
   *
   * @see RFC 9700, section 2.1; RFC 8252, section 7
   */
  readonly redirectUris?: readonly string[] | undefined
  /** Where people may be sent after they have signed out (default: nowhere; they see a page). */
  readonly postLogoutRedirectUris?: readonly string[] | undefined
  /** The scopes that it may ask for (default: all, but only those of its `resources`). */
  readonly scopes?: readonly string[] | undefined
  /** `never` for apps of your own: people are not asked whether it may have what it asks for (default `ask`). */
  readonly consent?: (typeof oidcChoices.consent)[number] | undefined
  /** How it gets tokens (default: by its type). */
  readonly grantTypes?: readonly OidcGrantType[] | undefined
  /** The identifiers of the APIs that it may ask tokens for (default none). */
  readonly resources?: readonly string[] | undefined
  /** Where the server posts a logout token when a session ends, however it ends (default none). @see OpenID Connect Back-Channel Logout 1.0 */
  readonly backchannelLogoutUri?: string | undefined
  /** Its logo on the consent page (default none). */
  readonly logoUri?: string | undefined
  /** Its own page (default none). */
  readonly uri?: string | undefined
  /** Its privacy policy, which the consent page links to (default none). */
  readonly policyUri?: string | undefined
  /** Its terms of service, which the consent page links to (default none). */
  readonly tosUri?: string | undefined
  /** Whether authorization requests must be pushed (default `false`). @see RFC 9126 */
  readonly requirePar?: boolean | undefined
  /** Whether its tokens must be bound to a key (default `false`). @see RFC 9449 */
  readonly requireDpop?: boolean | undefined
  /** The algorithm that signs its ID tokens (default `RS256`). */
  readonly idTokenAlg?: (typeof oidcChoices.idTokenAlg)[number] | undefined
}

/** An API that access tokens are for. @see RFC 8707 */
export interface OidcResource {
  /** An absolute URI without a fragment, which apps send as `resource` and the API finds in `aud`. */
  readonly identifier: string
  /** Its name on the consent page (default: the identifier). */
  readonly name?: OidcText | undefined
  /** What apps may ask for at the API. */
  readonly scopes: readonly string[]
  /** What each scope allows, for the consent page (default: its name). */
  readonly descriptions?: Readonly<Record<string, OidcText>> | undefined
  /** How long its access tokens are valid (default: that of `lifetimes`). */
  readonly accessTokenSeconds?: number | undefined
}

/** A scope of your own. */
export interface OidcScope {
  /** The claims that it gives: names of standard or custom attributes of users, or of what `claims` returns. */
  readonly claims: readonly string[]
  /** What it allows, for the consent page (default: its name). */
  readonly description?: OidcText | undefined
}

/** How long what apps get is valid, in seconds. */
export interface OidcLifetimes {
  /** How long an access token is valid (default 300). */
  readonly accessTokenSeconds?: number | undefined
  /** How long a refresh token is valid; each use gives a new one (default 30 days). */
  readonly refreshTokenSeconds?: number | undefined
  /** How long an ID token is valid (default 300). */
  readonly idTokenSeconds?: number | undefined
  /** How long a code can be redeemed (default 60). */
  readonly codeSeconds?: number | undefined
  /** How long people have to sign in and consent (default 1 hour). */
  readonly interactionSeconds?: number | undefined
  /** How long people have to enter the code of a device (default 10 minutes). */
  readonly deviceCodeSeconds?: number | undefined
  /** When an app must ask again, even if it has used its refresh tokens (default 1 year). */
  readonly grantSeconds?: number | undefined
}

/** What the claims of a user are for, as the option `claims` is told. */
export interface OidcClaimsRequest {
  /** The scopes that the app was given. */
  readonly scopes: readonly string[]
  /** The app that asks. */
  readonly client: { readonly clientId: string; readonly name: string }
}

/** Options of {@link createOidcProvider} that may change while it runs. */
export interface OidcSettingsOptions {
  /** The apps. */
  readonly clients: readonly OidcClient[]
  /** The page to sign in (default `/login` below `http.base_path`, the page of `@gatehouse/sign-in`). */
  readonly signInPath?: string | undefined
  /** The page to sign up, for `prompt=create` (default `signInPath`; if that is not given either, `/signup` below `http.base_path`). */
  readonly signUpPath?: string | undefined
  /** The APIs that access tokens may be for (default none). */
  readonly resources?: readonly OidcResource[] | undefined
  /** Scopes of your own, beside `openid profile email phone address offline_access roles groups` (default none). */
  readonly scopes?: Readonly<Record<string, OidcScope>> | undefined
  /** Further claims of a user. A claim is given with a scope that names it (default none). */
  readonly claims?:
    | ((
        user: UserDetails,
        request: OidcClaimsRequest,
      ) => Readonly<Record<string, Json>> | Promise<Readonly<Record<string, Json>>>)
    | undefined
  /** The custom attribute of users that has their roles (default `x_role`). */
  readonly roleAttribute?: string | undefined
  /** The custom attribute of users that has their groups (default `x_groups`). */
  readonly groupAttribute?: string | undefined
  /**
   * Whether apps may register themselves: `open` for all, or with a token of at least 24 characters (default `off`).
   *
   * @see RFC 7591
   */
  readonly registration?: 'off' | 'open' | { readonly initialAccessToken: string } | undefined
  /** Whether the id of a client may be the https URL of a document about it, as MCP clients have one (default `false`). */
  readonly clientIdMetadata?: boolean | undefined
  /** Whether devices without a browser may ask people for a code (default `false`). @see RFC 8628 */
  readonly deviceFlow?: boolean | undefined
  /** How long what apps get is valid (default: see `OidcLifetimes`). */
  readonly lifetimes?: OidcLifetimes | undefined
}

/** Options of {@link createOidcProvider}. */
export interface OidcOptions extends OidcSettingsOptions {
  /** The service, whose flows, sessions and storage it uses. */
  readonly auth: AuthContext
  /**
   * The issuer: `http.public_origin`, or a URL below it (default: `http.public_origin`). It is https, or http on this machine.
   */
  readonly issuer?: string | undefined
  /** The path of the endpoints (default `/oidc`). */
  readonly basePath?: string | undefined
}
