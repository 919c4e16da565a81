import type { AuthEvent, Storage } from '@gatehouse/core'
import { authCollections } from '@gatehouse/core/auth'
import type { Collection } from '@gatehouse/core/store'
import type { UserRecord } from '../src/auth/accounts/user-record.ts'
import { userCollection } from '../src/auth/accounts/user-record.ts'

/** The collection that a vector inspects or changes directly. */

function collectionOf(name: string): Collection {
  const collection = authCollections.find((one) => one.name === name)
  if (collection === undefined) throw new Error(`there is no collection ${name}`)
  return collection
}

const all = { by: 'id', limit: 1_000 } as const

/** The number of records in each collection. */
export async function countRecords(
  storage: Storage,
  names: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {}
  for (const name of names) found[name] = (await storage.find(collectionOf(name), all)).length
  return found
}

/** All events that the host has received. */
export async function waitingEvents(storage: Storage): Promise<readonly AuthEvent[]> {
  const records = await storage.find(collectionOf('auth_outbox'), all)
  return records.map(({ value }) => Object(value).event)
}

/** Changes the record of a user directly in the storage. */
export async function overwriteUser(
  storage: Storage,
  userId: string,
  changes: Partial<UserRecord>,
): Promise<void> {
  const record = await userCollection.get(storage, userId)
  if (record === undefined) throw new Error(`there is no user ${userId}`)
  await storage.commit([userCollection.write(userId, { ...record.value, ...changes })])
}
