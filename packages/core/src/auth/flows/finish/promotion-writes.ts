import type { Storage, Write } from '../../../storage/storage.ts'
import { maxOfAKind } from '../../accounts/accounts.ts'
import { isAnonymous, noAnonymousUser } from '../../accounts/anonymous.ts'
import { identityKey } from '../../accounts/identities.ts'
import { identityCollection, identityKeyCollection } from '../../accounts/identity-record.ts'

/**
 * The writes that make an anonymous user a regular one. Call after reading the version of the user's record, which guards them:
 * of two concurrent promotions of one user, one succeeds.
 *
 * @throws {GatehouseError} `UserNotFound` if the user is not anonymous any more.
 */
export async function promotionWrites(storage: Storage, userId: string): Promise<readonly Write[]> {
  const query = { by: 'user_id', equals: userId, limit: maxOfAKind } as const
  const identities = await identityCollection.find(storage, query)
  if (!isAnonymous(identities.map(({ value }) => value))) throw noAnonymousUser()
  return identities.flatMap(({ id, value, version }) => [
    identityCollection.remove(id, version),
    identityKeyCollection.remove(identityKey(value)),
  ])
}
