import type { Instant } from '../time/clock.ts'

/** Finds expired ids. The cost depends on how many have expired, not on how many there are. */
export interface ExpiryQueue {
  /** Sets when an id expires, replacing an earlier value; `undefined` means never. */
  set(id: string, expiresAt: Instant | undefined): void
  /**
   * Takes out at most `limit` ids (default all) that expire at or before `now`, the earliest first. Ids that expire together come
   * in the order in which they were set, so that records written together stay together.
   */
  takeExpired(now: Instant, limit?: number): readonly string[]
  /** When the next id expires; `undefined` if none does. */
  next(): Instant | undefined
  /** Removes all ids. */
  clear(): void
}

interface Entry {
  readonly id: string
  readonly expiresAt: Instant
  /** Counts up with each entry. */
  readonly order: number
}

const compare = (a: Entry, b: Entry): number => a.expiresAt - b.expiresAt || a.order - b.order

const none: readonly string[] = []

/** Creates an {@link ExpiryQueue} as a binary heap. Ids without an expiry cost nothing. */
export function createExpiryQueue(): ExpiryQueue {
  const current = new Map<string, Entry>()
  /** May hold replaced entries. They are dropped when they come up, or when they are the majority. */
  let heap: Entry[] = []
  let count = 0

  const siftUp = (entry: Entry): void => {
    let at = heap.length
    for (; at > 0; ) {
      const parentAt = (at - 1) >> 1
      const parent = heap[parentAt]
      if (parent === undefined || compare(parent, entry) < 0) break
      heap[at] = parent
      at = parentAt
    }
    heap[at] = entry
  }

  const siftDown = (entry: Entry, start: number): void => {
    let at = start
    for (;;) {
      let childAt = 2 * at + 1
      let child = heap[childAt]
      const right = heap[childAt + 1]
      if (child !== undefined && right !== undefined && compare(right, child) < 0) {
        childAt++
        child = right
      }
      if (child === undefined || compare(child, entry) > 0) break
      heap[at] = child
      at = childAt
    }
    heap[at] = entry
  }

  const removeTop = (): void => {
    const last = heap.pop()
    if (last !== undefined && heap.length > 0) siftDown(last, 0)
  }

  const dropStale = (): void => {
    heap = [...current.values()].sort(compare) // a sorted array is a heap
  }

  return {
    set(id, expiresAt) {
      if (expiresAt === undefined) {
        if (current.size > 0) current.delete(id)
        return
      }
      if (current.get(id)?.expiresAt === expiresAt) return
      const entry = { id, expiresAt, order: count++ }
      current.set(id, entry)
      siftUp(entry)
      if (heap.length > 2 * current.size + 1_000) dropStale()
    },

    takeExpired(now, limit = Number.POSITIVE_INFINITY) {
      if ((heap[0]?.expiresAt ?? Number.POSITIVE_INFINITY) > now) return none
      const expired: string[] = []
      for (let top = heap[0]; top !== undefined && top.expiresAt <= now; top = heap[0]) {
        const isCurrent = current.get(top.id) === top
        if (isCurrent && expired.length >= limit) break
        removeTop()
        if (!isCurrent) continue
        current.delete(top.id)
        expired.push(top.id)
      }
      return expired
    },

    next() {
      for (let top = heap[0]; top !== undefined; top = heap[0]) {
        if (current.get(top.id) === top) return top.expiresAt
        removeTop()
      }
      return undefined
    },

    clear() {
      current.clear()
      heap = []
    },
  }
}
