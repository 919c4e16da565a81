import type { AuthContext, Session as GatehouseSession } from '@gatehouse/core'
import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { type Exchange, exchangeOf } from '../exchange/dispatch.ts'

type ProviderSession = InstanceType<Provider['Session']>

/** A session of the library, with the Gatehouse session that it stands for. */
export interface MirroredSession extends ProviderSession {
  readonly id: string
  gatehouseSession?: string
}

/** Members of the library's sessions that its types lack. */
interface SessionClass {
  new (payload?: object): MirroredSession
  get(ctx: KoaContextWithOIDC): Promise<MirroredSession>
  readonly IN_PAYLOAD: readonly string[]
  readonly prototype: MirroredSession
}

/**
 * The Gatehouse session that an app may be let in by: that of the browser, unless an operator acts as the user in it, which the user
 * has not agreed to.
 */
export async function signedInSession(exchange: Exchange): Promise<GatehouseSession | undefined> {
  const session = await exchange.session()
  return session?.impersonated_by === undefined ? session : undefined
}

/** The facts of a Gatehouse session that the library needs. @see OpenID Connect Core, section 2 */
export const loginOf = (
  session: GatehouseSession,
): { accountId: string; ts: number; amr: string[]; acr: string } => ({
  accountId: session.user_id,
  ts: Math.floor(session.authenticated_at / 1_000),
  amr: [...session.amr],
  acr: `aal${session.aal}`,
})

export interface MirrorOptions {
  endSession(id: string): Promise<void>
  /** The attributes of the cookie of a session. */
  readonly cookie: NonNullable<NonNullable<Configuration['cookies']>['long']>
  /** How long a session lasts. */
  readonly seconds: number
}

/**
 * Makes the library's session of a browser the mirror of its Gatehouse session: the person who is signed in here is signed in there, with
 * the same factors at the same time, and nobody else is. A sign-out there ends the Gatehouse session.
 */
export function mirrorSessions(
  provider: Provider,
  { endSession, cookie, seconds }: MirrorOptions,
): void {
  const model = provider.Session as unknown as SessionClass
  const find = model.get.bind(model)
  const payload = [...model.IN_PAYLOAD, 'gatehouseSession']
  const destroy = model.prototype.destroy
  Object.defineProperty(model, 'IN_PAYLOAD', { get: () => payload })
  Object.defineProperty(model, 'get', {
    value: async (ctx: KoaContextWithOIDC): Promise<MirroredSession> => {
      const current = await signedInSession(exchangeOf(ctx.req))
      const found = await find(ctx)
      const session = found.gatehouseSession === current?.id ? found : new model({})
      if (current !== undefined) {
        const { accountId, ts: loginTs, amr, acr } = loginOf(current)
        const isSame = session.gatehouseSession === current.id && session.loginTs === loginTs
        Object.assign(session, { accountId, loginTs, amr, acr, gatehouseSession: current.id })
        if (!isSame) Object.defineProperty(session, 'touched', { writable: true, value: true })
      }
      ctx.oidc.entity('Session', session)
      return session
    },
  })
  const persist = model.prototype.persist
  Object.defineProperty(model.prototype, 'persist', {
    async value(this: MirroredSession) {
      if (typeof this.exp === 'number') return persist.call(this)
      // The page for a failed request of a device has a form, which needs a session. The library makes it too late to store it.
      const { ctx } = provider.constructor as typeof Provider
      ctx?.oidc.cookies.set(provider.cookieName('session'), this.id, cookie)
      return this.save(seconds)
    },
  })
  Object.defineProperty(model.prototype, 'destroy', {
    async value(this: MirroredSession) {
      if (this.gatehouseSession === undefined) return destroy.call(this)
      // It counts no more without the other one. Until its apps are notified of the end, its record says which they are.
      Object.assign(this, { destroyed: true })
      await endSession(this.gatehouseSession)
    },
  })
}

/** Whether the library's session is still that of the browser: a login that was finished before may have ended since. */
export async function isSessionOfBrowser(ctx: KoaContextWithOIDC): Promise<boolean> {
  const current = await signedInSession(exchangeOf(ctx.req))
  const { session } = ctx.oidc
  const { gatehouseSession } = session as MirroredSession
  return gatehouseSession === current?.id && session?.accountId === current?.user_id
}

/** How long the library's session of a browser is kept, in seconds: its Gatehouse session may be used for as long. */
export const sessionSeconds = ({ config }: Pick<AuthContext, 'config'>): number =>
  config.current.session.lifetime_seconds
