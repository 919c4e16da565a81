import type { AuthContext, Instant } from '@gatehouse/core'
import type { EndedSessions } from '@gatehouse/core/auth'
import type { TypedRecord } from '@gatehouse/core/store'
import type { Provider } from 'oidc-provider'
import type { ProviderSource } from '../exchange/provider-source.ts'
import { type ModelRecord, modelCollections } from '../models/model-record.ts'
import { appsToNotify, isStillBound, type SessionApp, withApps } from '../models/session-record.ts'

/** How many apps are notified at once. */
const maxAtOnce = 20

/** For how long an app that failed is left alone, in ms. Meanwhile it holds up nothing else. */
const restMs = 10_000

/** After this time, in ms, the rest waits for the next attempt: other processes believe that this one has stopped after a minute. */
const maxMs = 30_000

/** How many sessions are read at once. */
const maxRead = 500

/** What the library's class of clients has beside its types. */
export interface NotifiedClient {
  /** Sends a logout token. Rejects if the app does not accept it. */
  backchannelLogout(userId: string, sid: string): Promise<void>
}

type SessionRecord = TypedRecord<ModelRecord>

/**
 * Notifies apps that sessions have ended, each at least once. It rejects while an app is left.
 *
 * @see OpenID Connect Back-Channel Logout 1.0
 */
export function createAppNotifier(
  auth: AuthContext,
  source: ProviderSource,
): (ended: EndedSessions) => Promise<void> {
  const { clock, storage, logger } = auth
  const restsUntil = new Map<string, Instant>()

  /** Returns whether there is nothing left to do for the app. */
  const notify = async (
    provider: Provider,
    { clientId, sid }: SessionApp,
    userId: string,
  ): Promise<boolean> => {
    const client = await provider.Client.find(clientId)
    if (client === undefined) return true
    if (clock.now() < (restsUntil.get(clientId) ?? 0)) return false
    try {
      await (client as unknown as NotifiedClient).backchannelLogout(userId, sid)
      restsUntil.delete(clientId)
      return true
    } catch (error) {
      restsUntil.set(clientId, clock.now() + restMs)
      logger.warn(
        { ...failureOf(error), client_id: clientId },
        'an app was not notified of a sign-out',
      )
      return false
    }
  }

  /** Returns the number of apps that are left. */
  const notifyAll = async ({ id, value, version, expiresAt }: SessionRecord): Promise<number> => {
    const { user_id: userId = '' } = value
    const apps = appsToNotify(source.settings, value)
    const left: SessionApp[] = []
    for (let from = 0; from < apps.length; from += maxAtOnce) {
      const { provider } = await source.load()
      const some = apps.slice(from, from + maxAtOnce)
      const done = await Promise.all(some.map((app) => notify(provider, app, userId)))
      left.push(...some.filter((_, index) => done[index] === false))
    }
    const { Session: sessions } = modelCollections
    const expiry = expiresAt === undefined ? {} : { expiresAt }
    await storage.commit([
      left.length === 0
        ? sessions.remove(id)
        : sessions.write(id, withApps(value, left), { if: version, ...expiry }),
    ])
    return left.length
  }

  return async (ended) => {
    const began = clock.monotonic()
    let left = 0
    for (const record of await sessionsOf(auth, ended)) {
      if (clock.monotonic() - began > maxMs) throw new Error('some apps were not notified in time')
      if (!(await isStillBound(auth, record.value))) left += await notifyAll(record)
    }
    if (left > 0) throw new Error(`${left} apps were not notified of a sign-out`)
  }
}

/** The library's sessions that stand for sessions of the service. */
async function sessionsOf(
  { storage }: Pick<AuthContext, 'storage'>,
  { sessions, users }: EndedSessions,
): Promise<readonly SessionRecord[]> {
  const queries = [
    ...sessions.map((equals) => ({ by: 'session_id', equals, limit: maxRead })),
    ...users.map((equals) => ({ by: 'user_id', equals, limit: maxRead })),
  ]
  const found = new Map<string, SessionRecord>()
  for (const query of queries) {
    for (const record of await modelCollections.Session.find(storage, query)) {
      found.set(record.id, record)
    }
  }
  return [...found.values()]
}

/** What the log says of a failure: not the address of the app, which may hold a secret. */
function failureOf(error: unknown): Readonly<Record<string, unknown>> {
  const { response, cause, name } = Object(error)
  const status = Object(response).status
  return status === undefined ? { error: Object(cause).code ?? name } : { status }
}
