import { decodeInput, rawText } from '../../input/decode.ts'
import { retryOnConflict } from '../../storage/storage.ts'
import { ownedRemovals } from '../accounts/owned-records.ts'
import { userCollection } from '../collections.ts'
import type { AuthContext } from '../context.ts'
import { userNotFound } from '../errors.ts'
import { hostEvent, outboxWrites } from '../events/outbox.ts'

/**
 * Removes a user and everything that belongs to the user. The user's login IDs become free for others.
 *
 * @throws {GatehouseError} `UserNotFound`
 */
export async function deleteUser(auth: AuthContext, id: string): Promise<void> {
  const userId = decodeInput('id', rawText, id)
  const { storage } = auth
  await retryOnConflict(async () => {
    const user = await userCollection.get(storage, userId)
    if (user === undefined) throw userNotFound({})
    const event = hostEvent(auth, 'user.deleted', { user: { id: userId } }, userId)
    await storage.commit([
      userCollection.remove(userId, user.version),
      ...(await ownedRemovals(storage, userId)),
      ...outboxWrites(auth, [event]),
    ])
  })
}
