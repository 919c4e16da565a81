/** Keeps ids in order of age. */
export interface Newest {
  readonly size: number
  /** Adds the newest id. */
  add(id: string): void
  /** Removes and returns the oldest ids, and keeps this many. */
  takeOld(keep: number): readonly string[]
}

/** Creates an empty {@link Newest}. */
export function createNewest(): Newest {
  const ids = new Set<string>()
  return {
    get size() {
      return ids.size
    },
    add(id) {
      ids.delete(id)
      ids.add(id)
    },
    takeOld(keep) {
      const old: string[] = []
      for (const id of ids) {
        if (ids.size <= keep) break
        ids.delete(id)
        old.push(id)
      }
      return old
    },
  }
}
