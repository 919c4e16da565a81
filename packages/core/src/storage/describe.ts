import type { Storage } from './storage.ts'

/** A store and its size, as far as the store knows them. */
export interface StorageDescription {
  /** Such as `memory`, `sqlite` or `postgres`. */
  readonly kind: string
  /** The bytes that the data takes on the disk, free room in it and indexes included. */
  readonly bytes?: number
  /** How many of these bytes are free and used again by later writes. */
  readonly freeBytes?: number
  /** How many records there are; expired ones that are not swept yet count. */
  readonly records?: number
}

/** A store that can describe itself. Optional: a store needs only the methods of {@link Storage}, and no decision depends on this. */
export interface DescribedStorage extends Storage {
  /**
   * Describes the store.
   *
   * @throws {GatehouseError} as the other methods do.
   */
  describe(): Promise<StorageDescription>
}

/** Whether a store can describe itself. */
export const isDescribed = (storage: Storage): storage is DescribedStorage =>
  typeof (storage as Partial<DescribedStorage>).describe === 'function'
