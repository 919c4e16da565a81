import { GatehouseError, isGatehouseError } from '../errors.ts'
import type { Instant } from '../time/clock.ts'

/**
 * A value that JSON can hold. Whoever passes or receives one never changes it afterwards. Numbers are
 * finite, values nest at most 100 deep, a property that is `undefined` counts as missing; every
 * string comes back as it was, also with NUL or a lone surrogate in it.
 */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

/** Names one state of one record. Opaque, and never given twice for one id, also not after a removal. */
export type Version = string

/**
 * A place in the history of a collection's change feed. Grows with every commit that touches the
 * collection; 0 is before the first.
 */
export type Revision = number

/** The type a declared field is compared by. Texts compare by their UTF-8 bytes. */
export type FieldType = 'text' | 'number'

/**
 * What a {@link Storage} must know of a collection. Declared once, beside the noun it holds: two that
 * share a name and differ otherwise are a `TypeError` of whatever method is given the second.
 */
export interface Collection {
  /** Lower case letters, digits and underscores, at most 40, starting with a letter; a table name ends in it. */
  readonly name: string
  /**
   * Top-level properties of the value that records are found by: at most 40 letters, digits and underscores, starting with
   * a letter, no two the same but for case, not `id`. A value may lack one or hold `null`, and is then not found by it. Fields
   * may be added to a collection that has records already.
   */
  readonly fields: Readonly<Record<string, FieldType>>
  /** Whether {@link Storage.changes} can be asked. */
  readonly feed: boolean
}

/** A stored value with what the store knows of it. */
export interface StoredRecord {
  readonly id: string
  readonly value: Json
  readonly version: Version
  /** From this instant on the record counts as absent. */
  readonly expiresAt?: Instant
}

/**
 * What {@link Storage.find} looks for. Answers are ordered by `by`, then by id. A lone surrogate in
 * a text counts as U+FFFD.
 */
export interface Query {
  /** A declared field, or `id`. */
  readonly by: string
  /** Only records whose field has this value. Excludes `from` and `to`. */
  readonly equals?: string | number
  /** Only records whose field is at least this. */
  readonly from?: string | number
  /** Only records whose field is less than this. */
  readonly to?: string | number
  /** Default `asc`; `desc` turns the whole order round, ids too. */
  readonly order?: 'asc' | 'desc'
  /** At most this many records, 1 to 10,000. */
  readonly limit: number
  /** Continues behind this record of an earlier answer, whether or not it is still there. */
  readonly after?: { readonly key: string | number; readonly id: string }
}

/**
 * One part of a commit. A precondition (`if`, `check`) names the version that must still be current;
 * `absent` demands that there is none. An expired record counts as absent.
 */
export type Write =
  | {
      readonly collection: Collection
      readonly id: string
      readonly value: Json
      readonly expiresAt?: Instant
      readonly if?: 'absent' | Version
    }
  | {
      readonly collection: Collection
      readonly id: string
      readonly value: undefined
      readonly if?: Version
    }
  | { readonly collection: Collection; readonly id: string; readonly check: 'absent' | Version }

/** What changed in a collection. */
export type Changes =
  | {
      /** Ask with this next time. */
      readonly revision: Revision
      /** The current state of every record written since, each once, in no order. */
      readonly written: readonly StoredRecord[]
      /** Ids removed since and not written again. May name ids the reader never saw. */
      readonly removed: readonly string[]
    }
  | {
      /** The feed no longer reaches back that far: forget everything, read the collection by `find`, then ask from this revision. */
      readonly reset: true
      readonly revision: Revision
    }

/**
 * What every store does. Reads are free; everything that is decided together ends in one atomic
 * {@link Storage.commit} whose writes carry preconditions.
 *
 * Every method rejects with `StorageUnavailable` when the database cannot be reached and with
 * `StorageClosed` after {@link Storage.close}.
 */
export interface Storage {
  /** The live records with these ids, in their order, `undefined` where there is none. All are of one moment. */
  get(collection: Collection, ids: readonly string[]): Promise<(StoredRecord | undefined)[]>
  /**
   * Live records by a declared field or by id.
   *
   * @throws {TypeError} if `by` is not declared, a key is not of its type, or `limit` is out of range.
   */
  find(collection: Collection, query: Query): Promise<StoredRecord[]>
  /**
   * Makes all writes or none. Once resolved, they survive what the store promises to survive. Removing
   * what is not there is no failure. If it rejects with `StorageUnavailable`, they may have been made all the same:
   * the connection may be lost with the answer.
   *
   * @returns the versions of the writes, in their order; `''` for removals and checks.
   * @throws {GatehouseError} `StorageConflict` if a precondition does not hold; nothing was written.
   * @throws {TypeError} if two writes name the same record; if an id is not 1 to 512 bytes of UTF-8 without
   *   NUL and lone surrogates; if a value is no {@link Json}; if a declared field holds a value of another
   *   type, a text with NUL or a lone surrogate or of more than 1,024 bytes, or a number beyond 2^53; if `expiresAt` is
   *   not finite. Nothing was written.
   */
  commit(writes: readonly Write[]): Promise<readonly Version[]>
  /**
   * What was written or removed after `since`; cheap when nothing was. Commit-ordered: whoever was
   * answered revision n never later finds a change at or before n. Sees every commit that was
   * acknowledged to this process before the call; those of other processes within a second. Records
   * that expired may still be listed: whoever keeps them looks at `expiresAt`. Later commits sweep them in
   * small steps, and then they are listed as removed. A revision that was never answered is answered by a reset.
   *
   * @throws {TypeError} if the collection has no feed.
   */
  changes(collection: Collection, since: Revision): Promise<Changes>
  /** Waits for what is under way and frees what the store holds. A second call does nothing. */
  close(): Promise<void>
}

/** The commit's precondition did not hold: somebody else was faster. */
export const storageConflict = (collection: Collection, id: string): GatehouseError =>
  new GatehouseError(
    'Conflict',
    'StorageConflict',
    `the record "${id}" of ${collection.name} is not in the state this change rests on`,
    { info: { collection: collection.name, id } },
  )

/** The store was used after close(). */
export const storageClosed = (): GatehouseError =>
  new GatehouseError('ServiceUnavailable', 'StorageClosed', 'the storage is closed')

/** The database cannot be reached or refuses to work. */
export const storageUnavailable = (message: string, cause?: unknown): GatehouseError =>
  new GatehouseError('ServiceUnavailable', 'StorageUnavailable', message, { cause })

/** Whether an error says that a commit's precondition did not hold. */
export function isConflict(error: unknown): boolean {
  return isGatehouseError(error) && error.reason === 'StorageConflict'
}

/** Options of {@link retryOnConflict}. */
export interface RetryOptions {
  /** How often the decision is made at most (default 20). */
  attempts?: number
  /** Waits before the next attempt, in milliseconds (default a timer of the machine). */
  sleep?: (ms: number) => Promise<void>
}

const sleepFor = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Runs read, decide and commit again until the commit meets no conflict. The first repetition is
 * immediate; later ones wait a random time that grows up to 50 ms.
 *
 * @throws {GatehouseError} the last `StorageConflict` once the attempts are spent, and every other error at once.
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
