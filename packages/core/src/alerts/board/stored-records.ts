import type { TypedRecord } from '../../storage/collection.ts'
import type { Projection } from '../../storage/view.ts'

/** The records of a collection in memory, and which of them changed since the last read. */
export interface StoredRecords<T> extends Projection<T> {
  get(id: string): TypedRecord<T> | undefined
  /** In no order. */
  values(): Iterable<TypedRecord<T>>
  readonly size: number
  /** Whether {@link takeChanged} would return any ids. */
  readonly isChanged: boolean
  /** Ids of records that were put or removed since the last call. */
  takeChanged(): readonly string[]
}

/** Creates an empty {@link StoredRecords}. */
export function createStoredRecords<T>(): StoredRecords<T> {
  const records = new Map<string, TypedRecord<T>>()
  const changed = new Set<string>()
  return {
    clear() {
      for (const id of records.keys()) changed.add(id)
      records.clear()
    },

    put(record) {
      records.set(record.id, record)
      changed.add(record.id)
    },

    remove(id) {
      if (records.delete(id)) changed.add(id)
    },

    get: (id) => records.get(id),

    values: () => records.values(),

    get size() {
      return records.size
    },

    get isChanged() {
      return changed.size > 0
    },

    takeChanged() {
      if (changed.size === 0) return []
      const ids = [...changed]
      changed.clear()
      return ids
    },
  }
}
