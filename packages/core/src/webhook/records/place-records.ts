import { sha256Hex } from '../../crypto/crypto.ts'
import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import type { Version, Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'

/** A place of a webhook that runs no more commands at once than it has places. It is a process's, which gives it to its runs in turn. */
export interface StoredPlace {
  /** By {@link laneKey}. */
  readonly webhook: string
  readonly server: string
}

/** By {@link placeId}. A place that nobody has is no record. */
export const placeCollection: TypedCollection<StoredPlace> = defineCollection<StoredPlace>({
  name: 'webhook_places',
  fields: { webhook: 'text', server: 'text' },
})

/** A process with runs that wait for places of others. */
export interface StoredWait extends StoredPlace {
  /** By the clock of the process. */
  readonly since: Instant
}

/** That a process has runs of a webhook that wait for places of others. By the key of the webhook and the id of the process. */
export const waitCollection: TypedCollection<StoredWait> = defineCollection<StoredWait>({
  name: 'webhook_waits',
  fields: { server: 'text' },
})

/** The newest run of a webhook whose newer runs supersede those that wait. By {@link laneKey}. */
export const latestCollection: TypedCollection<{ readonly run_id: string }> = defineCollection({
  name: 'webhook_latest',
})

/** What a webhook is called in ids and fields, which its own id may not fit. */
export const laneKey = (webhookId: string): string => sha256Hex(webhookId)

/** The id of the record of the nth place, from 0. */
export const placeId = (lane: string, place: number): string => `${lane}.${place}`

/** The number of a place. */
export const placeNumber = (id: string): number => Number(id.slice(id.lastIndexOf('.') + 1))

/** A place that a run takes when it is recorded. */
export interface PlaceClaim {
  /** To be made in the commit that records the run, and to be read when the sign of life is there. */
  readonly writes: readonly Write[]
  /** The commit was made, and answered these versions of {@link PlaceClaim.writes}. */
  settle(versions: readonly Version[]): void
  /** It was not made. */
  drop(): void
}
