import { retryOnConflict } from '../../storage/storage.ts'
import { withoutOwnDeletion } from '../accounts/account-status.ts'
import { userCollection } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import { eventUser } from '../events/event-records.ts'
import { commitWithEvents, hostEvent } from '../events/outbox.ts'
import type { UnwantedDeletion } from '../notices/keep-account-code.ts'

/**
 * Keeps the account of a user who wanted it deleted, as a sign-in does that says so. Says whether it stays: it does not once it is due,
 * nor if the deletion is another one, as the app's.
 */
export async function withdrawDeletion(
  auth: AuthContext,
  { user_id: id, delete_at }: UnwantedDeletion,
): Promise<boolean> {
  return retryOnConflict(async () => {
    const stored = await userCollection.get(auth.storage, id)
    if (stored === undefined) return false
    const { value: user, version } = stored
    // The button was pressed twice, or a sign-in came first.
    if (user.delete_at === null) return true
    const now = auth.clock.now()
    const kept = withoutOwnDeletion(user, now)
    if (user.delete_at !== delete_at || kept === user) return false
    const changed = { ...kept, updated_at: now }
    const about = { user: eventUser({ ...changed, id }) }
    await commitWithEvents(
      auth,
      [userCollection.write(id, changed, { if: version })],
      [hostEvent(auth, 'user.deletion_unscheduled', about, id, 'system')],
    )
    return true
  })
}
