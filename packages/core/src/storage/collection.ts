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

/** The changes in a {@link TypedCollection}; see `Changes`. */
export type TypedChanges<T> =
  | {
      readonly revision: Revision
      readonly written: readonly TypedRecord<T>[]
      readonly removed: readonly string[]
    }
  | { readonly reset: true; readonly revision: Revision }

/** Options of {@link TypedCollection.write}. */
export interface WriteOptions {
  /** When the record expires. From then on it counts as absent. */
  expiresAt?: Instant
  /** The version that must still be current, or `absent` if there must be no record. */
  if?: 'absent' | Version
  /** With a version in `if`: the only properties in which the value differs from that version, as it was read. */
  changed?: readonly string[]
}

/** A collection that can decode its records, of the current and of earlier shapes. */
export interface ReadableCollection extends Collection {
  /** The shape in which records are written. Older shapes are readable. */
  readonly shape: number
  /** How to treat a record that cannot be decoded; see {@link CollectionOptions.unreadable}. */
  readonly unreadable: 'refuse' | 'skip'
  /**
   * Returns a stored record in the current shape, or the problem with it.
   *
   * @throws {GatehouseError} `StorageNewerVersion` if it has a newer shape.
   */
  decode(record: StoredRecord): StoredRecord | string
}

/** One collection of a Storage, with the type of its values. */
export interface TypedCollection<T> extends ReadableCollection {
  /** The live record, or `undefined`. */
  get(storage: Storage, id: string): Promise<TypedRecord<T> | undefined>
  /** The live records with these ids, in the same order, `undefined` where there is none. */
  getAll(storage: Storage, ids: readonly string[]): Promise<(TypedRecord<T> | undefined)[]>
  /** Live records that match a query by a declared field or by id. */
  find(storage: Storage, query: Query): Promise<TypedRecord<T>[]>
  /** The records written or removed after a revision. */
  changes(storage: Storage, since: Revision): Promise<TypedChanges<T>>
  /** Returns the write that stores a value, for {@link Storage.commit}. */
  write(id: string, value: T, options?: WriteOptions): Write
  /** Returns the write that removes a record, for {@link Storage.commit}. */
  remove(id: string, version?: Version): Write
}

/** Options of {@link defineCollection}. */
export interface CollectionOptions {
  /** Lower case letters, digits and underscores, at most 40, starting with a letter. */
  name: string
  /** The properties that records can be found by (default none). */
  fields?: Readonly<Record<string, FieldType>>
  /** Whether views follow the collection (default false). */
  feed?: boolean
  /**
   * Functions that convert a value from one shape to the next; the first from shape 1 to 2 (default none: all values have shape
   * 1). Add a shape only if older versions would misread the values; an optional property needs none. Never change a published
   * function, only add new ones.
   */
  upgrades?: readonly ((older: Json) => Json)[]
  /** Checks each value of the current shape that is read from the storage (default: accept any). */
  check?: RecordCheck
  /**
   * How to treat a record that cannot be decoded, because an older version or a person wrote it. `skip`: it counts as absent,
   * also in preconditions. `refuse`: reading it fails; use this where treating the record as absent would be a security hole
   * (default).
   */
  unreadable?: 'refuse' | 'skip'
}

/**
 * Declares a collection. `T` is the type of its values. Its methods return what the storage returns; the services read through
 * {@link readableStorage}, which decodes.
 *
 * @throws {TypeError} if the name of the collection or of a field is not valid.
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
    getAll: (storage, ids) =>
      storage.get(collection, ids) as Promise<unknown> as Promise<(TypedRecord<T> | undefined)[]>,
    find: (storage, query) =>
      storage.find(collection, query) as Promise<unknown> as Promise<TypedRecord<T>[]>,
    changes: (storage, since) =>
      storage.changes(collection, since) as Promise<unknown> as Promise<TypedChanges<T>>,
    write(id, value, options) {
      if (shape === 1) return { collection, id, value: value as Json, ...options }
      // The stored value may have an older shape, which differs in other properties too.
      const { changed: _, ...others } = options ?? {}
      return { collection, id, value: withShape(value as Json, shape), ...others }
    },
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

/** Returns the same record object if nothing must be changed, because it runs for every record that enters a view. */
function decoderOf({ name, upgrades, check }: Decoding): ReadableCollection['decode'] {
  const known = upgrades.length + 1
  return (record) => {
    const found = shapeOf(record.value)
    if (found === undefined) return '$shape: expected a whole number of at least 1'
    if (found > known) throw newerShape({ name }, { id: record.id, found, known })
    let current = record
    if (known > 1) {
      try {
        const value = upgrades.slice(found - 1).reduce(upgraded, withoutShape(record.value))
        current = { ...record, value }
      } catch (error) {
        return `cannot upgrade it from shape ${found} to ${known}: ${String(error)}`
      }
    }
    return check?.(current.value) ?? current
  }
}

const upgraded = (value: Json, upgrade: (older: Json) => Json): Json => upgrade(value)
