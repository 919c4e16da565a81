import { decodeInput, rawText } from '../../input/decode.ts'
import { retryOnConflict } from '../../storage/storage.ts'
import { ownedRemovals } from '../accounts/owned-records.ts'
import type { UserRecord } from '../accounts/user-record.ts'
import { userCollection } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import { userNotFound } from '../errors.ts'
import { commitWithEvents, hostEvent } from '../events/outbox.ts'

/** Whose decision the end of a user is. */
export interface UserEnd {
  readonly triggeredBy: 'admin_api' | 'system'
  /** Whether the user as stored now still meets its end. */
  readonly isDue: (user: UserRecord) => boolean
}

const byHost: UserEnd = { triggeredBy: 'admin_api', isDue: () => true }

/**
 * Removes a user and everything that belongs to the user. The user's login IDs become free for others.
 *
 * @throws {GatehouseError} `UserNotFound`
 */
export async function deleteUser(auth: AuthContext, id: string): Promise<void> {
  await removeUser(auth, decodeInput('id', rawText, id), byHost)
}

/** {@link deleteUser} if the user is still due. */
export async function removeUser(auth: AuthContext, userId: string, end: UserEnd): Promise<void> {
  const { bridge, storage } = auth
  const apps = await retryOnConflict(async () => {
    const user = await userCollection.get(storage, userId)
    if (user === undefined) throw userNotFound({})
    if (!end.isDue(user.value)) return undefined
    const apps = await bridge.current?.apps?.end(storage, userId)
    const payload = { user: { id: userId } }
    const writes = [
      userCollection.remove(userId, user.version),
      ...(await ownedRemovals(storage, userId)),
      ...(apps?.writes ?? []),
    ]
    const event = hostEvent(auth, 'user.deleted', payload, userId, end.triggeredBy)
    await commitWithEvents(auth, writes, [event])
    return apps
  })
  await apps?.clear()
}
