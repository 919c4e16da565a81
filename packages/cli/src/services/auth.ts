import { isGatehouseError, type Route } from '@gatehouse/core'
import { whoAmI } from '@gatehouse/core/adapter'
import {
  type AuthContext,
  type AuthOptions,
  accountRoutes,
  closeAuth,
  createAuth,
  createHookWebhook,
  createLeakedPasswords,
  getUser,
  type LoadedAuthConfig,
  looksLikeApiKey,
  resolveSession,
  startAuth,
  type UserDetails,
  updateAuthConfig,
  userRoutes,
} from '@gatehouse/core/auth'
import { createPasswordStrength } from '@gatehouse/core/password-strength'
import type { PhoneNumbers } from '@gatehouse/core/phone'
import type { createOidcProvider, OidcProvider } from '@gatehouse/oidc'
import { signInRoutes } from '@gatehouse/sign-in'
import { bearerOf, type SignedIn } from '../access/identify.ts'
import { developmentOrigin } from '../auth/development.ts'
import type { AuthSettings, LoadedAuth } from '../auth/load-auth.ts'
import { createAuthPorts, createLastingPorts, type LastingPorts } from '../auth/ports.ts'
import { providerWarnings } from '../auth/providers.ts'
import { sendToAll } from '../auth/send-to-all.ts'
import { oidcTexts } from '../auth/warnings.ts'
import { createSenders, type OpenSenders } from '../senders/create-senders.ts'
import type { ListenPlace } from '../server/listen-address.ts'
import type { PreparedService, Service, ServicePorts } from '../service.ts'

/** Options of {@link prepareAuth}. */
export interface PrepareAuthOptions {
  readonly loaded: LoadedAuth
  /** Reads the section again. */
  readonly reload: () => Promise<LoadedAuth>
  /** Where the server will listen. */
  readonly places: readonly ListenPlace[]
  readonly isSecure: boolean
  /** Whether the server has a console, which signs in with the pages. */
  readonly hasConsole: boolean
  /** Checks phone numbers; `undefined` checks only their format. */
  readonly phoneNumbers: PhoneNumbers | undefined
  /** Loaded only for a file with an authorization server. */
  readonly createOidcProvider: typeof createOidcProvider | undefined
}

/** Prepares the authentication flow service of a server that is about to start. */
export function prepareAuth(given: PrepareAuthOptions): PreparedService {
  return { create: (shared) => createService(given, shared) }
}

function createService(given: PrepareAuthOptions, shared: ServicePorts): Service {
  const { loaded, places, isSecure, phoneNumbers } = given
  const { settings, portSettings, passkeys } = loaded
  const { maxBodyBytes, secrets, lists } = settings
  const senders = createSenders(settings, shared.logger)
  const config = loaded.configAt(developmentOrigin(places, isSecure))
  const asked = createLastingPorts(createAuthPorts(config, portSettings, passkeys))
  const { storage, logger, metrics, authorize, tracer } = shared
  const auth = createAuth({
    storage,
    logger,
    metrics,
    ...asked.ports,
    ...webhooksOf(settings),
    ...(authorize === undefined ? {} : { authorize }),
    ...(tracer === undefined ? {} : { tracer }),
    config: () => config,
    secrets,
    lists,
    messages: settings.messages,
    environment: process.env,
    auditRetentionMs: settings.auditRetentionMs,
    ...(settings.hookSecret === undefined ? {} : { hookSecret: settings.hookSecret }),
    senders: senders.senders,
    passwordStrength: createPasswordStrength(),
    ...leakedPasswordsOf(settings),
    ...(phoneNumbers === undefined ? {} : { phoneNumbers }),
    ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
  })
  const oidc = loaded.oidc && given.createOidcProvider?.({ auth, ...loaded.oidc })
  return serviceOf({ auth, oidc, senders, asked, subjectOf: shared.subjectOf }, given)
}

/**
 * The account API, and the pages if they are on, which need it. A console needs pages, but shall not open an API that nobody has
 * asked for.
 */
function pageRoutes(
  auth: AuthContext,
  { accountBasePath, pages }: Pick<AuthSettings, 'accountBasePath' | 'pages'>,
  hasConsole: boolean,
): readonly Route[] {
  const account = accountBasePath === undefined ? {} : { basePath: accountBasePath }
  if (pages !== undefined) return signInRoutes(auth, { ...pages, account })
  if (hasConsole) {
    const served = accountBasePath === undefined ? false : account
    // These pages are for operators; mails go to the users of the app.
    const forOperators = { name: 'Gatehouse', after: '/', brandsMessages: false }
    return signInRoutes(auth, { ...forOperators, account: served })
  }
  return accountBasePath === undefined ? [] : accountRoutes(auth, account)
}

function leakedPasswordsOf({
  leakedPasswords: section,
}: AuthSettings): Pick<AuthOptions, 'leakedPasswords'> {
  if (section === undefined) return {}
  const { url } = section
  return { leakedPasswords: createLeakedPasswords(url === undefined ? {} : { url }) }
}

/** Without listeners, no events are kept. */
function webhooksOf({ events, hook }: AuthSettings): Pick<AuthOptions, 'onEvent' | 'hook'> {
  return {
    ...(events.length === 0 ? {} : { onEvent: sendToAll(events) }),
    ...(hook === undefined ? {} : { hook: createHookWebhook(hook) }),
  }
}

/** A created service and its configuration. */
interface MadeAuth {
  readonly auth: AuthContext
  readonly oidc: OidcProvider | undefined
  readonly senders: OpenSenders
  readonly asked: LastingPorts
  readonly subjectOf: ServicePorts['subjectOf']
}

/** An address with many wrong keys is as unknown as one with a wrong key. */
function withoutTooMany(error: unknown): undefined {
  if (isGatehouseError(error) && error.kind === 'TooManyRequest') return undefined
  throw error
}

/** A user as the section `access` knows people. */
function personOf({
  id: userId,
  verified_claims: claims,
  custom_attributes: attributes,
}: UserDetails): SignedIn {
  const emails = claims.filter(({ name }) => name === 'email')
  const addresses = [...new Set([...emails, ...claims])].map(({ value }) => value)
  return { userId, addresses, attributes }
}

function serviceOf(
  { auth, oidc, senders, asked, subjectOf }: MadeAuth,
  { loaded, reload, places, isSecure, hasConsole }: PrepareAuthOptions,
): Service {
  const { http, oauth }: LoadedAuthConfig = auth.config.current
  const { accountBasePath: basePath } = loaded.settings
  let origin = developmentOrigin(places, isSecure)
  return {
    name: 'auth',
    routes: [
      ...auth.routes,
      ...pageRoutes(auth, loaded.settings, hasConsole),
      ...(oidc?.routes ?? []),
      ...(loaded.settings.managesUsers
        ? userRoutes(
            auth,
            subjectOf === undefined ? {} : { subjectOf: (user) => subjectOf(personOf(user)) },
          )
        : []),
    ],
    openApi: auth.openApi,
    whoAmI: (caller) => whoAmI(auth, caller),
    async findSession(request, { peer }) {
      const bearer = bearerOf(request)
      const { tokens, api_keys: keys } = auth.config.current
      const mayBeKey = keys !== undefined && bearer !== undefined && looksLikeApiKey(bearer)
      // Without tokens here only the cookie is read, and that must not make up for a wrong token.
      if (tokens === undefined && bearer !== undefined && !mayBeKey) return undefined
      const from = peer === undefined ? {} : { ip: peer.address }
      const session = await resolveSession(auth, request, { apiKeys: true, ...from }).catch(
        withoutTooMany,
      )
      if (session === undefined) return undefined
      if ('kind' in session) {
        const { scopes, service, user_id: userId } = session
        if (userId === null) return { owner: service ?? '', scopes }
        return { owner: personOf(await getUser(auth, userId)), scopes }
      }
      const { user_id: userId, impersonated_by: operator } = session
      return { ...personOf(await getUser(auth, userId)), operator }
    },
    summary: {
      path: `${http.base_path}/api/v1/authentication_flows`,
      clients: oauth.clients.length,
      ...(basePath === undefined ? {} : { account: `${http.base_path}${basePath}` }),
      ...(loaded.settings.pages === undefined && !hasConsole
        ? {}
        : { pages: `${http.base_path}/login` }),
      ...(oidc === undefined
        ? {}
        : { oidc: oidc.settings.basePath, apps: oidc.settings.clients.size }),
    },
    start(listening) {
      const bound = developmentOrigin(listening, isSecure)
      // The machine chose the port, so the origin is known only now.
      if (loaded.takesOrigin && bound !== origin) {
        updateAuthConfig(auth, () => loaded.configAt(bound))
      }
      origin = bound
      const running = startAuth(auth)
      return {
        async stop() {
          await running.stop()
          senders.close()
        },
      }
    },
    drain: () => closeAuth(auth),
    async reload() {
      const { configAt, portSettings, passkeys, oidc: apps, oidcWarnings } = await reload()
      const config = configAt(origin)
      const ports = createAuthPorts(config, portSettings, passkeys)
      updateAuthConfig(auth, () => config)
      asked.replace(ports)
      if (apps !== undefined) oidc?.update(apps)
      const warnings = [...providerWarnings(config, portSettings), ...oidcTexts(oidcWarnings)]
      for (const warning of warnings) auth.logger.warn({}, warning)
    },
  }
}
