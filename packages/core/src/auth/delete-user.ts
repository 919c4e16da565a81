import type { TypedCollection } from '../collection.ts'
import { retryOnConflict, type Write } from '../storage.ts'
import { loginIdKey, mostOfAKind } from './accounts.ts'
import {
  authenticatorCollection,
  deviceTokenCollection,
  identityCollection,
  identityKeyCollection,
  lockoutCollection,
  passwordHistoryCollection,
  recoveryCodeCollection,
  sessionCollection,
  userCollection,
  verifiedClaimCollection,
} from './collections.ts'
import type { AuthContext } from './context.ts'
import { userNotFound } from './errors.ts'
import { hostEvent, outboxWrites } from './outbox.ts'

/** Everything that says whose it is. */
const owned: readonly TypedCollection<{ readonly user_id: string }>[] = [
  authenticatorCollection,
  deviceTokenCollection,
  passwordHistoryCollection,
  recoveryCodeCollection,
  sessionCollection,
  verifiedClaimCollection,
]

/**
 * Removes a user and all that belongs to them. Their login IDs can be taken by others from then on.
 *
 * @throws {GatehouseError} `UserNotFound`
 */
export function deleteUser(auth: AuthContext, userId: string): Promise<void> {
  const { storage } = auth
  return retryOnConflict(async () => {
    const user = await userCollection.get(storage, userId)
    if (user === undefined) throw userNotFound({})
    const query = { by: 'user_id', equals: userId, limit: mostOfAKind } as const
    const writes: Write[] = [
      userCollection.remove(userId, user.version),
      lockoutCollection.remove(userId),
    ]
    for (const { id, value, version } of await identityCollection.find(storage, query)) {
      writes.push(
        identityCollection.remove(id, version),
        identityKeyCollection.remove(loginIdKey(value.login_id_type, value.unique_key)),
      )
    }
    for (const collection of owned) {
      const found = await collection.find(storage, query)
      writes.push(...found.map(({ id }) => collection.remove(id)))
    }
    const event = hostEvent(auth, 'user.deleted', { user: { id: userId } }, userId)
    await storage.commit([...writes, ...outboxWrites(auth, [event])])
  })
}
