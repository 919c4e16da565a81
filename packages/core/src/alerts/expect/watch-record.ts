import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { instant, objectOf, optional, text } from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'
import type { Expectation } from './expectation.ts'

/** What the processes know of expected alerts together, so that a restart and a second process go on from there. */
export interface WatchRecord {
  /** The name of the expectation, for people who read the storage. */
  readonly name: string
  /** Since when processes have watched without a break. */
  readonly since: Instant
  /** When the last one came; absent if none came yet. Up to {@link watchEveryMs} old. */
  readonly seen?: Instant
  /** When a process last looked. */
  readonly watched: Instant
}

/** By the id of the expectation. They expire some time after the configuration has dropped it. */
export const watchCollection: TypedCollection<WatchRecord> = defineCollection<WatchRecord>({
  name: 'expected_alerts',
  unreadable: 'skip',
  check: objectOf<WatchRecord>({
    name: text,
    since: instant,
    seen: optional(instant),
    watched: instant,
  }),
})

/** How often one of the processes writes the record, in ms: seldom, and well before {@link breakMs}. */
export const watchEveryMs = ({ everyMs }: Expectation): number => Math.min(everyMs / 8, 60_000)

/**
 * A break this long counts: nothing could be posted meanwhile, so the wait starts again. A shorter one does not, or frequent
 * restarts would hide what is missing.
 */
export const breakMs = ({ everyMs }: Expectation): number => everyMs / 4

/** Whether no process has watched for too long. A clock that was set back leaves instants in the future; these count as now. */
export const wasUnwatched = (
  expectation: Expectation,
  { watched }: WatchRecord,
  now: Instant,
): boolean => now - watched > breakMs(expectation)

/** When a record that is written now expires. */
export const watchExpiry = ({ everyMs }: Expectation, now: Instant): Instant =>
  now + Math.max(7 * 24 * 3_600_000, 2 * everyMs)
