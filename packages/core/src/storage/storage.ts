import { GatehouseError, isGatehouseError } from '../errors.ts'
import type { Instant } from '../time/clock.ts'

/**
 * A JSON value. It must not be modified after passing it to the storage or receiving it. Numbers are finite, values nest at most
 * 100 deep, and a property that is `undefined` counts as missing. Every string round-trips unchanged, including NUL and lone
 * surrogates.
 */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

/** A JSON value with members by name. */
export type JsonObject = { readonly [name: string]: Json }

/** Whether a parsed JSON value, or another one without a class, has members by name: lists and `null` do not. */
export function isJsonObject(value: Json | undefined): value is JsonObject
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>>
export function isJsonObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Identifies one state of one record. Opaque, and never reused for the same id, even after a removal. */
export type Version = string

/** A position in a collection's change feed. It grows with every commit that touches the collection; 0 is before the first. */
export type Revision = number

/** The type by which a declared field is compared. Texts compare by their UTF-8 bytes. */
export type FieldType = 'text' | 'number'

/**
 * The declaration of a collection for a {@link Storage}. Declare it once, beside the noun it holds. If two declarations with the
 * same name differ, any method that gets the second one throws a `TypeError`.
 */
export interface Collection {
  /** At most 40 lower case letters, digits and underscores, starting with a letter. Table names end in it. */
  readonly name: string
  /**
   * Top-level properties of the value that records can be found by. A name has at most 40 letters, digits and underscores, starts
   * with a letter, differs from the others by more than case, and is not `id`. If a value lacks the field or holds `null`, the
   * record is not found by it. You may add fields to a collection that already has records.
   */
  readonly fields: Readonly<Record<string, FieldType>>
  /** Whether the collection supports {@link Storage.changes}. */
  readonly feed: boolean
}

/** A stored value with its metadata. */
export interface StoredRecord {
  readonly id: string
  readonly value: Json
  readonly version: Version
  /** When the record expires. From then on it counts as absent. */
  readonly expiresAt?: Instant
}

/** A query of {@link Storage.find}. Results are ordered by `by`, then by id. A lone surrogate in a text counts as U+FFFD. */
export interface Query {
  /** A declared field, or `id`. */
  readonly by: string
  /** Only records whose field has this value. Cannot be combined with `from` and `to`. */
  readonly equals?: string | number
  /** Only records whose field is at least this. */
  readonly from?: string | number
  /** Only records whose field is less than this. */
  readonly to?: string | number
  /** Default `asc`. `desc` reverses the whole order, including ids. */
  readonly order?: 'asc' | 'desc'
  /** The most records to return, 1 to 10,000. */
  readonly limit: number
  /** Continues after this record of an earlier result, even if it no longer exists. */
  readonly after?: { readonly key: string | number; readonly id: string }
}

/**
 * One part of a commit. A precondition (`if`, `check`) names the version that must still be current; `absent` requires that there
 * is no record. An expired record counts as absent.
 */
export type Write =
  | {
      readonly collection: Collection
      readonly id: string
      readonly value: Json
      readonly expiresAt?: Instant
      readonly if?: 'absent' | Version
      /**
       * With a version in `if`: the only top-level properties in which the value differs from that version. A store may then
       * write just these.
       */
      readonly changed?: readonly string[]
    }
  | {
      readonly collection: Collection
      readonly id: string
      readonly value: undefined
      readonly if?: Version
    }
  | { readonly collection: Collection; readonly id: string; readonly check: 'absent' | Version }

/** The changes in a collection. */
export type Changes =
  | {
      /** Pass this to the next call. */
      readonly revision: Revision
      /** The current state of every record written since, each once, in no particular order. */
      readonly written: readonly StoredRecord[]
      /** The ids removed since and not written again. May include ids the reader never saw. */
      readonly removed: readonly string[]
    }
  | {
      /**
       * The feed no longer reaches back that far. Forget everything, read the collection by `find`, then continue from this
       * revision.
       */
      readonly reset: true
      readonly revision: Revision
    }

/**
 * The contract of every store. Read freely; end each decision in one atomic {@link Storage.commit} whose writes carry
 * preconditions.
 *
 * Every method rejects with `StorageUnavailable` when the database cannot be reached and with `StorageClosed` after {@link
 * Storage.close}.
 */
export interface Storage {
  /** The live records with these ids, in the same order, `undefined` where there is none. All come from one snapshot. */
  get(collection: Collection, ids: readonly string[]): Promise<(StoredRecord | undefined)[]>
  /**
   * Live records that match a query by a declared field or by id.
   *
   * @throws {TypeError} if `by` is not declared, a key has the wrong type, or `limit` is out of range.
   */
  find(collection: Collection, query: Query): Promise<StoredRecord[]>
  /**
   * Makes all writes or none. When it resolves, the writes are as durable as the store promises. Removing a missing record is not
   * an error. If it rejects with `StorageUnavailable`, the writes may have been made nevertheless, because the connection may
   * break before the answer arrives.
   *
   * @returns the versions of the writes, in their order; `''` for removals and checks.
   * @throws {GatehouseError} `StorageConflict` if a precondition does not hold; nothing was written.
   * @throws {TypeError} if two writes name the same record; if an id is not 1 to 512 bytes of UTF-8 without NUL and lone
   * surrogates; if a value is not {@link Json}; if a declared field holds a value of another type, a text with NUL or a lone
   * surrogate or of more than 1,024 bytes, or a number beyond 2^53; if `expiresAt` is not finite. Nothing was written.
   */
  commit(writes: readonly Write[]): Promise<readonly Version[]>
  /**
   * The records written or removed after `since`; cheap if there are none. The feed has the order of commits: a reader that got
   * revision n never later gets a change at or before n. The answer includes every commit that was acknowledged to this process
   * before the call, and those of other processes within a second.
   *
   * Expired records may still be listed, so check `expiresAt`. A later commit, to whichever collection,
   * removes some of the expired records of every collection, and lists them as removed.
   * A revision that no call has returned gets a reset.
   *
   * @throws {TypeError} if the collection has no feed.
   */
  changes(collection: Collection, since: Revision): Promise<Changes>
  /** Waits for pending operations and frees the resources of the store. A second call does nothing. */
  close(): Promise<void>
}

/** A precondition of the commit did not hold, because another writer was faster. */
export const storageConflict = (collection: Collection, id: string): GatehouseError =>
  new GatehouseError(
    'Conflict',
    'StorageConflict',
    `the record "${id}" of ${collection.name} has changed: a precondition of the commit does not hold`,
    { info: { collection: collection.name, id } },
  )

/** The store was used after close(). */
export const storageClosed = (): GatehouseError =>
  new GatehouseError('ServiceUnavailable', 'StorageClosed', 'the storage is closed')

/** The database cannot be reached or refuses to work. */
export const storageUnavailable = (message: string, cause?: unknown): GatehouseError =>
  new GatehouseError('ServiceUnavailable', 'StorageUnavailable', message, { cause })

/** Whether an error is a `StorageConflict`. */
export function isConflict(error: unknown): boolean {
  return isGatehouseError(error) && error.reason === 'StorageConflict'
}

/** Options of {@link retryOnConflict}. */
export interface RetryOptions {
  /** The most attempts (default 20). */
  attempts?: number
  /** Waits before the next attempt, in milliseconds (default a system timer). */
  sleep?: (ms: number) => Promise<void>
}

const sleepFor = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Repeats read, decide and commit until the commit meets no conflict. The first retry is immediate; later ones wait for a random
 * time of up to 50 ms.
 *
 * @throws {GatehouseError} the last `StorageConflict` after all attempts, and any other error at once.
 */
export async function retryOnConflict<T>(
  decide: () => Promise<T>,
  options: RetryOptions = {},
): Promise<T> {
  const { attempts = 20, sleep = sleepFor } = options
  for (let attempt = 1; ; attempt++) {
    try {
      return await decide()
    } catch (error) {
      if (!isConflict(error) || attempt >= attempts) throw error
      if (attempt > 1) await sleep(Math.random() * Math.min(50, 2 ** attempt))
    }
  }
}
