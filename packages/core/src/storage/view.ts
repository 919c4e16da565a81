import { shareRuns } from '../async/shared-runs.ts'
import type { Clock } from '../time/clock.ts'
import type { TypedChanges, TypedCollection, TypedRecord } from './collection.ts'
import { createExpiryQueue } from './expiry-queue.ts'
import { type Query, type Revision, type Storage, storageUnavailable } from './storage.ts'

/** An in-memory index over the records of one collection, kept current by a view. Its methods never throw. */
export interface Projection<T> {
  /** Removes all records. */
  clear(): void
  /** Adds a record, or replaces its value. */
  put(record: TypedRecord<T>): void
  /** Removes a record. May name one that was never added. */
  remove(id: string): void
}

/** Keeps a {@link Projection} current with its collection. */
export interface View {
  /**
   * Brings the projection up to date. It then holds every commit acknowledged to this process before the call, and those of other
   * processes within a second. After the returned promise resolves, the projection does not change until the next `await`.
   */
  refresh(): Promise<void>
  /** Grows whenever the projection changes. */
  readonly revision: Revision
  /** The position in the feed of the collection that the projection shows. */
  readonly position: Revision
}

/** Options of {@link createView}. */
export interface ViewOptions<T> {
  storage: Storage
  collection: TypedCollection<T>
  projection: Projection<T>
  clock: Clock
}

/** The number of records read at once when a collection is read again. */
const pageSize = 1_000
/** How often a collection is read again before its feed counts as too fast to follow. */
const maxRebuilds = 10

/**
 * Keeps a projection current with its collection. Callers during a refresh share the next one, which starts after their call. If
 * nothing has changed, a refresh costs one `changes()` of the storage. If the storage fails, the projection stays unchanged, and
 * the next refresh continues from there.
 */
export function createView<T>(options: ViewOptions<T>): View {
  const { storage, collection, projection, clock } = options
  const expiries = createExpiryQueue()
  let seen: Revision = 0
  let revision: Revision = 0

  const put = (record: TypedRecord<T>): void => {
    expiries.set(record.id, record.expiresAt)
    projection.put(record)
    revision++
  }

  const remove = (id: string): void => {
    expiries.set(id, undefined)
    projection.remove(id)
    revision++
  }

  const rebuild = ({ records, changes }: Snapshot<T>): void => {
    projection.clear()
    expiries.clear()
    revision++
    for (const record of changes.written) records.set(record.id, record)
    for (const id of changes.removed) records.delete(id)
    for (const record of records.values()) put(record)
    seen = changes.revision
  }

  const update = async (): Promise<void> => {
    const changes = await collection.changes(storage, seen)
    if ('reset' in changes) {
      rebuild(await readSnapshot(storage, collection, changes.revision))
    } else if (changes.revision !== seen) {
      for (const record of changes.written) put(record)
      for (const id of changes.removed) remove(id)
      seen = changes.revision
    }
    for (const id of expiries.takeExpired(clock.now())) remove(id)
  }

  return {
    refresh: shareRuns(update),
    get revision() {
      return revision
    },
    get position() {
      return seen
    },
  }
}

interface Snapshot<T> {
  readonly records: Map<string, TypedRecord<T>>
  readonly changes: Exclude<TypedChanges<T>, { reset: true }>
}

/** Reads a whole collection, and the changes made meanwhile. */
async function readSnapshot<T>(
  storage: Storage,
  collection: TypedCollection<T>,
  resetTo: Revision,
): Promise<Snapshot<T>> {
  let since = resetTo
  for (let attempt = 0; attempt < maxRebuilds; attempt++) {
    const records = await readAll(storage, collection)
    const changes = await collection.changes(storage, since)
    if (!('reset' in changes)) return { records, changes }
    since = changes.revision
  }
  throw storageUnavailable(`${collection.name} changes faster than it can be read`)
}

async function readAll<T>(
  storage: Storage,
  collection: TypedCollection<T>,
): Promise<Map<string, TypedRecord<T>>> {
  const records = new Map<string, TypedRecord<T>>()
  let query: Query = { by: 'id', limit: pageSize }
  for (;;) {
    const page = await collection.find(storage, query)
    for (const record of page) records.set(record.id, record)
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return records
    query = { ...query, after: { key: last.id, id: last.id } }
  }
}
