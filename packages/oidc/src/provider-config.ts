import { type AuthContext, isGatehouseError } from '@gatehouse/core'
import { parseUrl } from '@gatehouse/core/adapter'
import { getUser, maySignIn } from '@gatehouse/core/auth'
import type { Account, Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { assuranceLevels } from './assurance-levels.ts'
import { claimsByScope, claimsOf } from './claims.ts'
import { metadataProblem } from './client-metadata.ts'
import { exchangeOf } from './dispatch.ts'
import { endpointPaths, interactionPath } from './endpoint-paths.ts'
import { existingGrant } from './grants.ts'
import type { SigningKeySet } from './keys.ts'
import { countRequest } from './limits.ts'
import { createModelAdapter } from './model-adapter.ts'
import { createPolicy } from './policy.ts'
import { clientMetadata } from './provider-clients.ts'
import { providerPages } from './provider-pages.ts'
import { resourceServerOf } from './resources.ts'
import { sessionSeconds } from './session-mirror.ts'
import { type OidcSettings, standardScopes } from './settings.ts'

const languages = ['en', 'de', 'fr', 'es', 'ja', 'ar']

/** Algorithms of signatures and encryption. None uses the secret of a client, so digests of secrets are enough. */
const signing = ['RS256', 'ES256'] as const

/** The configuration of the library. */
export function providerConfig(
  auth: AuthContext,
  settings: OidcSettings,
  keys: SigningKeySet,
): Configuration {
  const { basePath, lifetimes, scopes } = settings
  const pages = providerPages(auth, settings)
  const routes = Object.entries(endpointPaths).map(([name, path]) => [name, `${basePath}${path}`])
  return {
    adapter: createModelAdapter(auth),
    clients: [...settings.clients.values()].map((client) => clientMetadata(client, settings)),
    jwks: { keys: keys.keys.map((key) => ({ ...key })) } as Configuration['jwks'],
    cookies: cookiesOf(auth, settings),
    routes: Object.fromEntries(routes),
    claims: {
      ...claimsByScope(settings),
      // Every ID token says how and when the person has signed in.
      openid: ['sub', 'acr', 'amr', 'auth_time'],
      iss: null,
      sid: null,
    },
    scopes: [...Object.keys(standardScopes), ...scopes.keys()],
    acrValues: assuranceLevels,
    responseTypes: ['code'],
    subjectTypes: ['public'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clockTolerance: 5,
    features: featuresOf(auth, settings, pages),
    renderError: pages.renderError,
    fetch: fetchFor(settings),
    findAccount: (ctx, id) => findAccount(auth, settings, ctx, id),
    loadExistingGrant: (ctx) => existingGrant(auth, settings, ctx),
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: async (_ctx, { scopes: asked }) => !asked.has('offline_access'),
    revokeGrantPolicy: ({ oidc }) =>
      oidc.route !== 'revocation' || oidc.entities.RefreshToken !== undefined,
    interactions: {
      policy: createPolicy(settings),
      url: (_ctx, { uid }) => `${basePath}${interactionPath}/${uid}`,
    },
    clientBasedCORS: (_ctx, origin, client) =>
      client.clientAuthMethod === 'none' &&
      (client.redirectUris ?? []).some((uri) => parseUrl(uri)?.origin === origin),
    ttl: {
      AccessToken: (_ctx, token) =>
        token.resourceServer?.accessTokenTTL ?? lifetimes.accessTokenSeconds,
      AuthorizationCode: lifetimes.codeSeconds,
      ClientCredentials: (_ctx, token) =>
        token.resourceServer?.accessTokenTTL ?? lifetimes.accessTokenSeconds,
      DeviceCode: lifetimes.deviceCodeSeconds,
      Grant: lifetimes.grantSeconds,
      IdToken: lifetimes.idTokenSeconds,
      Interaction: lifetimes.interactionSeconds,
      RefreshToken: lifetimes.refreshTokenSeconds,
      Session: () => sessionSeconds(auth),
    },
    discovery: { ui_locales_supported: languages },
    enabledJWA: {
      idTokenSigningAlgValues: [...signing],
      clientAuthSigningAlgValues: [...signing],
      userinfoSigningAlgValues: [...signing],
    },
  }
}

function cookiesOf(
  { config, secrets }: AuthContext,
  { basePath }: OidcSettings,
): NonNullable<Configuration['cookies']> {
  const prefix = `${config.current.http.cookie_prefix}oidc_`
  const common = { httpOnly: true, sameSite: 'lax', signed: true } as const
  return {
    names: {
      session: `${prefix}session`,
      interaction: `${prefix}interaction`,
      resume: `${prefix}resume`,
    },
    long: { ...common, path: basePath },
    short: common,
    // The same in all processes. A cookie that an earlier secret has signed still counts.
    keys: [...secrets.macs('oidc cookies', 'keys')],
  }
}

/**
 * Requests of the library go only to public addresses, because apps that have registered themselves name them. What the owner has
 * configured may be anywhere.
 */
function fetchFor({ clients }: OidcSettings): NonNullable<Configuration['fetch']> {
  const uris = [...clients.values()].flatMap(({ backchannelLogoutUri: uri }) => uri ?? [])
  const trusted = new Set(uris.map((uri) => new URL(uri).href))
  return (url, options) => {
    const { dispatcher: _guard, ...unguarded } = { dispatcher: undefined, ...options }
    return globalThis.fetch(url, trusted.has(String(url)) ? unguarded : options)
  }
}

/** Whether a document about a client may be fetched for the sender of a request, who could make this server send many. */
async function mayFetch(auth: AuthContext, ctx: KoaContextWithOIDC): Promise<boolean> {
  try {
    await countRequest(auth, 'client_document', exchangeOf(ctx.req).info.peer?.address)
    return true
  } catch (error) {
    if (isGatehouseError(error) && error.reason === 'RateLimited') return false
    throw error
  }
}

function featuresOf(
  auth: AuthContext,
  settings: OidcSettings,
  pages: ReturnType<typeof providerPages>,
): NonNullable<Configuration['features']> {
  const { registration, deviceFlow, clientIdMetadata } = settings
  return {
    devInteractions: { enabled: false },
    backchannelLogout: { enabled: true },
    clientCredentials: { enabled: true },
    dPoP: { enabled: true },
    introspection: {
      enabled: true,
      // An API asks about tokens of other clients; what has no secret may ask only about its own.
      allowedPolicy: async (_ctx, client, token) =>
        client.clientAuthMethod !== 'none' || token.clientId === client.clientId,
    },
    revocation: {
      enabled: true,
      allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
    },
    pushedAuthorizationRequests: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: async (_ctx, _client, oneOf) => oneOf ?? [],
      // A token is for the API that was asked for at the token endpoint, else for userinfo.
      useGrantedResource: async () => true,
      getResourceServerInfo: async (_ctx, identifier, client) =>
        resourceServerOf(settings, identifier, client.clientId),
    },
    rpInitiatedLogout: { enabled: true, ...pages.rpInitiatedLogout },
    userinfo: { enabled: true },
    deviceFlow: { enabled: deviceFlow, ...pages.deviceFlow },
    registration: {
      enabled: registration !== 'off',
      initialAccessToken:
        typeof registration === 'string' ? false : registration.initialAccessToken,
      issueRegistrationAccessToken: false,
    },
    ...(clientIdMetadata
      ? {
          clientIdMetadataDocument: {
            enabled: true,
            ack: 'draft-02',
            allowFetch: (ctx) => mayFetch(auth, ctx),
            allowClient: async (_ctx, client) => metadataProblem(client.metadata()) === undefined,
          },
        }
      : {}),
  }
}

/** The user, if the user may sign in now. Claims are read only where they are asked for. */
async function findAccount(
  auth: AuthContext,
  settings: OidcSettings,
  ctx: KoaContextWithOIDC,
  id: string,
): Promise<Account | undefined> {
  if (!(await maySignIn(auth, id))) return undefined
  return {
    accountId: id,
    async claims(_use, scope) {
      const asked = scope.split(' ').filter((name) => name !== '')
      if (asked.every((name) => name === 'openid' || name === 'offline_access')) return { sub: id }
      const user = await getUser(auth, id)
      const { clientId = '', clientName = clientId } = ctx.oidc.client ?? {}
      const client = { clientId, name: clientName }
      const own = await settings.claims?.(user, { scopes: asked, client })
      return { ...claimsOf(user, settings, own) }
    },
  }
}
