import type { TypedCollection } from '../../storage/collection.ts'
import type { Storage, Write } from '../../storage/storage.ts'
import { maxOfAKind } from './accounts.ts'
import { apiKeyRemovals } from './api-key-record.ts'
import { userAttributeCollection } from './attribute-index.ts'
import { authenticatorCollection } from './authenticator-record.ts'
import { deviceTokenCollection } from './device-token-record.ts'
import { identityKey } from './identities.ts'
import { identityCollection, identityKeyCollection } from './identity-record.ts'
import { knownBrowsersCollection } from './known-browsers-record.ts'
import { lockoutCollection } from './lockout-record.ts'
import { passwordHistoryCollection } from './password-history-record.ts'
import { recoveryCodeCollection } from './recovery-code-record.ts'
import { sessionCollection } from './session-record.ts'
import { verifiedClaimCollection } from './verified-claim-record.ts'

type Owned = TypedCollection<{ readonly user_id: string }>

/** All collections of user-owned records, except identities. */
const owned: readonly Owned[] = [
  authenticatorCollection,
  deviceTokenCollection,
  passwordHistoryCollection,
  recoveryCodeCollection,
  sessionCollection,
  userAttributeCollection,
  verifiedClaimCollection,
]

/** The writes that remove all records of a user from a collection. */
export async function removalsOf(
  storage: Storage,
  collection: Owned,
  userId: string,
): Promise<readonly Write[]> {
  const found = await collection.find(storage, {
    by: 'user_id',
    equals: userId,
    limit: maxOfAKind,
  })
  return found.map(({ id }) => collection.remove(id))
}

/** The writes that remove all records of a user. The user's login IDs become free. */
export async function ownedRemovals(storage: Storage, userId: string): Promise<readonly Write[]> {
  const query = { by: 'user_id', equals: userId, limit: maxOfAKind } as const
  const writes: Write[] = [lockoutCollection.remove(userId), knownBrowsersCollection.remove(userId)]
  for (const { id, value, version } of await identityCollection.find(storage, query)) {
    writes.push(
      identityCollection.remove(id, version),
      identityKeyCollection.remove(identityKey(value)),
    )
  }
  writes.push(...(await apiKeyRemovals(storage, userId)))
  for (const collection of owned) writes.push(...(await removalsOf(storage, collection, userId)))
  return writes
}
