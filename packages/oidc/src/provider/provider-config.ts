import type { AuthContext } from '@gatehouse/core'
import { parseUrl } from '@gatehouse/core/adapter'
import { getUser, maySignIn } from '@gatehouse/core/auth'
import {
  type Account,
  type Configuration,
  errors,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'
import { existingGrant } from '../apps/grants.ts'
import { metadataProblem } from '../clients/client-metadata.ts'
import { clientMetadata } from '../clients/provider-clients.ts'
import { resourceServerOf } from '../clients/resources.ts'
import { oidcChoices } from '../config/options.ts'
import { type OidcSettings, standardScopes } from '../config/settings.ts'
import { endpointPaths, interactionPath } from '../endpoint-paths.ts'
import { exchangeOf } from '../exchange/dispatch.ts'
import type { SigningKeySet } from '../keys.ts'
import { countRequest } from '../limits.ts'
import { createModelAdapter } from '../models/model-adapter.ts'
import { wordsOf } from '../pages/words/languages.ts'
import { assuranceLevels } from '../sessions/assurance-levels.ts'
import { sessionSeconds, signedInSession } from '../sessions/session-mirror.ts'
import { claimsByScope, claimsOf } from './claims.ts'
import { createPolicy } from './policy.ts'
import { providerPages } from './provider-pages.ts'

/** Algorithms of signatures and encryption. None uses the secret of a client, so digests of secrets are enough. */
const signing = oidcChoices.idTokenAlg

/** The configuration of the library. */
export function providerConfig(
  auth: AuthContext,
  settings: OidcSettings,
  keys: SigningKeySet,
): Configuration {
  const { basePath, lifetimes, scopes } = settings
  const pages = providerPages(auth, settings)
  const policy = createPolicy(settings)
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
    fetch: fetchFor(auth, settings),
    // All subjects are public.
    sectorIdentifierUriValidate: () => false,
    // The types lack it.
    ...{ fetchResponseBodyLimits },
    assertJwtClientAuthClaimsAndHeader: async (_ctx, claims) => checkAssertion(auth, claims),
    findAccount: (ctx, id) => findAccount(auth, settings, ctx, id),
    loadExistingGrant: (ctx) => existingGrant(auth, settings, ctx),
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: async (_ctx, { scopes: asked }) => !asked.has('offline_access'),
    revokeGrantPolicy: ({ oidc }) =>
      oidc.route !== 'revocation' || oidc.entities.RefreshToken !== undefined,
    interactions: {
      policy,
      url: (_ctx, { uid }) => `${basePath}${interactionPath}/${uid}`,
    },
    clientBasedCORS: (_ctx, origin, client) =>
      client.clientAuthMethod === 'none' &&
      // The URI of an app on a device has the same origin as every sandboxed page.
      origin !== 'null' &&
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
    discovery: {
      ui_locales_supported: Object.keys(wordsOf),
      prompt_values_supported: ['none', ...policy.map(({ name }) => name)],
    },
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
function fetchFor(
  auth: AuthContext,
  { clients }: OidcSettings,
): NonNullable<Configuration['fetch']> {
  const uris = [...clients.values()].flatMap(({ backchannelLogoutUri: uri }) => uri ?? [])
  const trusted = new Set(uris.map((uri) => new URL(uri).href))
  return async (url, options) => {
    const { dispatcher: guard, ...unguarded } = { dispatcher: undefined, ...options }
    if (trusted.has(String(url))) return globalThis.fetch(url, unguarded)
    // Where the library cannot make its guard, it only warns.
    if (guard === undefined) {
      throw new TypeError('requests to addresses of apps cannot be guarded here')
    }
    if (options?.method === 'GET') await countFetch(auth)
    return globalThis.fetch(url, options)
  }
}

/** The sender of a request could make this server fetch many documents of apps. @throws {GatehouseError} `RateLimited` */
async function countFetch(auth: AuthContext): Promise<void> {
  const { ctx } = Provider
  await countRequest(auth, 'client_document', ctx && exchangeOf(ctx.req).info.peer?.address)
}

type Client = InstanceType<Provider['Client']>
type TokenOfClient = {
  readonly kind: string
  readonly clientId?: string | undefined
  readonly accountId?: string | undefined
}

/**
 * Whether a client may know of a token: of its own, and an API, which has a secret by the owner, of access tokens of others. A token
 * of a user who may not sign in any more is not active.
 */
async function mayIntrospect(
  auth: AuthContext,
  { clients }: OidcSettings,
  { clientId }: Client,
  token: TokenOfClient,
): Promise<boolean> {
  const isApi = (clients.get(clientId)?.secrets.length ?? 0) > 0 && token.kind !== 'RefreshToken'
  if (token.clientId !== clientId && !isApi) return false
  return token.accountId === undefined || (await maySignIn(auth, token.accountId))
}

/** How long a client may say that what it authenticates with is valid: it is remembered for as long. */
const maxAssertionSeconds = 3_600

/** @see RFC 7523, section 3, for an end that is too far away */
function checkAssertion({ clock }: AuthContext, { exp }: { readonly exp?: unknown }): void {
  const seconds = Number(exp) - clock.now() / 1_000
  if (!(seconds <= maxAssertionSeconds)) {
    throw new errors.InvalidClientAuth('the client assertion is valid for more than an hour')
  }
}

/** How long a document is that an app publishes, in bytes. */
const fetchResponseBodyLimits = {
  'client_id metadata document': 16_384,
  jwks_uri: 65_536,
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
      allowedPolicy: (_ctx, client, token) => mayIntrospect(auth, settings, client, token),
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
  // There is a session only while its user may sign in.
  const session = await signedInSession(exchangeOf(ctx.req))
  if (session?.user_id !== id && !(await maySignIn(auth, id))) return undefined
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
