/** A `Map` for values that come and go fast, and hold much. */
export interface PassingMap<K, V> {
  readonly size: number
  get(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): void
  values(): readonly V[]
}

/** What a map has of a value, which it lets go of when the value goes. */
interface Cell<V> {
  value: V | undefined
}

/**
 * A {@link PassingMap}. In V8 the table of a `Map` is replaced again and again while entries come and go, and each one that is replaced
 * keeps what was in it, and the table after it: once the first has grown old, all later ones do, each with some values that are long
 * gone. Here these are empty by then.
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
