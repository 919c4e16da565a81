import {
  type ChangeTail,
  type Collection,
  createChangeTail,
  createExpiryQueue,
  type ExpiryQueue,
  fieldKey,
  type Instant,
  type Query,
  type StoredRecord,
} from '@gatehouse/core/store'
import {
  compareEntries,
  compareKeys,
  createSortedList,
  type IndexEntry,
  type SortedList,
} from './sorted-list.ts'

/** The records of one collection, with their indexes and their change feed. */
export interface MemoryCollection {
  /** `undefined` for a collection without a feed, which keeps nothing about removed records. */
  readonly tail: ChangeTail | undefined
  readonly expiries: ExpiryQueue
  /** How many records there are, expired ones included. */
  readonly size: number
  /** The record with this id that has not expired. */
  live(id: string, now: Instant): StoredRecord | undefined
  /** Live records that match a checked query. */
  find(query: Query, now: Instant): StoredRecord[]
  put(record: StoredRecord): void
  /** Removes a record and returns whether it existed, expired or not. */
  remove(id: string): boolean
}

const isExpired = ({ expiresAt }: StoredRecord, now: Instant): boolean =>
  expiresAt !== undefined && expiresAt <= now

const keyOf = (record: StoredRecord, by: string): string | number | undefined =>
  by === 'id' ? record.id : fieldKey(record.value, by)

/** Creates an empty {@link MemoryCollection}. An index is built at its first use and kept current from then on. */
export function createMemoryCollection({ feed }: Pick<Collection, 'feed'>): MemoryCollection {
  const records = new Map<string, StoredRecord>()
  const indexes = new Map<string, SortedList>()
  const expiries = createExpiryQueue()

  const indexOf = (by: string): SortedList => {
    const existing = indexes.get(by)
    if (existing !== undefined) return existing
    const entries: IndexEntry[] = []
    for (const record of records.values()) {
      const key = keyOf(record, by)
      if (key !== undefined) entries.push({ key, id: record.id })
    }
    const index = createSortedList(entries)
    indexes.set(by, index)
    return index
  }

  const updateIndexes = (before: StoredRecord | undefined, now: StoredRecord | undefined): void => {
    for (const [by, index] of indexes) {
      const oldKey = before && keyOf(before, by)
      const newKey = now && keyOf(now, by)
      if (oldKey === newKey) continue
      if (before !== undefined && oldKey !== undefined) index.delete({ key: oldKey, id: before.id })
      if (now !== undefined && newKey !== undefined) index.insert({ key: newKey, id: now.id })
    }
  }

  return {
    tail: feed ? createChangeTail() : undefined,
    expiries,

    get size() {
      return records.size
    },

    live(id, now) {
      const record = records.get(id)
      return record === undefined || isExpired(record, now) ? undefined : record
    },

    find(query, now) {
      const found: StoredRecord[] = []
      for (const { id } of entriesFor(indexOf(query.by), query)) {
        const record = records.get(id)
        if (record === undefined || isExpired(record, now)) continue
        found.push(record)
        if (found.length === query.limit) break
      }
      return found
    },

    put(record) {
      const { id } = record
      if (indexes.size > 0) updateIndexes(records.get(id), record)
      records.set(id, record)
      expiries.set(id, record.expiresAt)
    },

    remove(id) {
      const record = records.get(id)
      if (record === undefined) return false
      updateIndexes(record, undefined)
      expiries.set(id, undefined)
      return records.delete(id)
    },
  }
}

/** The index entries that match a query, in its order, ignoring its limit. */
function* entriesFor(index: SortedList, query: Query): Iterable<IndexEntry> {
  const { equals, after, order } = query
  const from = equals ?? query.from
  const { to } = query
  if (order === 'desc') {
    const isBefore = (entry: IndexEntry): boolean =>
      (to === undefined || compareKeys(entry.key, to) < 0) &&
      (equals === undefined || compareKeys(entry.key, equals) <= 0) &&
      (after === undefined || compareEntries(entry, after) < 0)
    for (const entry of index.descending(isBefore)) {
      if (from !== undefined && compareKeys(entry.key, from) < 0) return
      yield entry
    }
    return
  }
  const isBefore = (entry: IndexEntry): boolean =>
    (from !== undefined && compareKeys(entry.key, from) < 0) ||
    (after !== undefined && compareEntries(entry, after) <= 0)
  for (const entry of index.ascending(isBefore)) {
    if (to !== undefined && compareKeys(entry.key, to) >= 0) return
    if (equals !== undefined && compareKeys(entry.key, equals) > 0) return
    yield entry
  }
}
