import { decodeInput, rawText } from '../../input/decode.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import type { Session } from '../flow/session/session.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { requestContext } from '../flows/operation-input.ts'
import { endSessions, type SessionsToEnd } from '../sessions/end-sessions.ts'
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
  await endSessionsOf(auth, session, { ids: [id], termination_type: 'individual', context })
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
  return await endSessionsOf(auth, session, {
    ids,
    termination_type: 'all_except_current',
    context,
  })
}

/** The sessions to end, and the request that ends them. */
interface HeldSessions extends Pick<SessionsToEnd, 'ids' | 'termination_type'> {
  readonly context: RequestContext
}

/** Ends sessions of a user, who may have asked for it. Returns their number. @see `endSessions` */
export const endSessionsOf = (
  auth: AuthContext,
  holder: AccountHolder,
  { context, ...how }: HeldSessions,
): Promise<number> =>
  endSessions(auth, {
    ...how,
    eventOf: accountEvents(auth, holder, { ...context, name: 'revoke_sessions' }),
  })
