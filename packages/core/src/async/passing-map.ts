/** A `Map` for large values that live for milliseconds. */
export interface PassingMap<K, V> {
  readonly size: number
  get(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): void
  values(): readonly V[]
}

/** Holds a value until it is deleted. */
interface Cell<V> {
  value: V | undefined
}

/**
 * Creates a {@link PassingMap}. V8 replaces the table of a `Map` again and again while entries come and go. A replaced table keeps
 * its values until it is collected, which for old tables takes long. Here it keeps only empty cells. See decision 046.
 */
export function createPassingMap<K, V extends object>(): PassingMap<K, V> {
  const cells = new Map<K, Cell<V>>()
  return {
    get size() {
      return cells.size
    },
    get: (key) => cells.get(key)?.value,
    set(key, value) {
      const cell = cells.get(key)
      if (cell === undefined) cells.set(key, { value })
      else cell.value = value
    },
    delete(key) {
      const cell = cells.get(key)
      if (cell === undefined) return
      cell.value = undefined
      cells.delete(key)
    },
    values() {
      const values: V[] = []
      for (const { value } of cells.values()) if (value !== undefined) values.push(value)
      return values
    },
  }
}
