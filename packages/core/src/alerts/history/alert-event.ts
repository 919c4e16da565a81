import {
  defineCollection,
  type TypedCollection,
  type TypedRecord,
} from '../../storage/collection.ts'
import { instant, mapOf, objectOf, oneOf, optional, text } from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'
import { formatDateTime } from '../../time/date-time.ts'
import { isResolved, type Labels, type StoredAlert } from '../alert/alert.ts'
import type { AlertChange } from '../dispatch/hooks.ts'
import { cutPairs, cutText } from './cut-short.ts'

/**
 * What happened to an alert: it fires (anew), its annotations or its URL are others, it was sent as resolved, or its end
 * passed and nobody had said a word.
 */
export type AlertEventKind = 'firing' | 'changed' | 'resolved' | 'expired'

/** All of them. */
export const alertEventKinds: readonly AlertEventKind[] = [
  'firing',
  'changed',
  'resolved',
  'expired',
]

/** An event as it was noticed: to be written down when there is time. */
export interface AlertEvent {
  readonly at: Instant
  readonly event: AlertEventKind
  readonly fingerprint: string
  /** As it is from then on. */
  readonly alert: StoredAlert
}

/** An event as it is stored. */
export interface StoredAlertEvent {
  readonly at: Instant
  readonly event: AlertEventKind
  readonly fingerprint: string
  readonly labels: Labels
  readonly annotations: Labels
  readonly generatorURL?: string
  readonly startsAt: Instant
  /** Of an alert that ended. */
  readonly endsAt?: Instant
}

/** An event as the service answers it. Of labels and annotations of more than 8,192 characters the first are kept. */
export interface GettableAlertEvent {
  id: string
  /** When it happened, as RFC 3339. */
  at: string
  event: AlertEventKind
  fingerprint: string
  labels: Labels
  annotations: Labels
  generatorURL?: string
  startsAt: string
  /** Of an alert that ended. */
  endsAt?: string
}

/** What happened to alerts, by time. */
export const alertHistoryCollection: TypedCollection<StoredAlertEvent> =
  defineCollection<StoredAlertEvent>({
    name: 'alert_history',
    fields: { fingerprint: 'text' },
    unreadable: 'skip',
    check: objectOf<StoredAlertEvent>({
      at: instant,
      event: oneOf(alertEventKinds),
      fingerprint: text,
      labels: mapOf(text),
      annotations: mapOf(text),
      generatorURL: optional(text),
      startsAt: instant,
      endsAt: optional(instant),
    }),
  })

const none: readonly AlertEvent[] = []

/** What a request made of an alert, if that is worth a word: that its end moved is not. */
export function alertEvents(
  { fingerprint, before, after }: AlertChange,
  now: Instant,
): readonly AlertEvent[] {
  const fires = !isResolved(after, now)
  const eventOf = (event: AlertEventKind): AlertEvent => ({
    at: now,
    event,
    fingerprint,
    alert: after,
  })
  if (before !== undefined && !isResolved(before, now)) {
    if (!fires) return [eventOf('resolved')]
    return saysTheSame(before, after) ? none : [eventOf('changed')]
  }
  const firing = fires ? [eventOf('firing')] : none
  return before !== undefined && endsUnsaid(before)
    ? [expiryOf(fingerprint, before), ...firing]
    : firing
}

/** Whether the alert fired when it was last heard of: its end is one that was to come. */
export const endsUnsaid = ({ endsAt, updatedAt }: StoredAlert): boolean => endsAt > updatedAt

/** The end of an alert that nothing more was heard of. */
export const expiryOf = (fingerprint: string, alert: StoredAlert): AlertEvent => ({
  at: alert.endsAt,
  event: 'expired',
  fingerprint,
  alert,
})

/** What is kept of an event. */
export function storedAlertEvent({ at, event, fingerprint, alert }: AlertEvent): StoredAlertEvent {
  const { labels, annotations, generatorURL, startsAt, endsAt } = alert
  return {
    at,
    event,
    fingerprint,
    labels: cutPairs(labels),
    annotations: cutPairs(annotations),
    ...(generatorURL === undefined ? {} : { generatorURL: cutText(generatorURL, 2_048) }),
    startsAt,
    ...(event === 'resolved' || event === 'expired' ? { endsAt } : {}),
  }
}

const saysTheSame = (a: StoredAlert, b: StoredAlert): boolean =>
  a.generatorURL === b.generatorURL && haveSamePairs(a.annotations, b.annotations)

/** Runs for every alert that is sent again: `for in` makes no list of the names. */
function haveSamePairs(a: Labels, b: Labels): boolean {
  if (a === b) return true
  let left = 0
  for (const name in a) {
    if (a[name] !== b[name]) return false
    left++
  }
  for (const _ in b) left--
  return left === 0
}

/** An event in the form of the answer. */
export function toGettableAlertEvent({
  id,
  value,
}: TypedRecord<StoredAlertEvent>): GettableAlertEvent {
  const { at, startsAt, endsAt, ...rest } = value
  return {
    id,
    ...rest,
    at: formatDateTime(at),
    startsAt: formatDateTime(startsAt),
    ...(endsAt === undefined ? {} : { endsAt: formatDateTime(endsAt) }),
  }
}
