import type {
  AlertEvent,
  AlertEventKind,
  Notification,
  NotificationOutcome,
  SilenceEvent,
  SilenceEventKind,
} from '@gatehouse/client'
import { hashOf } from '../route/route.ts'

/** Something that happened to a group: to one of its alerts, or a decision to notify or not. */
export interface TimelineItem {
  readonly id: string
  readonly at: string
  readonly kind: AlertEventKind | NotificationOutcome | `silence-${SilenceEventKind}`
  /** How many alerts it was about. */
  readonly count: number
  /** The name of the alert, if it was about one. */
  readonly alert?: string
  readonly receiver?: string
  /** Why a notification was sent, as the server says it. */
  readonly reason?: string
  /** What a receiver answered, what kept a notification back, or by whom. */
  readonly detail?: string
  /** Where to read more. */
  readonly href?: string
}

/** Alerts that changed together within this time are one item. */
const togetherMs = 2_000

/** What happened to alerts, what was notified of them, and what was done to their silences, the newest first. */
export function timelineOf(
  events: readonly AlertEvent[],
  notifications: readonly Notification[],
  silences: readonly SilenceEvent[] = [],
): readonly TimelineItem[] {
  const items = [
    ...joined(events),
    ...notifications.map(itemOfNotification),
    ...silences.map(itemOfSilence),
  ]
  return items.sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

function joined(events: readonly AlertEvent[]): TimelineItem[] {
  const items: TimelineItem[] = []
  for (const event of events) {
    const last = items.at(-1)
    const item = itemOfEvent(event)
    const isSame = last?.kind === item.kind && last.detail === item.detail
    if (isSame && Math.abs(Date.parse(last.at) - Date.parse(item.at)) < togetherMs) {
      const { alert: _, ...rest } = last
      items[items.length - 1] = { ...rest, count: last.count + 1 }
    } else {
      items.push(item)
    }
  }
  return items
}

function itemOfEvent({ id, at, event, labels, by, comment }: AlertEvent): TimelineItem {
  const detail = [by, comment].filter((text) => text !== undefined && text !== '').join(': ')
  return {
    id,
    at,
    kind: event,
    count: 1,
    ...(labels.alertname === undefined ? {} : { alert: labels.alertname }),
    ...(detail === '' ? {} : { detail }),
  }
}

function itemOfNotification(notification: Notification): TimelineItem {
  const { id, at, outcome, receiver, integration, firingCount, resolvedCount } = notification
  const { reason, detail = '', causes = [] } = notification
  const details = [detail, ...causes.map((cause) => cause.name || cause.id)]
  return {
    id,
    at,
    kind: outcome,
    count: firingCount + resolvedCount,
    receiver: integration === undefined ? receiver : `${receiver} (${integration})`,
    ...(reason !== undefined && { reason }),
    ...(details.join('') !== '' && { detail: details.filter((text) => text !== '').join(', ') }),
    href: hashOf(['notifications'], { open: id }),
  }
}

function itemOfSilence({
  id,
  at,
  event,
  silenceId,
  by,
  createdBy,
  comment,
}: SilenceEvent): TimelineItem {
  return {
    id,
    at,
    kind: `silence-${event}`,
    count: 0,
    detail: [by ?? createdBy, comment].filter((text) => text !== '').join(': '),
    href: hashOf(['silences', silenceId]),
  }
}
