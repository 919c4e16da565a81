import type { Instant } from './clock.ts'
import type {
  Collection,
  FieldType,
  Json,
  Query,
  Revision,
  Storage,
  Version,
  Write,
} from './storage.ts'
import { checkCollection } from './storage-input.ts'

/** A record of a {@link TypedCollection}. */
export interface TypedRecord<T> {
  readonly id: string
  readonly value: T
  readonly version: Version
  readonly expiresAt?: Instant
}

/** What changed in a {@link TypedCollection}; see `Changes`. */
export type TypedChanges<T> =
  | {
      readonly revision: Revision
      readonly written: readonly TypedRecord<T>[]
      readonly removed: readonly string[]
    }
  | { readonly reset: true; readonly revision: Revision }

/** Options of {@link TypedCollection.write}. */
export interface WriteOptions {
  /** From this instant on the record counts as absent. */
  expiresAt?: Instant
  /** The version that must still be current, or `absent`. */
  if?: 'absent' | Version
}

/** One collection of a Storage, with the type of its values. */
export interface TypedCollection<T> extends Collection {
  /** The live record, or `undefined`. */
  get(storage: Storage, id: string): Promise<TypedRecord<T> | undefined>
  /** Live records by a declared field or by id. */
  find(storage: Storage, query: Query): Promise<TypedRecord<T>[]>
  /** What was written or removed after a revision. */
  changes(storage: Storage, since: Revision): Promise<TypedChanges<T>>
  /** The write that puts a value, for {@link Storage.commit}. */
  write(id: string, value: T, options?: WriteOptions): Write
  /** The write that removes a record. */
  remove(id: string, version?: Version): Write
}

/** Options of {@link defineCollection}. */
export interface CollectionOptions {
  /** Lower case letters, digits and underscores, at most 40, starting with a letter. */
  name: string
  /** Properties records are found by (default none). */
  fields?: Readonly<Record<string, FieldType>>
  /** Whether views are built on it (default false). */
  feed?: boolean
}

/**
 * Declares a collection. `T` is what its owner writes to it: nothing else writes there, so values are
 * not decoded again when they are read.
 *
 * @throws {TypeError} if the name or a field's name does not fit.
 */
export function defineCollection<T>(options: CollectionOptions): TypedCollection<T> {
  const { name, fields = {}, feed = false } = options
  const collection: TypedCollection<T> = {
    name,
    fields,
    feed,
    async get(storage, id) {
      const [record] = await storage.get(collection, [id])
      return record as TypedRecord<T> | undefined
    },
    find: (storage, query) =>
      storage.find(collection, query) as Promise<unknown> as Promise<TypedRecord<T>[]>,
    changes: (storage, since) =>
      storage.changes(collection, since) as Promise<unknown> as Promise<TypedChanges<T>>,
    write: (id, value, writeOptions = {}) => ({
      collection,
      id,
      value: value as Json,
      ...writeOptions,
    }),
    remove: (id, version) => ({
      collection,
      id,
      value: undefined,
      ...(version === undefined ? {} : { if: version }),
    }),
  }
  checkCollection(collection)
  return Object.freeze(collection)
}
