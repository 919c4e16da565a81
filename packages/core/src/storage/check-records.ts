import type { ReadableCollection } from './collection.ts'
import {
  type Collection,
  isConflict,
  type Query,
  type Storage,
  type StoredRecord,
} from './storage.ts'

/** A stored record that cannot be decoded. Its value is not shown, because it may be a secret. */
export interface UnreadableRecord {
  readonly collection: string
  readonly id: string
  /** The problem, such as `endsAt: expected an instant`. */
  readonly problem: string
  /** Whether it was removed. A record that changed in the meantime is not. */
  readonly isRemoved: boolean
}

/** Options of {@link checkRecords}. */
export interface CheckRecordsOptions {
  /** The collections of the services, such as `alertsCollections`. */
  collections: readonly Collection[]
  /** Whether to remove records that cannot be decoded (default false). */
  remove?: boolean
}

/** The number of records read at once. */
const pageSize = 500

/**
 * Finds all records that cannot be decoded. Services leave them out, or refuse requests that need them.
 *
 * @throws {GatehouseError} `StorageNewerVersion` at a record that a newer version wrote, because it is not damaged.
 */
export async function* checkRecords(
  storage: Storage,
  { collections, remove = false }: CheckRecordsOptions,
): AsyncIterable<UnreadableRecord> {
  for (const collection of new Set(collections)) {
    if (!isReadable(collection)) continue
    for await (const record of recordsOf(storage, collection)) {
      const problem = collection.decode(record)
      if (typeof problem !== 'string') continue
      const isRemoved = remove && (await isRemovable(storage, collection, record))
      yield { collection: collection.name, id: record.id, problem, isRemoved }
    }
  }
}

const isReadable = (collection: Collection): collection is ReadableCollection =>
  'decode' in collection

async function* recordsOf(storage: Storage, collection: Collection): AsyncIterable<StoredRecord> {
  let query: Query = { by: 'id', limit: pageSize }
  for (;;) {
    const page = await storage.find(collection, query)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    query = { ...query, after: { key: last.id, id: last.id } }
  }
}

async function isRemovable(
  storage: Storage,
  collection: Collection,
  { id, version }: StoredRecord,
): Promise<boolean> {
  try {
    await storage.commit([{ collection, id, value: undefined, if: version }])
    return true
  } catch (error) {
    if (isConflict(error)) return false
    throw error
  }
}
