import { type AuthEvent, authCollections, type Collection, type Storage } from '@gatehouse/core'
import type { UserRecord } from '../src/auth/accounts/records.ts'
import { userCollection } from '../src/auth/collections.ts'

/** What a vector looks at, or puts, behind the service's back. */

function collectionOf(name: string): Collection {
  const collection = authCollections.find((one) => one.name === name)
  if (collection === undefined) throw new Error(`there is no collection ${name}`)
  return collection
}

const all = { by: 'id', limit: 1_000 } as const

/** How many records there are, by collection. */
export async function countRecords(
  storage: Storage,
  names: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {}
  for (const name of names) found[name] = (await storage.find(collectionOf(name), all)).length
  return found
}

/** What the host is told, from the beginning. */
export async function toldEvents(storage: Storage): Promise<readonly AuthEvent[]> {
  const records = await storage.find(collectionOf('auth_outbox'), all)
  return records.map(({ value }) => Object(value).event)
}

/** Changes the record of a user as somebody else would who writes to the same storage. */
export async function overwriteUser(
  storage: Storage,
  userId: string,
  changes: Partial<UserRecord>,
): Promise<void> {
  const record = await userCollection.get(storage, userId)
  if (record === undefined) throw new Error(`there is no user ${userId}`)
  await storage.commit([userCollection.write(userId, { ...record.value, ...changes })])
}
