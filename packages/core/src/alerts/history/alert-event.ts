import {
  defineCollection,
  type TypedCollection,
  type TypedRecord,
} from '../../storage/collection.ts'
import { instant, mapOf, objectOf, oneOf, optional, text } from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'
import { formatDateTime } from '../../time/date-time.ts'
import { haveSameAcknowledgement } from '../alert/acknowledgement.ts'
import { haveSameContent, isResolved, type Labels, type StoredAlert } from '../alert/alert.ts'
import type { AlertChange } from '../dispatch/hooks.ts'
import type * as wire from '../wire/types.generated.ts'
import { cutPairs, cutText } from './cut-short.ts'

/**
 * The kind of an event: the alert fires (again), its annotations or URL changed, it was sent as resolved, or its end passed
 * without another post; a user acknowledged it, or took that back.
 */
export type AlertEventKind =
  | 'firing'
  | 'changed'
  | 'resolved'
  | 'expired'
  | 'acknowledged'
  | 'unacknowledged'

/** All kinds. */
export const alertEventKinds: readonly AlertEventKind[] = [
  'firing',
  'changed',
  'resolved',
  'expired',
  'acknowledged',
  'unacknowledged',
]

/** An event in memory, before it is written. */
export interface AlertEvent {
  readonly at: Instant
  readonly event: AlertEventKind
  readonly fingerprint: string
  /** The alert after the event. */
  readonly alert: StoredAlert
  /** The user who took an acknowledgement back, if the request names one. */
  readonly by?: string | undefined
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
  /** Set for an alert that has ended. */
  readonly endsAt?: Instant
  /** The user who acknowledged it, or took that back. */
  readonly by?: string
  /** Set for an acknowledged alert. */
  readonly comment?: string
  /** When the acknowledgement ends, if not with the alert. */
  readonly until?: Instant
}

/** An event as the API returns it. Labels and annotations are cut off after 8,192 characters each. */
export type GettableAlertEvent = wire.AlertEvent

/** The events of alerts, by time. */
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
      by: optional(text),
      comment: optional(text),
      until: optional(instant),
    }),
  })

const none: readonly AlertEvent[] = []

/** The events that a request causes for an alert. A moved end is not an event. */
export function alertEvents(
  { fingerprint, before, after, by }: AlertChange,
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
    if (!haveSameAcknowledgement(before, after)) {
      if (after.acknowledgement !== undefined) return [eventOf('acknowledged')]
      return [{ ...eventOf('unacknowledged'), by }]
    }
    return haveSameContent(before, after) ? none : [eventOf('changed')]
  }
  const firing = fires ? [eventOf('firing')] : none
  return before !== undefined && wasPostedFiring(before)
    ? [expiryOf(fingerprint, before), ...firing]
    : firing
}

/** Whether the last post said that the alert was firing: its end was in the future. */
export const wasPostedFiring = ({ endsAt, updatedAt }: StoredAlert): boolean => endsAt > updatedAt

/** The expiry event of an alert that was not posted again. */
export const expiryOf = (fingerprint: string, alert: StoredAlert): AlertEvent => ({
  at: alert.endsAt,
  event: 'expired',
  fingerprint,
  alert,
})

/** The record of an event. */
export function storedAlertEvent(alertEvent: AlertEvent): StoredAlertEvent {
  const { at, event, fingerprint, alert } = alertEvent
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
    ...acknowledgementOf(alertEvent),
  }
}

function acknowledgementOf({
  event,
  alert: { acknowledgement },
  by: taker,
}: AlertEvent): Pick<StoredAlertEvent, 'by' | 'comment' | 'until'> {
  if (event !== 'acknowledged' || acknowledgement === undefined) {
    return taker === undefined ? {} : { by: taker }
  }
  const { by, comment, until } = acknowledgement
  return { by, comment, ...(until === undefined ? {} : { until }) }
}

/** An event as the API returns it. */
export function toGettableAlertEvent({
  id,
  value,
}: TypedRecord<StoredAlertEvent>): GettableAlertEvent {
  const { at, startsAt, endsAt, until, ...rest } = value
  return {
    id,
    ...rest,
    at: formatDateTime(at),
    startsAt: formatDateTime(startsAt),
    ...(endsAt === undefined ? {} : { endsAt: formatDateTime(endsAt) }),
    ...(until === undefined ? {} : { until: formatDateTime(until) }),
  }
}
