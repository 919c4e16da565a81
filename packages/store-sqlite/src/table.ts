import {
  type Collection,
  type Instant,
  type Json,
  type Query,
  type StoredRecord,
  storageConflict,
  type Version,
  type Write,
} from '@gatehouse/core/store'
import type { Connection } from './connection.ts'
import { createFeed, type Feed } from './feed.ts'
import {
  decidePatch,
  type NewPatch,
  type Patch,
  type Patches,
  patchedRecord,
  rowVersions,
} from './patches.ts'
import { openRows, type RowState } from './rows.ts'

/** The table of one collection. Each method runs within the caller's transaction, or is a single statement. */
export interface Table {
  /** The name of the collection. */
  readonly name: string
  /** The feed of the collection, if it has one. Only records of a collection with a feed have patches. */
  readonly feed: Feed | undefined
  get(id: string, now: Instant): StoredRecord | undefined
  /** Live records that match a checked query. */
  find(query: Query, now: Instant): StoredRecord[]
  /**
   * Writes a value if the precondition holds, or only adds its changes to `commit.patches`. `text` is the value as JSON, if it was
   * made already.
   *
   * @throws {GatehouseError} `StorageConflict` if the precondition does not hold.
   */
  put(write: PutWrite, text: string | undefined, commit: CommitMark): StoredRecord
  /** Removes a record if the precondition holds, and returns whether it existed. */
  remove(write: RemoveWrite, now: Instant): boolean
  /** @throws {GatehouseError} `StorageConflict` if the version is not the current one. */
  check(id: string, expected: 'absent' | Version, now: Instant): void
  /** Deletes at most `limit` expired records and returns their ids. */
  sweep(now: Instant, limit: number): string[]
}

/** A {@link Write} with a value. */
export type PutWrite = Extract<Write, { readonly value: Json }>
/** A {@link Write} that removes. */
export type RemoveWrite = Extract<Write, { readonly value: undefined }>

/** The data that all writes of a commit share. */
export interface CommitMark {
  /** The number of the commit, which is the version of its records. */
  readonly revision: number
  readonly now: Instant
  /** Changes whenever another connection is found to have committed. */
  readonly epoch: number
  /** The patches of the commit. */
  readonly patches: NewPatch[]
}

/**
 * Creates the missing table and indexes of a collection, and prepares its statements. `file` is the name of the database in
 * messages.
 */
export function openTable(
  connection: Connection,
  collection: Collection,
  { file, patches }: { file: string; patches: Patches },
): Table {
  const rows = openRows(connection, collection)

  const patchFor = (id: string): Patch | undefined => patches.get(collection.name, id)
  const patched = (record: StoredRecord): StoredRecord => patchedRecord(record, patchFor(record.id))

  const isPut = (write: PutWrite, text: string, { revision, now }: CommitMark): boolean => {
    const { id, expiresAt: expires = null } = write
    const row = { id, version: revision, expires, text }
    if (write.if === undefined) return rows.put(row)
    return write.if === 'absent'
      ? rows.putNew(row, now)
      : rows.putNext(row, rowVersions(write.if, patchFor(id)), now)
  }

  /** The version and the expiry of a live record. */
  const currentOf = (id: string, now: Instant): RowState | undefined => {
    const row = rows.stateOf(id, now)
    return row && { ...row, version: Math.max(row.version, patchFor(id)?.revision ?? 0) }
  }

  /** Adds the changes of a write to the patches of the commit. Returns whether that is all it needs. */
  const isPatched = (
    write: PutWrite,
    { revision, epoch, now, patches: added }: CommitMark,
  ): boolean => {
    const { id } = write
    const state = (): RowState | undefined => currentOf(id, now)
    const patch = decidePatch(write, { newest: patchFor(id), revision, epoch, state })
    if (patch === 'conflict') throw storageConflict(collection, id)
    if (patch === 'row') return false
    added.push({ collection: collection.name, id, patch })
    return true
  }

  return {
    name: collection.name,
    feed: collection.feed
      ? createFeed(connection, {
          file,
          table: `"gatehouse_${collection.name}.feed"`,
          getAll: (ids, now) => new Map(rows.getAll(ids, now).map((row) => [row.id, patched(row)])),
        })
      : undefined,

    get(id, now) {
      const row = rows.get(id, now)
      return row && patched(row)
    },

    find: (query, now) => rows.find(query, now).map(patched),

    put(write, text, mark) {
      const { id, value, expiresAt } = write
      if (!isPatched(write, mark) && !isPut(write, text ?? JSON.stringify(value), mark)) {
        throw storageConflict(collection, id)
      }
      const version = String(mark.revision)
      return expiresAt === undefined ? { id, value, version } : { id, value, version, expiresAt }
    },

    remove(write, now) {
      const { id } = write
      if (write.if === undefined) return rows.remove(id)
      const versions = rowVersions(write.if, patchFor(id))
      if (!rows.removeOne(id, versions, now)) throw storageConflict(collection, id)
      return true
    },

    check(id, expected, now) {
      const current = currentOf(id, now)
      const version = current === undefined ? 'absent' : String(current.version)
      if (version !== expected) throw storageConflict(collection, id)
    },

    sweep: rows.sweep,
  }
}
