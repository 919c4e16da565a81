import { isGatehouseError, type Route } from '@gatehouse/core'
import {
  createTokenVerifier,
  type ListedSigningKey,
  maySignIn,
  type RotateSigningKeysOptions,
  revokeUserApp,
  type TokenCheck,
  type TokenClaims,
  type TokenVerifier,
} from '@gatehouse/core/auth'
import { createAuthorizedApps } from './apps/apps.ts'
import { findApp } from './apps/grants.ts'
import type { OidcOptions, OidcSettingsOptions } from './config/options.ts'
import { readSettings } from './config/options-input.ts'
import type { OidcSettings } from './config/settings.ts'
import type { LoadedProvider } from './exchange/dispatch.ts'
import { oidcRoutes } from './http/routes.ts'
import { createBridge } from './interactions/bridge.ts'
import { createProviderKeys, type SigningKeySet } from './keys.ts'

/** An app that a person has let in. Instants are in ms since the Unix epoch. */
export interface AuthorizedOidcApp {
  /** The `client_id` of the app. */
  readonly clientId: string
  /** The name of the app; its id if it has none. */
  readonly name: string
  /** What the person has consented to; empty for apps that need no consent. */
  readonly scopes: readonly string[]
  /** The same of each API, by its identifier. */
  readonly resources: Readonly<Record<string, readonly string[]>>
  /** When the person let it in, or let it do more. */
  readonly authorizedAt: number
  /** When it last got tokens. */
  readonly lastUsedAt: number
}

/** An authorization server: OAuth 2.1 and OpenID Connect, with the flows and sessions of the service. */
export interface OidcProvider extends TokenVerifier {
  /** Its HTTP interface, for an adapter. Mount it at the root of the origin, beside the routes of the service. */
  readonly routes: readonly Route[]
  /** The options as they are used now, with their defaults. */
  readonly settings: OidcSettings
  /**
   * Replaces the options that may change while it runs.
   *
   * @throws {GatehouseError} `InvalidInput`; the earlier options stay in use.
   */
  update(options: OidcSettingsOptions): void
  /**
   * Verifies an access token for an API in the same process, which is the `audience` of the check. Unlike in other processes, a
   * token of a person who may not sign in any more is refused at once.
   *
   * @see `TokenVerifier` of core
   */
  verifyToken(check: TokenCheck): Promise<TokenClaims>
  /** The apps that a person has let in. */
  listApps(userId: string): Promise<readonly AuthorizedOidcApp[]>
  /** Ends all tokens of an app for a person, who is asked again from then on. Returns whether the app had been let in. */
  revokeApp(userId: string, clientId: string): Promise<boolean>
  /** The keys that sign tokens. */
  listKeys(): Promise<readonly ListedSigningKey[]>
  /** Makes new keys before they are due; with `revoke`, everything that the others have signed ends at once. */
  rotateKeys(options?: RotateSigningKeysOptions): Promise<readonly ListedSigningKey[]>
}

/**
 * Creates an authorization server on the authentication flow service: apps sign people in through it, and get tokens for APIs.
 *
 * @throws {GatehouseError} `InvalidInput` if an option is invalid, with its place as `path` in `info`.
 * @throws {TypeError} if the service has an authorization bridge already.
 * @example
 * const oidc = createOidcProvider({ auth, clients: [] })
 * const routes = [...auth.routes, ...oidc.routes]
 */
export function createOidcProvider({ auth, ...options }: OidcOptions): OidcProvider {
  const host = auth.config.current.http
  let settings = readSettings(options, host)
  const { issuer, basePath } = settings
  if (auth.bridge.current !== undefined) {
    throw new TypeError('options.auth has an authorization bridge: it serves another server')
  }
  const keys = createProviderKeys(auth)
  let made:
    | (LoadedProvider & { readonly of: readonly [OidcSettings, SigningKeySet, object] })
    | undefined
  const load = async (): Promise<LoadedProvider> => {
    const of = [settings, await keys.current(settings), auth.config.current] as const
    if (made?.of.every((one, at) => one === of[at])) return made
    // With the library, which takes longer to load than the rest of a service.
    const { loadProvider } = await import('./provider/load-provider.ts')
    made = { ...loadProvider(auth, of[0], of[1]), of }
    return made
  }
  const verifier = createTokenVerifier({
    issuer,
    keys: async () => (await keys.current(settings)).keys,
    isRevoked: async ({ sub, client_id = '' }) =>
      sub !== client_id &&
      !((await maySignIn(auth, sub)) && (await findApp(auth, sub, client_id)) !== undefined),
    clock: auth.clock,
    storage: auth.storage,
  })
  const source = {
    get settings() {
      return settings
    },
    load,
  }
  const apps = createAuthorizedApps(auth, () => settings)
  auth.bridge.current = createBridge(auth, source, apps)
  return {
    routes: oidcRoutes(auth, source),
    get settings() {
      return settings
    },
    update(changed) {
      // The issuer stays, even if the origin of the service is another one by now.
      settings = readSettings({ ...changed, issuer, basePath }, host)
    },
    verifyToken: verifier.verifyToken,
    listApps: async (userId) =>
      (await apps.list(auth.storage, userId, 'en')).map((app) => ({
        clientId: app.client_id,
        name: app.name,
        scopes: app.scopes,
        resources: Object.fromEntries(app.resources.map((one) => [one.identifier, one.scopes])),
        authorizedAt: app.authorized_at,
        lastUsedAt: app.last_used_at,
      })),
    revokeApp: (userId, clientId) =>
      revokeUserApp(auth, userId, clientId).then(
        () => true,
        (error: unknown) => {
          if (isGatehouseError(error) && error.reason === 'AppNotFound') return false
          throw error
        },
      ),
    listKeys: () => keys.list(settings),
    rotateKeys: (given = {}) => keys.rotate(settings, given),
  }
}
