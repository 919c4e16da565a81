import { decodeInput, exactly, optional, rawText } from '../../input/decode.ts'
import { retryOnConflict } from '../../storage/storage.ts'
import { sessionCollection } from '../accounts/session-record.ts'
import type { AuthContext } from '../context.ts'
import { commitWithEvents, hostEvent } from '../events/outbox.ts'
import type { Session } from '../flow/session/session.ts'
import { clearSessionCookies, type SetCookie } from './cookies.ts'
import { endSessions, type SessionsToEnd } from './end-sessions.ts'
import { listSessions } from './list-sessions.ts'
import { resolveSession, type SessionRequest } from './resolve-session.ts'

/** Ends a session, with an event. Does nothing if it has ended or never existed. */
export async function revokeSession(auth: AuthContext, id: string): Promise<void> {
  const session = await sessionCollection.get(auth.storage, decodeInput('id', rawText, id))
  if (session === undefined) return
  await endForHost(auth, session.value.user_id, [session.id], 'individual')
}

/** Options of {@link revokeAllSessions}. */
export interface RevokeAllSessionsOptions {
  /** The id of a session to keep. */
  readonly except?: string
}

const decodeOptions = exactly<RevokeAllSessionsOptions>({ except: optional(rawText) })

/** Ends all sessions of a user, or all but one, with one event. */
export async function revokeAllSessions(
  auth: AuthContext,
  userId: string,
  options: RevokeAllSessionsOptions = {},
): Promise<void> {
  const { except } = decodeInput('options', decodeOptions, options)
  const ids = (await listSessions(auth, userId)).map(({ id }) => id).filter((id) => id !== except)
  await endForHost(auth, userId, ids, except === undefined ? 'all' : 'all_except_current')
}

async function endForHost(
  auth: AuthContext,
  userId: string,
  ids: readonly string[],
  termination_type: SessionsToEnd['termination_type'],
): Promise<void> {
  const eventOf: SessionsToEnd['eventOf'] = (type, about) =>
    hostEvent(auth, type, { user: { id: userId }, ...about }, userId)
  await endSessions(auth, { ids, termination_type, eventOf })
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
