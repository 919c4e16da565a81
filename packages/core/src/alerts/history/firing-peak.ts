import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { instant, number, objectOf } from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'

/** The most alerts that fired at once in a part of the day. */
export interface FiringPeak {
  /** The start of the part. */
  readonly at: Instant
  readonly alerts: number
}

/** The length of a part, in ms. */
export const partMs = 900_000
/** How many parts are kept and listed: a day. */
export const maxParts = 96

/** The peaks of the last day: at most one for each part, however many alerts there are. */
export const firingPeakCollection: TypedCollection<FiringPeak> = defineCollection<FiringPeak>({
  name: 'firing_peaks',
  unreadable: 'skip',
  check: objectOf<FiringPeak>({ at: instant, alerts: number }),
})

/** The start of the part that an instant is in, the same in every process. */
export const startOfPart = (at: Instant): Instant => Math.floor(at / partMs) * partMs
