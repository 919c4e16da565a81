import { decodeInput, rawText } from '../../input/decode.ts'
import { retryOnConflict } from '../../storage/storage.ts'
import { sessionCollection } from '../accounts/session-record.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import { commitWithEvents } from '../events/outbox.ts'
import type { Session } from '../flow/session/session.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { requestContext } from '../flows/operation-input.ts'
import { listPlacedSessions, listSessions, type PlacedSession } from '../sessions/list-sessions.ts'
import { sessionInput } from '../sessions/session-input.ts'
import { type AccountHolder, accountEvents } from './account-holder.ts'
import { checkOwn } from './fresh.ts'

/** A session, listed for its own user. */
export interface OwnSession extends PlacedSession {
  /** Whether it is the session of the request. */
  readonly is_current: boolean
}

/** The sessions of a session's user, newest first. */
export async function listOwnSessions(
  auth: AuthContext,
  of: Session,
): Promise<readonly OwnSession[]> {
  const session = decodeInput('session', sessionInput, of)
  const all = await listPlacedSessions(auth, session.user_id)
  return all.map((one) => ({ ...one, is_current: one.id === session.id }))
}

/**
 * Ends a session of the session's user; it may be that session itself.
 *
 * @throws {GatehouseError} `SessionNotFound`, also for one of another user.
 */
export async function revokeOwnSession(
  auth: AuthContext,
  of: Session,
  sessionId: string,
  given: RequestContext = {},
): Promise<void> {
  const session = decodeInput('session', sessionInput, of)
  const id = decodeInput('id', rawText, sessionId)
  const context = decodeInput('context', requestContext, given)
  if (id !== session.id) checkOwn(session)
  const all = await listSessions(auth, session.user_id)
  if (!all.some((one) => one.id === id)) {
    throw authError('NotFound', 'SessionNotFound', 'session not found')
  }
  await endSessions(auth, session, { ids: [id], termination_type: 'individual', context })
}

/** Ends all sessions of a session's user except that one. Returns how many there were. */
export async function revokeOtherSessions(
  auth: AuthContext,
  of: Session,
  given: RequestContext = {},
): Promise<number> {
  const session = decodeInput('session', sessionInput, of)
  const context = decodeInput('context', requestContext, given)
  checkOwn(session)
  const all = await listSessions(auth, session.user_id)
  const ids = all.map(({ id }) => id).filter((id) => id !== session.id)
  return await endSessions(auth, session, { ids, termination_type: 'all_except_current', context })
}

/** The sessions of a user to end. */
export interface EndedSessions {
  readonly ids: readonly string[]
  readonly termination_type: 'individual' | 'all' | 'all_except_current'
  readonly context: RequestContext
}

/**
 * Ends sessions with an event. Of two concurrent calls each reports only the sessions it has ended. Returns their number. @see
 * Authgear, event `user.session.terminated`
 */
export function endSessions(
  auth: AuthContext,
  holder: AccountHolder,
  { ids, termination_type, context }: EndedSessions,
): Promise<number> {
  const { storage } = auth
  const eventOf = accountEvents(auth, holder, { ...context, name: 'revoke_sessions' })
  return retryOnConflict(async () => {
    const stored = await storage.get(sessionCollection, ids)
    const ended = stored.flatMap((one) => one ?? [])
    if (ended.length === 0) return 0
    const sessions = ended.map(({ id }) => ({ id }))
    const event = eventOf('user.session.terminated', { sessions, termination_type })
    await commitWithEvents(
      auth,
      [...ended.map(({ id, version }) => sessionCollection.remove(id, version))],
      [event],
    )
    return ended.length
  })
}
