import { sha256Hex } from '../../crypto/crypto.ts'
import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { number, objectOf, optional, text } from '../../storage/record-check.ts'
import type { Version } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { Run, RunStatus } from '../run.ts'
import { type StoredRun, storedRunCheck } from './run-record.ts'

/** The key of a delivery, and the run that it made. */
export interface StoredKey {
  readonly run_id: string
  /** The id of its webhook; records of earlier versions have none. */
  readonly webhook?: string
  readonly created_at: Instant
  /** The run, once it has succeeded: its own record may be deleted before the key is. */
  readonly run?: StoredRun
}

/** By {@link keyId}. */
export const keyCollection: TypedCollection<StoredKey> = defineCollection<StoredKey>({
  name: 'webhook_keys',
  fields: { created_at: 'number' },
  unreadable: 'skip',
  check: objectOf<StoredKey>({
    run_id: text,
    webhook: optional(text),
    created_at: number,
    run: optional(storedRunCheck),
  }),
})

/** The maximum number of stored keys. */
export const maxKeys = 10_000

/** The id of a key's record, because keys from clients may have any length and content. */
export function keyId(webhookId: string, key: string): string {
  return sha256Hex(`${webhookId.length} ${webhookId} ${key}`)
}

/** A key for a new run, and the state its record must have until then. */
export interface KeyClaim {
  readonly id: string
  readonly expiresAt: Instant
  readonly version: 'absent' | Version
}

const holding: ReadonlySet<RunStatus> = new Set(['queued', 'running', 'succeeded'])

/** Whether a run keeps its key from being used again. A failed run does not, so its sender may retry. */
export function holdsKey({ status }: Pick<Run, 'status'>): boolean {
  return holding.has(status)
}
