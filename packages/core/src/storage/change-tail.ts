import type { Changes, Revision, StoredRecord } from './storage.ts'

/** The newest part of one collection's change feed, kept in memory by a store. */
export interface ChangeTail {
  /** The revision up to which the tail is complete. */
  readonly revision: Revision
  /** Adds the writes and removals of one commit. Append revisions in ascending order. */
  append(revision: Revision, written: readonly StoredRecord[], removed: readonly string[]): void
  /** The changes after `revision`, or `undefined` if the tail does not reach back that far. */
  since(revision: Revision): Exclude<Changes, { reset: true }> | undefined
}

/** Options of {@link createChangeTail}. */
export interface ChangeTailOptions {
  /** The tail holds everything that happens after this revision (default 0). */
  from?: Revision
  /** The most records and commits to keep (default 20,000). The newest commit is always kept. */
  limit?: number
}

interface Entry {
  readonly revision: Revision
  readonly written: readonly StoredRecord[]
  readonly removed: readonly string[]
}

const weightOf = ({ written, removed }: Entry): number => 1 + written.length + removed.length

/** Creates a {@link ChangeTail}. It answers in constant time when nothing has changed. */
export function createChangeTail(options: ChangeTailOptions = {}): ChangeTail {
  const { from = 0, limit = 20_000 } = options
  let entries: Entry[] = []
  /** Entries before this index are dropped. They are removed in bulk, not one by one. */
  let start = 0
  let weight = 0
  let floor = from
  let newest: Entry = { revision: from, written: [], removed: [] }
  let unchanged: Entry = newest

  const dropOldest = (): void => {
    while (weight > limit && entries.length - start > 1) {
      const oldest = entries[start]
      if (oldest === undefined) return
      weight -= weightOf(oldest)
      floor = oldest.revision
      start++
    }
    if (start > 64 && start > entries.length / 2) {
      entries = entries.slice(start)
      start = 0
    }
  }

  return {
    get revision() {
      return newest.revision
    },

    append(revision, written, removed) {
      newest = { revision, written, removed }
      unchanged = { revision, written: [], removed: [] }
      entries.push(newest)
      weight += weightOf(newest)
      dropOldest()
    },

    since(revision) {
      if (revision === newest.revision) return unchanged
      if (revision < floor || revision > newest.revision) return undefined
      let at = entries.length - 1
      while (at > start && (entries[at - 1]?.revision ?? 0) > revision) at--
      if (at === entries.length - 1) return newest
      const latest = new Map<string, StoredRecord | undefined>()
      for (const entry of entries.slice(at)) {
        for (const record of entry.written) latest.set(record.id, record)
        for (const id of entry.removed) latest.set(id, undefined)
      }
      const written: StoredRecord[] = []
      const removed: string[] = []
      for (const [id, record] of latest) {
        if (record === undefined) removed.push(id)
        else written.push(record)
      }
      return { revision: newest.revision, written, removed }
    },
  }
}
