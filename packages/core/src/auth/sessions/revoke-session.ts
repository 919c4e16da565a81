import { decodeInput, exactly, optional, rawText } from '../../input/decode.ts'
import { retryOnConflict } from '../../storage/storage.ts'
import { sessionCollection } from '../accounts/session-record.ts'
import type { AuthContext } from '../context.ts'
import { commitWithEvents, hostEvent } from '../events/outbox.ts'
import type { Session } from '../flow/session/session.ts'
import { clearSessionCookies, type SetCookie } from './cookies.ts'
import { listSessions } from './list-sessions.ts'
import { resolveSession, type SessionRequest } from './resolve-session.ts'

/** Ends a session. Does nothing if it has ended or never existed. */
export async function revokeSession(auth: AuthContext, id: string): Promise<void> {
  // Hosts pass on ids from clients, and not every text is a valid id for a removal.
  const session = await sessionCollection.get(auth.storage, decodeInput('id', rawText, id))
  if (session === undefined) return
  await auth.storage.commit([sessionCollection.remove(session.id)])
  auth.counters.sessionsEnded(1)
}

/** Options of {@link revokeAllSessions}. */
export interface RevokeAllSessionsOptions {
  /** The id of a session to keep. */
  readonly except?: string
}

const decodeOptions = exactly<RevokeAllSessionsOptions>({ except: optional(rawText) })

/** Ends all sessions of a user, or all but one. */
export async function revokeAllSessions(
  auth: AuthContext,
  userId: string,
  options: RevokeAllSessionsOptions = {},
): Promise<void> {
  const { except } = decodeInput('options', decodeOptions, options)
  const ended = (await listSessions(auth, userId)).filter(({ id }) => id !== except)
  if (ended.length === 0) return
  await auth.storage.commit(ended.map(({ id }) => sessionCollection.remove(id)))
  auth.counters.sessionsEnded(ended.length)
}

/** Ends the session of a request. Returns the cookies that delete the session's cookies, needed even if there was no session. */
export async function logout(
  auth: AuthContext,
  request: SessionRequest,
): Promise<readonly SetCookie[]> {
  const session = await resolveSession(auth, request)
  if (session !== undefined) await signOut(auth, session)
  return clearSessionCookies(auth.config.current)
}

/** If two calls race, one removes the session, and only that one emits an event. */
function signOut(
  auth: AuthContext,
  { id, user_id: userId, impersonated_by: operator }: Session,
): Promise<void> {
  return retryOnConflict(async () => {
    const stored = await sessionCollection.get(auth.storage, id)
    if (stored === undefined) return
    const acting = operator === undefined ? {} : { impersonator: { id: operator } }
    const payload = { user: { id: userId }, session: { id }, ...acting }
    const event = hostEvent(auth, 'user.signed_out', payload, userId)
    await commitWithEvents(auth, [sessionCollection.remove(id, stored.version)], [event])
    auth.counters.sessionsEnded(1)
  })
}
