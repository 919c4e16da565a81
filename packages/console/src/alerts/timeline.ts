import type {
  AlertEvent,
  AlertEventKind,
  Notification,
  NotificationOutcome,
} from '@gatehouse/client'

/** Something that happened to a group: to one of its alerts, or a decision to notify or not. */
export interface TimelineItem {
  readonly id: string
  readonly at: string
  readonly kind: AlertEventKind | NotificationOutcome
  /** How many alerts it was about. */
  readonly count: number
  /** The name of the alert, if it was about one. */
  readonly alert?: string
  readonly receiver?: string
  /** Why, or by whom. */
  readonly detail?: string
}

/** Alerts that changed together within this time are one item. */
const togetherMs = 2_000

/** What happened to alerts and what was notified of them, the newest first. */
export function timelineOf(
  events: readonly AlertEvent[],
  notifications: readonly Notification[],
): readonly TimelineItem[] {
  const items = [...joined(events), ...notifications.map(itemOfNotification)]
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
  const detail = [notification.reason, notification.detail].filter((text) => text !== undefined)
  return {
    id,
    at,
    kind: outcome,
    count: firingCount + resolvedCount,
    receiver: integration === undefined ? receiver : `${receiver} (${integration})`,
    ...(detail.length === 0 ? {} : { detail: detail.join(': ') }),
  }
}
