import { sha256Hex } from '../../crypto/crypto.ts'
import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import type { Version, Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'

/**
 * One of the places of a webhook, whose number is its `concurrency`. It belongs to a process, which gives it to its runs in turn.
 */
export interface StoredPlace {
  /** By {@link laneKey}. */
  readonly webhook: string
  readonly server: string
}

/** By {@link placeId}. A free place has no record. */
export const placeCollection: TypedCollection<StoredPlace> = defineCollection<StoredPlace>({
  name: 'webhook_places',
  fields: { webhook: 'text', server: 'text' },
})

/** A process with runs that wait for places of other processes. */
export interface StoredWait extends StoredPlace {
  /** By the clock of that process. */
  readonly since: Instant
}

/** Processes that wait for places of others, by the key of the webhook and the id of the process. */
export const waitCollection: TypedCollection<StoredWait> = defineCollection<StoredWait>({
  name: 'webhook_waits',
  fields: { server: 'text' },
})

/** The newest run of each webhook whose newer runs replace waiting ones. By {@link laneKey}. */
export const latestCollection: TypedCollection<{ readonly run_id: string }> = defineCollection({
  name: 'webhook_latest',
})

/** The key of a webhook in ids and fields, which its own id may not fit. */
export const laneKey = (webhookId: string): string => sha256Hex(webhookId)

/** The id of the record of the nth place, from 0. */
export const placeId = (lane: string, place: number): string => `${lane}.${place}`

/** The number of a place. */
export const placeNumber = (id: string): number => Number(id.slice(id.lastIndexOf('.') + 1))

/** A place that a run takes when it is recorded. */
export interface PlaceClaim {
  /** Writes for the commit that records the run. Read them only once the heartbeat is recorded. */
  readonly writes: readonly Write[]
  /** The commit succeeded with these versions of {@link PlaceClaim.writes}. */
  settle(versions: readonly Version[]): void
  /** The commit failed. */
  drop(): void
}
