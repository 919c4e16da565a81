/** Knows which ids came last. */
export interface Newest {
  readonly size: number
  /** The newest of all, from now on. */
  add(id: string): void
  /** Takes out the oldest, so that so many are left. */
  takeOld(keep: number): readonly string[]
}

/** {@link Newest} of no ids yet. */
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
