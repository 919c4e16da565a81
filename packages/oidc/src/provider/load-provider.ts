import type { EventEmitter } from 'node:events'
import type { AuthContext } from '@gatehouse/core'
import { logout, revokeSession } from '@gatehouse/core/auth'
import { type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { leaveApp } from '../apps/apps.ts'
import { findApp } from '../apps/grants.ts'
import type { NotifiedClient } from '../apps/notify-apps.ts'
import { digestsOf, isSecretOf } from '../clients/provider-clients.ts'
import type { OidcSettings } from '../config/settings.ts'
import { exchangeOf, type LoadedProvider } from '../exchange/dispatch.ts'
import type { SigningKeySet } from '../keys.ts'
import { reportReuse, reusedIn } from '../models/model-adapter.ts'
import { mirrorSessions, sessionSeconds } from '../sessions/session-mirror.ts'
import { providerConfig } from './provider-config.ts'

/** Makes the library's object for these settings and keys. It takes both only when it is made. */
export function loadProvider(
  auth: AuthContext,
  settings: OidcSettings,
  keys: SigningKeySet,
): LoadedProvider {
  const config = providerConfig(auth, settings, keys)
  const provider = new Provider(settings.issuer, config)
  // The headers that it then believes are set by `nodePair`.
  provider.proxy = true
  provider.use(withholdEnded(auth))
  compareDigests(provider, settings)
  keepPeopleFromMachines(provider)
  notifyLater(provider)
  mirrorSessions(provider, {
    endSession: (id) => endSession(auth, id),
    cookie: config.cookies?.long ?? {},
    seconds: sessionSeconds(auth),
  })
  const logFault = (ctx: KoaContextWithOIDC, error: unknown): void => {
    const { faultId: tracking_id, info } = exchangeOf(ctx.req)
    const fields = { err: error, path: info.path.slice(0, 200), tracking_id }
    auth.logger.error(fields, 'a request to the authorization server failed')
  }
  provider.on('server_error', logFault)
  // Without a listener, Koa writes to stderr what failed outside of the library's own handlers.
  const emitter: EventEmitter = provider
  emitter.on('error', (error: { readonly expose?: boolean }, ctx: KoaContextWithOIDC) => {
    if (error.expose !== true) logFault(ctx, error)
  })
  provider.on('grant.revoked', (ctx) => {
    const { route, client, entities } = ctx.oidc
    const userId = route === 'token' ? reusedIn(ctx) : undefined
    const leaver = route === 'revocation' ? entities.RefreshToken?.accountId : undefined
    const clientId = client?.clientId
    if (userId !== undefined) {
      reportReuse(auth, { userId, clientId }).catch((error: unknown) => {
        auth.logger.error({ err: error }, 'cannot record that a token was used again')
      })
    }
    if (leaver === undefined || clientId === undefined) return
    leaveApp(auth, { userId: leaver, clientId }).catch((error: unknown) => {
      auth.logger.error({ err: error }, 'cannot take back an app that revoked its own tokens')
    })
  })
  provider.on('backchannel.error', (_ctx, error, { clientId: client_id }) => {
    auth.logger.warn({ error: String(error), client_id }, 'an app was not notified of a sign-out')
  })
  return { provider, handle: provider.callback() }
}

/** Tokens of an app that was taken back while they were made are not given out: an API would take a JWT until it expires. */
const withholdEnded =
  (auth: AuthContext) =>
  async (ctx: KoaContextWithOIDC, next: () => Promise<unknown>): Promise<void> => {
    await next()
    // Other paths have no such context.
    const { oidc } = ctx as Partial<KoaContextWithOIDC>
    const { accountId, clientId } = oidc?.entities.Grant ?? {}
    if (oidc?.route !== 'token' || ctx.status !== 200) return
    if (accountId === undefined || clientId === undefined) return
    if ((await findApp(auth, accountId, clientId)) !== undefined) return
    ctx.status = 400
    ctx.body = { error: 'invalid_grant', error_description: 'the app was taken back' }
  }

/** The library keeps only digests of secrets, and a client may have two while one replaces the other. */
function compareDigests(provider: Provider, settings: OidcSettings): void {
  Object.defineProperty(provider.Client.prototype, 'compareClientSecret', {
    value(this: InstanceType<Provider['Client']>, given: string) {
      const { clientId, clientSecret = '' } = this
      return isSecretOf(digestsOf(settings, clientId) ?? [clientSecret], given)
    },
  })
}

/** A machine acts for no person: without an API its token has no scopes, because those that are left are about people. */
function keepPeopleFromMachines({ ClientCredentials }: Provider): void {
  const { save } = ClientCredentials.prototype
  Object.defineProperty(ClientCredentials.prototype, 'save', {
    value(this: InstanceType<Provider['ClientCredentials']>) {
      if (this.aud === undefined) Object.assign(this, { scope: undefined })
      return save.call(this)
    },
  })
}

/**
 * Apps are notified once the session has ended, however it ends. So the library does not do it while a person waits, except where only
 * the app that asks ends its session.
 */
function notifyLater({ Client }: Provider): void {
  const prototype = Client.prototype as unknown as NotifiedClient
  const notify = prototype.backchannelLogout
  Object.defineProperty(prototype, 'backchannelLogout', {
    async value(this: NotifiedClient, userId: string, sid: string) {
      if (Provider.ctx?.oidc.params?.logout === undefined) await notify.call(this, userId, sid)
    },
  })
}

/** Ends a Gatehouse session because the person has signed out at the authorization server. */
async function endSession(auth: AuthContext, id: string): Promise<void> {
  const { ctx } = Provider
  const exchange = ctx && exchangeOf(ctx.req)
  const session = await exchange?.session()
  if (exchange === undefined || session?.id !== id) return revokeSession(auth, id)
  const cookie = exchange.request.headers.get('cookie')
  const headers = { get: (name: string) => (name === 'cookie' ? cookie : null) }
  exchange.cookies.push(...(await logout(auth, { headers })))
}
