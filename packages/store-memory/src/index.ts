import { clockPort, decodeInput, exactly, optional } from '@gatehouse/core/input'
import {
  type Clock,
  type Collection,
  checkCollection,
  checkQuery,
  checkWrites,
  type DescribedStorage,
  type Instant,
  type StoredRecord,
  storageClosed,
  storageConflict,
  systemClock,
  type Version,
  type Write,
  withoutFeed,
} from '@gatehouse/core/store'
import { createMemoryCollection, type MemoryCollection } from './memory-collection.ts'

/** Options of {@link createMemoryStorage}. */
export interface MemoryStorageOptions {
  /** The clock for expiry times (default the machine's clock). */
  clock?: Clock
}

const decodeOptions = exactly<MemoryStorageOptions>({ clock: optional(clockPort) })

/** The most expired records that one commit sweeps from one collection. */
const sweepStep = 16

/**
 * A Storage in the memory of this process, for tests and for data that may be lost. Values are stored as given, not copied.
 *
 * A write costs a Map entry and the update of the indexes in use. The first `find` by a field sorts the collection once; later
 * ones cost a binary search plus the records they return.
 *
 * @throws {GatehouseError} `InvalidInput` if an option is not valid.
 */
export function createMemoryStorage(options: MemoryStorageOptions = {}): DescribedStorage {
  const { clock = systemClock } = decodeInput('options', decodeOptions, options)
  const collections = new Map<string, { collection: Collection; records: MemoryCollection }>()
  let commits = 0
  let isClosed = false

  const open = (collection: Collection): MemoryCollection => {
    if (isClosed) throw storageClosed()
    const known = collections.get(collection.name)
    if (known?.collection === collection) return known.records
    checkCollection(collection, known?.collection)
    const records = known?.records ?? createMemoryCollection(collection)
    collections.set(collection.name, { collection, records })
    return records
  }

  return {
    async get(collection, ids) {
      const records = open(collection)
      const now = clock.now()
      return ids.map((id) => records.live(id, now))
    },

    async find(collection, query) {
      return open(collection).find(checkQuery(collection, query), clock.now())
    },

    async commit(writes) {
      if (isClosed) throw storageClosed()
      checkWrites(writes)
      const now = clock.now()
      for (const write of writes) checkPrecondition(open(write.collection), write, now)
      const revision = ++commits
      const version = String(revision)
      const changed = new Map<MemoryCollection, { written: StoredRecord[]; removed: string[] }>()
      const changeOf = (
        records: MemoryCollection,
      ): { written: StoredRecord[]; removed: string[] } => {
        const existing = changed.get(records)
        if (existing !== undefined) return existing
        const created = { written: [], removed: [] }
        changed.set(records, created)
        return created
      }
      const versions = writes.map((write) => apply(open(write.collection), write))
      for (const { records } of collections.values()) {
        for (const id of records.expiries.takeExpired(now, sweepStep)) {
          if (records.remove(id)) changeOf(records).removed.push(id)
        }
      }
      for (const [records, { written, removed }] of changed) {
        records.tail?.append(revision, written, removed)
      }
      return versions

      function apply(records: MemoryCollection, write: Write): Version {
        if ('check' in write) return ''
        const { id, value } = write
        if (value === undefined) {
          if (records.remove(id)) changeOf(records).removed.push(id)
          return ''
        }
        const { expiresAt } = write
        const record = { id, value, version, ...(expiresAt === undefined ? {} : { expiresAt }) }
        records.put(record)
        changeOf(records).written.push(record)
        return version
      }
    },

    async changes(collection, since) {
      const { tail } = open(collection)
      if (tail === undefined) throw withoutFeed(collection)
      return tail.since(since) ?? { reset: true, revision: tail.revision }
    },

    async describe() {
      if (isClosed) throw storageClosed()
      let count = 0
      for (const { records } of collections.values()) count += records.size
      return { kind: 'memory', records: count }
    },

    async close() {
      isClosed = true
      collections.clear()
    },
  }
}

/** @throws {GatehouseError} `StorageConflict` if the write's precondition does not hold. */
function checkPrecondition(records: MemoryCollection, write: Write, now: Instant): void {
  const expected = 'check' in write ? write.check : write.if
  if (expected === undefined) return
  const version = records.live(write.id, now)?.version ?? 'absent'
  if (version !== expected) throw storageConflict(write.collection, write.id)
}
