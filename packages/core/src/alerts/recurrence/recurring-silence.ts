import {
  defineCollection,
  type TypedCollection,
  type TypedRecord,
} from '../../storage/collection.ts'
import {
  instant,
  listOf,
  mapOf,
  objectOf,
  optional,
  type RecordCheck,
  text,
} from '../../storage/record-check.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { Labels } from '../alert/alert.ts'
import { type StoredSilence, storedMatcher, type WireMatcher } from '../silence/silence.ts'
import { type StoredTimeInterval, storedTimeIntervalsInput } from './time-interval-input.ts'

/** A recurring silence as it is stored. */
export interface StoredRecurringSilence {
  readonly matchers: readonly Required<WireMatcher>[]
  readonly timeIntervals: readonly StoredTimeInterval[]
  readonly createdBy: string
  readonly comment: string
  readonly annotations?: Labels
  readonly createdAt: Instant
  /** No silence is made any more for what occurs before this instant. */
  readonly madeUntil: Instant
  /** The silences that were made and had not ended by then, the earliest first. */
  readonly silences: readonly MadeSilence[]
}

/** A silence of one occurrence. */
export interface MadeSilence {
  readonly id: string
  readonly endsAt: Instant
}

const storedTimeIntervals: RecordCheck = (value) => {
  try {
    storedTimeIntervalsInput(value)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Recurring silences by id. */
export const recurringSilenceCollection: TypedCollection<StoredRecurringSilence> =
  defineCollection<StoredRecurringSilence>({
    name: 'recurring_silences',
    unreadable: 'skip',
    check: objectOf<StoredRecurringSilence>({
      matchers: listOf(storedMatcher),
      timeIntervals: storedTimeIntervals,
      createdBy: text,
      comment: text,
      annotations: optional(mapOf(text)),
      createdAt: instant,
      madeUntil: instant,
      silences: listOf(objectOf<MadeSilence>({ id: text, endsAt: instant })),
    }),
  })

/** The most recurring silences that may be stored. */
export const maxRecurringSilences: number = 1_000

/** All recurring silences, the oldest first. */
export function findRecurringSilences(
  storage: Storage,
): Promise<readonly TypedRecord<StoredRecurringSilence>[]> {
  return recurringSilenceCollection.find(storage, { by: 'id', limit: maxRecurringSilences })
}

/** The silence for one occurrence. */
export function silenceFor(
  { matchers, createdBy, comment, annotations }: StoredRecurringSilence,
  { startsAt, endsAt }: { readonly startsAt: Instant; readonly endsAt: Instant },
  now: Instant,
): StoredSilence {
  return {
    matchers,
    startsAt: Math.max(startsAt, now),
    endsAt,
    updatedAt: now,
    createdBy,
    comment,
    ...(annotations === undefined ? {} : { annotations }),
  }
}
