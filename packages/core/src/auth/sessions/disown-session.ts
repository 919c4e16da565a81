import { retryOnConflict } from '../../storage/storage.ts'
import { deviceTokenCollection } from '../accounts/device-token-record.ts'
import { knownBrowsersCollection } from '../accounts/known-browsers-record.ts'
import { removalsOf } from '../accounts/owned-records.ts'
import { sessionCollection } from '../accounts/session-record.ts'
import type { AuthContext } from '../context.ts'
import { commitWithEvents, hostEvent } from '../events/outbox.ts'
import type { DoubtedSession } from './not-me-code.ts'

/**
 * Ends a session that its user did not begin. No browser is known or trusted any more, so the user is told of the next sign-in
 * from any of them. Does nothing if the session has ended.
 */
export async function disownSession(auth: AuthContext, doubted: DoubtedSession): Promise<void> {
  const { user_id: userId, session_id: id } = doubted
  await retryOnConflict(async () => {
    const session = await sessionCollection.get(auth.storage, id)
    if (session?.value.user_id !== userId) return
    const about = { user: { id: userId }, sessions: [{ id }], termination_type: 'individual' }
    const event = hostEvent(auth, 'user.session.terminated', about, userId, 'system')
    await commitWithEvents(
      auth,
      [
        sessionCollection.remove(id, session.version),
        knownBrowsersCollection.write(userId, { browsers: [] }),
        ...(await removalsOf(auth.storage, deviceTokenCollection, userId)),
      ],
      [event],
    )
    auth.counters.sessionsEnded(1)
  })
}
