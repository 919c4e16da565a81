import { sha256Hex } from '../../crypto/crypto.ts'
import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { number, objectOf, optional, text } from '../../storage/record-check.ts'
import type { Version } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { Run, RunStatus } from '../run.ts'
import { type StoredRun, storedRunCheck } from './run-record.ts'

/** A key that a delivery named itself by, and the run that was made of it. */
export interface StoredKey {
  readonly run_id: string
  readonly created_at: Instant
  /** The run, once it has succeeded: its record may be forgotten before the key is. */
  readonly run?: StoredRun
}

/** By {@link keyId}. */
export const keyCollection: TypedCollection<StoredKey> = defineCollection<StoredKey>({
  name: 'webhook_keys',
  fields: { created_at: 'number' },
  unreadable: 'skip',
  check: objectOf<StoredKey>({ run_id: text, created_at: number, run: optional(storedRunCheck) }),
})

/** How many keys are kept. */
export const maxKeys = 10_000

/** The id of the record of a key: what a client calls itself may be of any length and hold anything. */
export function keyId(webhookId: string, key: string): string {
  return sha256Hex(`${webhookId.length} ${webhookId} ${key}`)
}

/** A key that a run is about to take, and what its record must be until then. */
export interface KeyClaim {
  readonly id: string
  readonly expiresAt: Instant
  readonly version: 'absent' | Version
}

const holding: ReadonlySet<RunStatus> = new Set(['queued', 'running', 'succeeded'])

/** Whether a run keeps its key from being used again. One that failed does not: its sender may try again. */
export function holdsKey({ status }: Pick<Run, 'status'>): boolean {
  return holding.has(status)
}
