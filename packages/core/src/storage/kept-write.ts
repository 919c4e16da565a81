import type { ReadableCollection } from './collection.ts'
import {
  type Changes,
  type Collection,
  type Json,
  type Revision,
  type StoredRecord,
  storageConflict,
  type Version,
  type Write,
} from './storage.ts'

/** A record that is not in the storage yet, because the storage refused the write. */
export interface Kept {
  readonly collection: ReadableCollection
  readonly id: string
  /** `undefined` for a removal. */
  readonly value: Json | undefined
  readonly expiresAt: number | undefined
  readonly version: Version
  /** The version in the storage when it refused the write. */
  readonly base: Version | 'absent'
  /** Increases with every kept write. */
  readonly place: number
}

/** A kept record that was dropped, because another process had changed it. */
export type GivenUp = Pick<Kept, 'collection' | 'id' | 'place'>

/** The position of a reader of changes: in the feed of the storage, and among the kept writes. */
export interface Standing {
  readonly revision: Revision
  readonly place: number
}

/** A record before a write: its version for readers, and that in the storage. */
export interface BeforeWrite {
  readonly version: Version | 'absent'
  readonly base: Version | 'absent'
}

/** Identifies a record among those of all collections. */
export const keyOf = ({ name }: Collection, id: string): string => `${name} ${id}`

/** The version that a write expects. */
export const preconditionOf = (write: Write): Version | undefined =>
  'check' in write ? write.check : write.if

/** Whether a kept record is there for readers. */
export const isLive = ({ value, expiresAt }: Kept, now: number): boolean =>
  value !== undefined && (expiresAt === undefined || expiresAt > now)

/** The record as the storage would return it, without the marker of its shape. */
export function toRecord(entry: Kept, now: number): StoredRecord | undefined {
  const { collection, id, value, version, expiresAt } = entry
  if (value === undefined || !isLive(entry, now)) return undefined
  const expiry = expiresAt === undefined ? {} : { expiresAt }
  const decoded = collection.decode({ id, value, version, ...expiry })
  return typeof decoded === 'string' ? undefined : decoded
}

/** The write that stores a kept record, unless another process has changed it. */
export function toWrite({ collection, id, value, expiresAt, base }: Kept): Write {
  if (value !== undefined) {
    return { collection, id, value, if: base, ...(expiresAt === undefined ? {} : { expiresAt }) }
  }
  return base === 'absent' ? { collection, id, check: base } : { collection, id, value, if: base }
}

/** Expects the version that a record got when it was stored, in place of the one that it had in memory. */
export function withStoredVersion(write: Write, stored: ReadonlyMap<Version, Version>): Write {
  const expected = preconditionOf(write)
  const version = expected === undefined ? undefined : stored.get(expected)
  if (version === undefined) return write
  return 'check' in write ? { ...write, check: version } : { ...write, if: version }
}

/**
 * The records to keep for the writes of a commit; `undefined` for a check.
 *
 * @param before the records before, in the same order.
 * @throws {GatehouseError} `StorageConflict` as the storage does.
 */
export function keptFor(
  writes: readonly Write[],
  before: readonly BeforeWrite[],
  {
    collections,
    stored,
    place,
  }: {
    readonly collections: ReadonlyMap<string, ReadableCollection>
    /** The stored version for each version given in memory. */
    readonly stored: ReadonlyMap<Version, Version>
    readonly place: number
  },
): (Kept | undefined)[] {
  for (const [index, write] of writes.entries()) {
    const expected = preconditionOf(write)
    if (expected === undefined) continue
    if ((stored.get(expected) ?? expected) !== before[index]?.version) {
      throw storageConflict(write.collection, write.id)
    }
  }
  return writes.map((write, index) => {
    const collection = collections.get(write.collection.name)
    if ('check' in write || collection === undefined) return undefined
    const { id, value } = write
    const expiresAt = value === undefined ? undefined : write.expiresAt
    const base = before[index]?.base ?? 'absent'
    return { collection, id, value, expiresAt, version: `memory-${place}`, base, place }
  })
}

/** The changes of a collection for a reader: those of the storage, and over them the kept writes. */
export interface MergeInput {
  readonly found: Exclude<Changes, { reset: true }>
  /** Kept records of the collection that the reader has not seen. */
  readonly news: readonly Kept[]
  /** Ids that were given up since, and the records that the storage has for them. */
  readonly lost: readonly string[]
  readonly given: readonly (StoredRecord | undefined)[]
  /** Whether the storage has the last word on a record. */
  readonly isStored: (id: string) => boolean
  readonly now: number
}

/** Merges the changes for a reader that then knows everything up to `revision`. */
export function mergedChanges(
  { found, news, lost, given, isStored, now }: MergeInput,
  revision: Revision,
): Changes {
  const live = news.flatMap((entry) => toRecord(entry, now) ?? [])
  const liveIds = new Set(live.map(({ id }) => id))
  return {
    revision,
    written: [
      ...found.written.filter(({ id }) => isStored(id) && !lost.includes(id)),
      ...given.flatMap((record) => record ?? []),
      ...live,
    ],
    removed: [
      ...found.removed.filter((id) => isStored(id) && !lost.includes(id)),
      ...lost.filter((_, index) => given[index] === undefined),
      ...news.map(({ id }) => id).filter((id) => !liveIds.has(id)),
    ],
  }
}
