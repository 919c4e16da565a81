import type { Instant } from '../time/clock.ts'
import type { RecordCheck } from './record-check.ts'
import { newerShape, shapeOf, withoutShape, withShape } from './record-shape.ts'
import type {
  Collection,
  FieldType,
  Json,
  Query,
  Revision,
  Storage,
  StoredRecord,
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

/** A collection that knows what its records look like, and looked like in earlier versions. */
export interface ReadableCollection extends Collection {
  /** The shape in which records are written; older ones are read. */
  readonly shape: number
  /** What becomes of reading a record that cannot be decoded; see {@link CollectionOptions.unreadable}. */
  readonly unreadable: 'refuse' | 'skip'
  /**
   * A stored record in the current shape, or what is wrong with it.
   *
   * @throws {GatehouseError} `StorageNewerVersion` if it has a newer shape.
   */
  decode(record: StoredRecord): StoredRecord | string
}

/** One collection of a Storage, with the type of its values. */
export interface TypedCollection<T> extends ReadableCollection {
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
  /**
   * What brings a value from one shape to the next: the first from shape 1 to 2 (default none, all have shape 1). A new
   * shape is for what older versions would misread; a property that may be missing needs none. Published ones are never
   * changed, only followed by new ones.
   */
  upgrades?: readonly ((older: Json) => Json)[]
  /** Looks at each value of the current shape that comes from the storage (default: any will do). */
  check?: RecordCheck
  /**
   * What becomes of a record that cannot be decoded, because an older version or a person wrote it. `skip`: it counts as
   * absent, also in preconditions. `refuse`: whatever reads it fails, where to count it as absent would open a door (default).
   */
  unreadable?: 'refuse' | 'skip'
}

/**
 * Declares a collection. `T` is what its owner writes to it. Its methods hand on what the storage answers: the services
 * read through {@link readableStorage}, which decodes.
 *
 * @throws {TypeError} if the name or a field's name does not fit.
 */
export function defineCollection<T>(options: CollectionOptions): TypedCollection<T> {
  const { name, fields = {}, feed = false, upgrades = [], unreadable = 'refuse' } = options
  const shape = upgrades.length + 1
  const collection: TypedCollection<T> = {
    name,
    fields,
    feed,
    shape,
    unreadable,
    decode: decoderOf({ name, upgrades, check: options.check }),
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
      value: withShape(value as Json, shape),
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

interface Decoding {
  readonly name: string
  readonly upgrades: readonly ((older: Json) => Json)[]
  readonly check: RecordCheck | undefined
}

/** Answers the very record that it is given where nothing has to be changed: it runs for each that enters a view. */
function decoderOf({ name, upgrades, check }: Decoding): ReadableCollection['decode'] {
  const known = upgrades.length + 1
  return (record) => {
    const found = shapeOf(record.value)
    if (found === undefined) return '$shape: expected a whole number from 1 on'
    if (found > known) throw newerShape({ name }, { id: record.id, found, known })
    let current = record
    if (known > 1) {
      try {
        const value = upgrades.slice(found - 1).reduce(upgraded, withoutShape(record.value))
        current = { ...record, value }
      } catch (error) {
        return `it cannot be brought from shape ${found} to ${known}: ${String(error)}`
      }
    }
    return check?.(current.value) ?? current
  }
}

const upgraded = (value: Json, upgrade: (older: Json) => Json): Json => upgrade(value)
