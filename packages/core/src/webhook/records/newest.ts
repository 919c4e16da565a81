import { fairShare } from './share.ts'

/** Keeps the ids of several owners in order of age. */
export interface Newest {
  readonly size: number
  /** Adds the newest id. */
  add(owner: string, id: string): void
  /** Removes and returns the oldest ids, and keeps at most this many: of each owner its {@link fairShare}. */
  takeOld(keep: number): readonly string[]
}

/** Creates an empty {@link Newest}. */
export function createNewest(): Newest {
  const owners = new Map<string, Set<string>>()
  let size = 0
  return {
    get size() {
      return size
    },
    add(owner, id) {
      const ids = owners.get(owner) ?? new Set()
      owners.set(owner, ids)
      size -= ids.delete(id) ? 1 : 0
      ids.add(id)
      size += 1
    },
    takeOld(keep) {
      const old: string[] = []
      const counts = Array.from(owners.values(), (ids) => ids.size)
      const share = fairShare(counts, keep)
      for (const [owner, ids] of owners) {
        for (const id of ids) {
          if (ids.size <= share) break
          ids.delete(id)
          old.push(id)
        }
        if (ids.size === 0) owners.delete(owner)
      }
      size -= old.length
      return old
    },
  }
}
