import type { Instant } from '../time/clock.ts'
import type { Json, Version } from './storage.ts'

/** A stored record, which may have expired. */
export interface SnapshotRecord {
  readonly id: string
  readonly version: Version
  readonly expiresAt?: Instant
  /** `undefined` if the stored text is not JSON. */
  readonly value: Json | undefined
  /** The stored text, if it is not JSON. */
  readonly text?: string
}

/** The content of a database at one moment, for backups and checks. Stores on disk can be read like this. */
export interface StorageSnapshot {
  /** The names of the collections in the database. */
  readonly collections: readonly string[]
  /** The records of a collection, ordered by id. */
  records(collection: string): AsyncIterable<SnapshotRecord>
  /** Problems with the database apart from record values, as one sentence each. */
  findProblems(): Promise<readonly string[]>
}
