import { retryOnConflict } from '../../storage/storage.ts'
import { sessionCollection } from '../accounts/session-record.ts'
import type { AuthContext } from '../context.ts'
import type { AuthEvent } from '../events/auth-event.ts'
import { commitWithEvents } from '../events/outbox.ts'

/** The sessions of a user to end. */
export interface SessionsToEnd {
  readonly ids: readonly string[]
  readonly termination_type: 'individual' | 'all' | 'all_except_current'
  /** Creates the event that reports those that ended. */
  eventOf(type: string, about: AuthEvent['payload']): AuthEvent
}

/**
 * Ends sessions with an event. Of two concurrent calls each reports only the sessions it has ended. Returns their number. @see
 * Authgear, event `user.session.terminated`
 */
export function endSessions(
  auth: AuthContext,
  { ids, termination_type, eventOf }: SessionsToEnd,
): Promise<number> {
  return retryOnConflict(async () => {
    const stored = await sessionCollection.getAll(auth.storage, ids)
    const ended = stored.flatMap((one) => one ?? [])
    if (ended.length === 0) return 0
    const sessions = ended.map(({ id }) => ({ id }))
    await commitWithEvents(
      auth,
      ended.map(({ id, version }) => sessionCollection.remove(id, version)),
      [eventOf('user.session.terminated', { sessions, termination_type })],
    )
    auth.counters.sessionsEnded(ended.length)
    return ended.length
  })
}
