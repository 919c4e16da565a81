import type { Storage, Write } from '../../storage/storage.ts'
import { mostOfAKind } from '../accounts/accounts.ts'
import { isAnonymous, noAnonymousUser } from '../accounts/anonymous.ts'
import { identityKey } from '../accounts/identities.ts'
import { identityCollection, identityKeyCollection } from '../collections.ts'

/**
 * What takes from somebody that they are anonymous. To be read after the version of their user, which guards it: of two that promote
 * one user one does.
 *
 * @throws {GatehouseError} `UserNotFound` if they are not anonymous any more.
 */
export async function promotionWrites(storage: Storage, userId: string): Promise<readonly Write[]> {
  const query = { by: 'user_id', equals: userId, limit: mostOfAKind } as const
  const identities = await identityCollection.find(storage, query)
  if (!isAnonymous(identities.map(({ value }) => value))) throw noAnonymousUser()
  return identities.flatMap(({ id, value, version }) => [
    identityCollection.remove(id, version),
    identityKeyCollection.remove(identityKey(value)),
  ])
}
