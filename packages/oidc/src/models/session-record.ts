import type { AuthContext, Session } from '@gatehouse/core'
import { getSession } from '@gatehouse/core/auth'
import type { OidcSettings } from '../config/settings.ts'
import type { ModelRecord } from './model-record.ts'

/** An app that a session was used for. */
export interface SessionApp {
  readonly clientId: string
  /** What the app knows the session by. */
  readonly sid: string
}

/** The apps that a session of the library was used for, and that want to know when it ends. */
export function appsToNotify(
  { clients }: Pick<OidcSettings, 'clients'>,
  { payload }: ModelRecord,
): readonly SessionApp[] {
  return Object.entries(Object(payload.authorizations)).flatMap(([clientId, authorization]) => {
    const { sid } = Object(authorization)
    const isWanted = clients.get(clientId)?.backchannelLogoutUri !== undefined
    return isWanted && typeof sid === 'string' ? [{ clientId, sid }] : []
  })
}

/** A session that only these apps are still to be notified of. */
export function withApps(record: ModelRecord, apps: readonly SessionApp[]): ModelRecord {
  const authorizations = Object.fromEntries(apps.map(({ clientId, sid }) => [clientId, { sid }]))
  return { ...record, payload: { ...record.payload, authorizations } }
}

/** Whether this is the Gatehouse session that a session of the library is bound to. */
export const isSameSession = (
  { session_id: sessionId, user_id: userId }: ModelRecord,
  session: Pick<Session, 'id' | 'user_id'> | undefined,
): boolean => session !== undefined && session.id === sessionId && session.user_id === userId

/** Whether the Gatehouse session still counts that a session of the library is bound to. One that is bound to none always does. */
export async function isStillBound(auth: AuthContext, record: ModelRecord): Promise<boolean> {
  const { session_id: sessionId } = record
  return sessionId === undefined || isSameSession(record, await getSession(auth, sessionId))
}
