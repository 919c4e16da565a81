import type { Instant, Storage } from '@gatehouse/core'
import type { Collection, Write } from '@gatehouse/core/store'
import type { BackupRecord } from './backup-file.ts'
import { keyProblem } from './verify-snapshot.ts'

/** Records per commit. */
const batchSize = 500

/** The result of {@link restoreBackup}. */
export interface Restored {
  readonly written: number
  /** Records that expired since the backup was made. */
  readonly expired: number
  /** Records that are not JSON, or that a storage would refuse. */
  readonly unusable: number
}

/** Options of {@link restoreBackup}. */
export interface RestoreOptions {
  readonly collections: readonly Collection[]
  readonly now: Instant
}

/**
 * Writes the records of a backup to an empty storage through the Storage interface. Records that it would refuse are left out.
 *
 * @throws {Error} if the storage is not empty, or a collection is unknown.
 */
export async function restoreBackup(
  storage: Storage,
  records: AsyncIterable<BackupRecord>,
  { collections, now }: RestoreOptions,
): Promise<Restored> {
  await refuseRecords(storage, collections)
  const byName = new Map(collections.map((collection) => [collection.name, collection]))
  let batch: Write[] = []
  let written = 0
  let expired = 0
  let unusable = 0
  const flush = async (): Promise<void> => {
    await storage.commit(batch)
    written += batch.length
    batch = []
  }
  for await (const { collection: name, id, value, expires_at: expiresAt } of records) {
    const collection = byName.get(name)
    if (collection === undefined) throw unknownCollection(name)
    if (value === undefined || keyProblem(collection, value) !== undefined) {
      unusable++
      continue
    }
    if (expiresAt !== undefined && expiresAt <= now) {
      expired++
      continue
    }
    const expiry = expiresAt === undefined ? {} : { expiresAt }
    batch.push({ collection, id, value, if: 'absent', ...expiry })
    if (batch.length === batchSize) await flush()
  }
  if (batch.length > 0) await flush()
  return { written, expired, unusable }
}

/** The backup has a collection that this version does not use. */
export const unknownCollection = (name: string): Error =>
  new Error(
    `the backup has records of "${name}", which is unknown to this version: use a newer version`,
  )

async function refuseRecords(storage: Storage, collections: readonly Collection[]): Promise<void> {
  for (const collection of collections) {
    const [found] = await storage.find(collection, { by: 'id', limit: 1 })
    if (found !== undefined) {
      throw new Error(`the storage is not empty: it has records of ${collection.name}`)
    }
  }
}
