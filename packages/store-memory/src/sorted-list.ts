import { compareBytes } from '@gatehouse/core/store'

/** An entry of an index: the key of a record, and its id. */
export interface IndexEntry {
  readonly key: string | number
  readonly id: string
}

/**
 * Sorted index entries. An insertion or deletion moves the entries of one chunk, not of the whole list, so it stays cheap in a
 * list of a million entries. Searches are binary.
 */
export interface SortedList {
  insert(entry: IndexEntry): void
  delete(entry: IndexEntry): void
  /** The entries after those for which `isBefore` is true, upwards. `isBefore` must be true for a prefix of the list. */
  ascending(isBefore: (entry: IndexEntry) => boolean): Iterable<IndexEntry>
  /** The entries for which `isBefore` is true, downwards. `isBefore` must be true for a prefix of the list. */
  descending(isBefore: (entry: IndexEntry) => boolean): Iterable<IndexEntry>
}

const maxChunk = 512

/** Compares two keys of the same type. Texts compare by their UTF-8 bytes. */
export function compareKeys(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return compareBytes(String(a), String(b))
}

/** Compares by key, then by id. */
export const compareEntries = (a: IndexEntry, b: IndexEntry): number =>
  compareKeys(a.key, b.key) || compareBytes(a.id, b.id)

/** Counts the leading items for which `isBefore` is true. The caller knows that there are at least `least`. */
function countBefore<T>(items: readonly T[], isBefore: (item: T) => boolean, least = 0): number {
  let low = least
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && isBefore(item)) low = middle + 1
    else high = middle
  }
  return low
}

/** A lower bound of {@link countBefore}: close to all items if `isBefore` is true for all but a few. */
function leastBefore<T>(items: readonly T[], isBefore: (item: T) => boolean): number {
  for (let back = 1; back < items.length; back *= 4) {
    const item = items[items.length - back]
    if (item !== undefined && isBefore(item)) return items.length - back + 1
  }
  return 0
}

/** Creates a {@link SortedList} of the given entries, which may be in any order. */
export function createSortedList(entries: readonly IndexEntry[]): SortedList {
  const sorted = [...entries].sort(compareEntries)
  /** No chunk is empty. */
  const chunks: IndexEntry[][] = []
  for (let at = 0; at < sorted.length; at += maxChunk / 2) {
    chunks.push(sorted.slice(at, at + maxChunk / 2))
  }

  /** The last chunk whose first entry satisfies `isBefore`, or the first chunk. */
  const chunkOf = (isBefore: (entry: IndexEntry) => boolean): number => {
    const count = countBefore(chunks, ([first]) => first !== undefined && isBefore(first))
    return Math.max(0, count - 1)
  }

  return {
    insert(entry) {
      const isBefore = (other: IndexEntry): boolean => compareEntries(other, entry) < 0
      const last = chunks.at(-1)
      if (last === undefined) {
        chunks.push([entry])
        return
      }
      // Most ids are created in ascending order, or nearly so.
      const isInLast = last[0] !== undefined && isBefore(last[0])
      const chunkAt = isInLast ? chunks.length - 1 : chunkOf(isBefore)
      const chunk = chunks[chunkAt] ?? last
      const at = countBefore(chunk, isBefore, isInLast ? leastBefore(chunk, isBefore) : 0)
      if (isInLast && at === maxChunk) {
        chunks.push([entry])
        return
      }
      chunk.splice(at, 0, entry)
      if (chunk.length > maxChunk) chunks.splice(chunkAt + 1, 0, chunk.splice(maxChunk / 2))
    },

    delete(entry) {
      const chunkAt = chunkOf((other) => compareEntries(other, entry) <= 0)
      const chunk = chunks[chunkAt]
      if (chunk === undefined) return
      const at = countBefore(chunk, (other) => compareEntries(other, entry) < 0)
      const found = chunk[at]
      if (found === undefined || compareEntries(found, entry) !== 0) return
      chunk.splice(at, 1)
      if (chunk.length === 0) chunks.splice(chunkAt, 1)
    },

    *ascending(isBefore) {
      for (let chunkAt = chunkOf(isBefore); chunkAt < chunks.length; chunkAt++) {
        const chunk = chunks[chunkAt] ?? []
        for (let at = countBefore(chunk, isBefore); at < chunk.length; at++) {
          const entry = chunk[at]
          if (entry !== undefined) yield entry
        }
      }
    },

    *descending(isBefore) {
      for (let chunkAt = chunkOf(isBefore); chunkAt >= 0; chunkAt--) {
        const chunk = chunks[chunkAt] ?? []
        for (let at = countBefore(chunk, isBefore) - 1; at >= 0; at--) {
          const entry = chunk[at]
          if (entry !== undefined) yield entry
        }
      }
    },
  }
}
