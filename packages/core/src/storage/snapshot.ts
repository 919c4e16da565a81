import type { Instant } from '../time/clock.ts'
import type { Json, Version } from './storage.ts'

/** One record as it is stored. It may have expired. */
export interface SnapshotRecord {
  readonly id: string
  readonly version: Version
  readonly expiresAt?: Instant
  /** `undefined` if the stored text is not JSON. */
  readonly value: Json | undefined
  /** The stored text, if it is not JSON. */
  readonly text?: string
}

/** Everything a database held at one moment, for backups and checks. Stores that keep their data on a disk can be read like this. */
export interface StorageSnapshot {
  /** Names of the collections that the database has. */
  readonly collections: readonly string[]
  /** The records of a collection, ordered by id. */
  records(collection: string): AsyncIterable<SnapshotRecord>
  /** What is wrong with the database, apart from the values of records: one sentence each. */
  findProblems(): Promise<readonly string[]>
}
