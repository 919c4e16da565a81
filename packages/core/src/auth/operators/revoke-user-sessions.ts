import { decodeInput, rawText } from '../../input/decode.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import { endSessionsOf } from '../own-account/own-sessions.ts'
import { listSessions } from '../sessions/list-sessions.ts'

/**
 * Ends a session of a user, with an event.
 *
 * @throws {GatehouseError} `SessionNotFound`, also for one of another user.
 */
export async function revokeUserSession(
  auth: AuthContext,
  userId: string,
  sessionId: string,
): Promise<void> {
  const id = decodeInput('sessionId', rawText, sessionId)
  const all = await listSessions(auth, userId)
  const how = { ids: [id], termination_type: 'individual', context: {} } as const
  if (all.some((one) => one.id === id) && (await endSessionsOf(auth, userId, how)) > 0) return
  throw authError('NotFound', 'SessionNotFound', 'session not found')
}

/** Ends all sessions of a user, with one event. Returns how many there were. */
export async function revokeUserSessions(auth: AuthContext, userId: string): Promise<number> {
  const ids = (await listSessions(auth, userId)).map(({ id }) => id)
  return endSessionsOf(auth, userId, { ids, termination_type: 'all', context: {} })
}
