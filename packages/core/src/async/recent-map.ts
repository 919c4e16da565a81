/** A bounded map of the entries that were set last. */
export interface RecentMap<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
}

/**
 * Creates an empty {@link RecentMap}.
 *
 * @param limit of entries that are kept at least; at most twice as many are.
 */
export function createRecentMap<V>(limit: number): RecentMap<V> {
  // Two generations: in a single map, finding the oldest entry would skip all deleted entries before it.
  let recent = new Map<string, V>()
  let older = new Map<string, V>()
  return {
    get: (key) => recent.get(key) ?? older.get(key),
    set(key, value) {
      recent.set(key, value)
      if (recent.size < limit) return
      older = recent
      recent = new Map()
    },
  }
}
