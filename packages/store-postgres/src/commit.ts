import {
  type Instant,
  type StoredRecord,
  storageConflict,
  type Version,
  type Write,
} from '@gatehouse/core/store'
import type { Database, Queryable } from './database.ts'
import type { CommittedChange, Feed } from './feed.ts'
import { toJsonText } from './json-text.ts'
import type { OpenedCollections } from './opened-collections.ts'
import type { PutRow, Table, VersionedId } from './table.ts'

/** One write of a commit, with its table and feed. */
export interface CommitPart {
  readonly write: Write
  readonly table: Table
  readonly feed: Feed | undefined
}

/** Prepares the collections of writes, and runs `work` on the writes with their tables and feeds. */
export function withParts<T>(
  writes: readonly Write[],
  collections: Pick<OpenedCollections, 'use'>,
  work: (parts: readonly CommitPart[]) => Promise<T>,
): Promise<T> {
  const used = [...new Set(writes.map(({ collection }) => collection))]
  return collections.use(used, (opened) =>
    work(
      writes.map((write): CommitPart => {
        const one = opened[used.indexOf(write.collection)]
        if (one === undefined) throw new TypeError(`${write.collection.name} is not open`)
        return { write, ...one }
      }),
    ),
  )
}

/** What a commit returns: `version` for each write with a value. */
export const writtenVersions = (writes: readonly Write[], version: Version): Version[] =>
  writes.map((write) => ('check' in write || write.value === undefined ? '' : version))

/** A prepared commit. */
export interface Commit {
  /** Whether the commit may be repeated after the connection was lost. */
  readonly repeatable: boolean
  make(now: Instant): Promise<void>
}

/**
 * Prepares a commit. `version` becomes the version of every record it writes.
 *
 * @throws {GatehouseError} `StorageConflict` if a precondition names a malformed version.
 */
export function planCommit(
  database: Database,
  parts: readonly CommitPart[],
  version: Version,
): Commit {
  const batches = batchesOf(parts, version)
  const [only] = batches
  if (only !== undefined && parts.length === 1 && isOneStatement(only)) {
    return {
      repeatable: false,
      async make(now) {
        await writeBatch(database, only, now)
      },
    }
  }
  return {
    repeatable: database.reportsOutcome,
    make: (now) => makeTogether(database, batches, now),
  }
}

/**
 * Makes all writes within a transaction that others will commit.
 *
 * @returns the names of the changed collections with a feed.
 * @throws {GatehouseError} `StorageConflict` if a precondition does not hold; what was written must be undone.
 */
export async function writeWithin(
  on: Queryable,
  { parts, version, now }: { parts: readonly CommitPart[]; version: Version; now: Instant },
): Promise<readonly string[]> {
  const changed: string[] = []
  for (const batch of batchesOf(parts, version)) {
    const removed = await writeBatch(on, batch, now)
    const ids = [...batch.written.map(({ id }) => id), ...removed]
    if (batch.feed === undefined || ids.length === 0) continue
    await batch.feed.leave(on, ids)
    changed.push(batch.table.collection.name)
  }
  return changed
}

/** Makes all writes in one transaction, and updates the feeds in memory after it. */
async function makeTogether(
  database: Database,
  batches: readonly Batch[],
  now: Instant,
): Promise<void> {
  try {
    const feedUpdates = await database.transaction(async (transaction) => {
      const removed: (readonly string[])[] = []
      for (const batch of batches) removed.push(await writeBatch(transaction, batch, now))
      // Last, because the transaction that locks the counter of a feed blocks the others until it ends.
      const updates: (() => void)[] = []
      for (const [index, { feed, written }] of batches.entries()) {
        const change = { written, removed: removed[index] ?? [] }
        const update = await recordChange(transaction, feed, change)
        if (update !== undefined) updates.push(update)
      }
      return updates
    })
    for (const update of feedUpdates) update()
  } catch (error) {
    // The commit may have succeeded nevertheless.
    for (const { feed } of batches) feed?.doubt()
    throw error
  }
}

/** The writes of one commit to one collection, by kind. */
interface Batch {
  readonly table: Table
  readonly feed: Feed | undefined
  readonly putAny: PutRow[]
  readonly putNew: PutRow[]
  readonly putNext: (PutRow & { readonly was: Version })[]
  readonly removeAny: string[]
  readonly removeOnly: VersionedId[]
  readonly present: VersionedId[]
  readonly absent: PutRow[]
  readonly written: StoredRecord[]
}

/** Groups the parts by collection, all sorted by name and id: with one lock order, two commits cannot deadlock. */
function batchesOf(parts: readonly CommitPart[], version: Version): readonly Batch[] {
  const batches = new Map<string, Batch>()
  const ordered = parts.length === 1 ? parts : [...parts].sort(byPlace)
  for (const { write, table, feed } of ordered) {
    const { name } = table.collection
    const batch = batches.get(name) ?? emptyBatch(table, feed)
    batches.set(name, batch)
    addWrite(batch, write, version)
  }
  return [...batches.values()]
}

function byPlace({ write: a }: CommitPart, { write: b }: CommitPart): number {
  const [left, right] = [a.collection.name, b.collection.name]
  if (left !== right) return left < right ? -1 : 1
  return a.id < b.id ? -1 : 1
}

const emptyBatch = (table: Table, feed: Feed | undefined): Batch => ({
  table,
  feed,
  putAny: [],
  putNew: [],
  putNext: [],
  removeAny: [],
  removeOnly: [],
  present: [],
  absent: [],
  written: [],
})

function addWrite(batch: Batch, write: Write, version: Version): void {
  const { id } = write
  if ('check' in write) {
    if (write.check === 'absent') batch.absent.push({ id, version, expiresAt: 0, text: 'null' })
    else batch.present.push({ id, version: expected(write, write.check) })
    return
  }
  if (write.value === undefined) {
    if (write.if === undefined) batch.removeAny.push(id)
    else batch.removeOnly.push({ id, version: expected(write, write.if) })
    return
  }
  const { value, expiresAt } = write
  const row = { id, version, expiresAt: expiresAt ?? null, text: toJsonText(value) }
  if (write.if === undefined) batch.putAny.push(row)
  else if (write.if === 'absent') batch.putNew.push(row)
  else batch.putNext.push({ ...row, was: expected(write, write.if) })
  batch.written.push({ id, value, version, ...(expiresAt === undefined ? {} : { expiresAt }) })
}

/** Checks the form of a version. A malformed one cannot belong to any record. */
function expected({ collection, id }: Write, version: Version): Version {
  if (!/^[\w-]{1,64}$/.test(version)) throw storageConflict(collection, id)
  return version
}

/** Whether a single statement, which is atomic by itself, makes the whole commit. */
const isOneStatement = ({ feed, absent }: Batch): boolean =>
  feed === undefined && absent.length === 0

/**
 * Makes the writes of one collection.
 *
 * @returns the ids of the removed records.
 * @throws {GatehouseError} `StorageConflict` if a precondition does not hold; the transaction must be rolled back.
 */
async function writeBatch(on: Queryable, batch: Batch, now: Instant): Promise<readonly string[]> {
  const { table, present, absent, putAny, putNew, putNext, removeAny, removeOnly } = batch
  const demand = async (
    wanted: readonly { readonly id: string }[],
    write: () => Promise<readonly string[]>,
  ): Promise<void> => {
    if (wanted.length === 0) return
    const found = await write()
    if (found.length === wanted.length) return
    const ids = new Set(found)
    const missing = wanted.find(({ id }) => !ids.has(id))
    throw storageConflict(table.collection, missing?.id ?? '')
  }
  await demand(present, () => table.holdPresent(on, present, now))
  await demand(absent, () => table.holdAbsent(on, absent, now))
  await demand(putNext, () => table.putNext(on, putNext, now))
  await demand(removeOnly, () => table.removeOnly(on, removeOnly, now))
  await demand(putNew, () => table.putNew(on, putNew, now))
  await demand(putAny, () => table.putAny(on, putAny))
  const removed = removeAny.length === 0 ? [] : await table.removeAny(on, removeAny)
  return [...removed, ...removeOnly.map(({ id }) => id)]
}

/**
 * Adds written and removed ids to the feed of a collection, within the transaction.
 *
 * @returns a function that updates the feed in memory after the transaction.
 */
async function recordChange(
  on: Queryable,
  feed: Feed | undefined,
  change: CommittedChange,
): Promise<(() => void) | undefined> {
  const { written, removed } = change
  if (feed === undefined || written.length + removed.length === 0) return undefined
  const mark = await feed.record(on, [...written.map(({ id }) => id), ...removed])
  return mark === undefined ? () => feed.doubt() : () => feed.remember(mark, change)
}

/** Deletes expired records of one collection in one small step. @returns the number of deleted records. */
export async function sweepTable(
  database: Database,
  { table, feed }: Pick<CommitPart, 'table' | 'feed'>,
  { now, limit }: { now: Instant; limit: number },
): Promise<number> {
  if (feed === undefined) return (await table.sweep(database, now, limit)).length
  const swept = await database.transaction(async (transaction) => {
    const removed = await table.sweep(transaction, now, limit)
    const update = await recordChange(transaction, feed, { written: [], removed })
    return { count: removed.length, update }
  })
  swept.update?.()
  return swept.count
}
