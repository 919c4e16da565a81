import {
  defineCollection,
  type TypedCollection,
  type TypedRecord,
} from '../../storage/collection.ts'
import { instant, listOf, objectOf, oneOf, optional, text } from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'
import { formatDateTime } from '../../time/date-time.ts'
import type { SilenceChange } from '../dispatch/hooks.ts'
import {
  type StoredSilence,
  silenceState,
  storedMatcher,
  type WireMatcher,
} from '../silence/silence.ts'
import type * as wire from '../wire/types.generated.ts'
import { cutText } from './cut-short.ts'

/** An action on a silence by a user. Expiry is not one. */
export type SilenceEventKind = 'created' | 'changed' | 'expired'

/** All kinds. */
export const silenceEventKinds: readonly SilenceEventKind[] = ['created', 'changed', 'expired']

/** A stored event. */
export interface StoredSilenceEvent {
  readonly at: Instant
  readonly event: SilenceEventKind
  readonly silenceID: string
  readonly by?: string
  readonly matchers: readonly Required<WireMatcher>[]
  readonly startsAt: Instant
  readonly endsAt: Instant
  readonly createdBy: string
  readonly comment: string
}

/** An event as the API returns it. */
export type GettableSilenceEvent = wire.SilenceEvent

/** The actions of users on silences, by time. */
export const silenceHistoryCollection: TypedCollection<StoredSilenceEvent> =
  defineCollection<StoredSilenceEvent>({
    name: 'silence_history',
    fields: { silenceID: 'text' },
    unreadable: 'skip',
    check: objectOf<StoredSilenceEvent>({
      at: instant,
      event: oneOf(silenceEventKinds),
      silenceID: text,
      by: optional(text),
      matchers: listOf(storedMatcher),
      startsAt: instant,
      endsAt: instant,
      createdBy: text,
      comment: text,
    }),
  })

/** The event of an action on a silence. */
export function silenceEvent(
  { id, before, after, by }: SilenceChange,
  now: Instant,
): StoredSilenceEvent {
  return {
    at: now,
    event: kindOf(before, after, now),
    silenceID: id,
    ...(by === undefined ? {} : { by: cutText(by, 1_024) }),
    matchers: after.matchers.slice(0, 100).map(({ name, value, ...rest }) => ({
      name: cutText(name, 1_024),
      value: cutText(value, 1_024),
      ...rest,
    })),
    startsAt: after.startsAt,
    endsAt: after.endsAt,
    createdBy: cutText(after.createdBy, 1_024),
    comment: cutText(after.comment, 4_096),
  }
}

function kindOf(
  before: StoredSilence | undefined,
  after: StoredSilence,
  now: Instant,
): SilenceEventKind {
  if (before === undefined) return 'created'
  return silenceState(after, now) === 'expired' ? 'expired' : 'changed'
}

/** An event as the API returns it. */
export function toGettableSilenceEvent({
  id,
  value,
}: TypedRecord<StoredSilenceEvent>): GettableSilenceEvent {
  const { at, silenceID: silenceId, startsAt, endsAt, ...rest } = value
  return {
    id,
    silenceId,
    ...rest,
    at: formatDateTime(at),
    startsAt: formatDateTime(startsAt),
    endsAt: formatDateTime(endsAt),
  }
}
