import type { Instant } from '../../time/clock.ts'
import { formatDateTime } from '../../time/date-time.ts'
import type { Labels, StoredAlert } from '../alert/alert.ts'
import { labelSetFromObject } from '../alert/label-set.ts'
import type { AlertChange, SilenceChange } from '../dispatch/hooks.ts'
import type { NotificationDecision } from '../dispatch/log/decision.ts'
import { cutPairs, cutText } from '../history/cut-short.ts'
import { groupKey } from '../routing/group-key.ts'
import { groupLabels, type RoutingTree, routesFor } from '../routing/routing-tree.ts'

/** The alert of an event. Labels and annotations are cut off after 8,192 characters each. */
export interface EventAlert {
  readonly fingerprint: string
  readonly labels: Labels
  readonly annotations: Labels
  readonly startsAt: string
  readonly endsAt: string
  readonly generatorURL?: string
}

/** The alert group of an event. */
export interface EventGroup {
  readonly receiver: string
  readonly groupKey: string
}

/** The silence of an event. */
export interface EventSilence {
  readonly id: string
  readonly matchers: SilenceChange['after']['matchers']
  readonly startsAt: string
  readonly endsAt: string
  readonly createdBy: string
  readonly comment: string
}

/**
 * The data of an event: an object with one key, which is the kind of the event.
 *
 * Unconfirmed: Alertmanager names these kinds; the keys and their members are assumed, as protobuf writes messages in JSON.
 */
export type EventData =
  | { readonly startup: { readonly version: string } }
  | { readonly shutdown: Readonly<Record<never, never>> }
  | { readonly alertCreated: { readonly alert: EventAlert } }
  | { readonly alertGrouped: { readonly alert: EventAlert; readonly group: EventGroup } }
  | { readonly alertResolved: { readonly alert: EventAlert } }
  | { readonly silenceCreated: { readonly silence: EventSilence } }
  | { readonly silenceUpdated: { readonly silence: EventSilence } }
  | {
      readonly silenceMutedAlert: {
        readonly fingerprint: string
        readonly silenceIDs: readonly string[]
        readonly group: EventGroup
      }
    }
  | {
      readonly inhibitionMutedAlert: {
        readonly fingerprint: string
        /** Fingerprints of alerts that inhibit it. */
        readonly inhibitedBy: readonly string[]
        readonly group: EventGroup
      }
    }
  | {
      readonly notification: {
        readonly group: EventGroup
        /** Such as `webhook/0`. */
        readonly integration: string
        readonly reason: string
        /** Fingerprints of alerts. */
        readonly firing: readonly string[]
        readonly resolved: readonly string[]
        readonly attempts: number
        readonly durationMs: number
      }
    }

/** The kind of an event: its key in {@link EventData}. */
export const eventKind = (data: EventData): string => Object.keys(data)[0] ?? ''

/** An event as it is written. */
export interface RecordedEvent {
  /** RFC 3339. */
  readonly timestamp: string
  /** The process that recorded it. */
  readonly instance: string
  readonly data: EventData
}

/** An alert as events show it. */
export function eventAlert(fingerprint: string, alert: StoredAlert): EventAlert {
  const { labels, annotations, startsAt, endsAt, generatorURL } = alert
  return {
    fingerprint,
    labels: cutPairs(labels),
    annotations: cutPairs(annotations),
    startsAt: formatDateTime(startsAt),
    endsAt: formatDateTime(endsAt),
    ...(generatorURL === undefined ? {} : { generatorURL: cutText(generatorURL, 2_048) }),
  }
}

/** The event of a change of a silence; its early end is an update. */
export function silenceEventData({ id, before, after }: SilenceChange): EventData {
  const silence: EventSilence = {
    id,
    matchers: after.matchers.slice(0, 100),
    startsAt: formatDateTime(after.startsAt),
    endsAt: formatDateTime(after.endsAt),
    createdBy: cutText(after.createdBy, 1_024),
    comment: cutText(after.comment, 4_096),
  }
  return before === undefined ? { silenceCreated: { silence } } : { silenceUpdated: { silence } }
}

/** The events of a change of an alert: it fires and joins groups, or it was sent as resolved. */
export function alertEventData(
  change: AlertChange,
  { tree, now }: { tree: RoutingTree; now: Instant },
): readonly EventData[] {
  const { fingerprint, after } = change
  const ends = isSentResolved(change, now)
  if (!ends && !startsToFire(change, now)) return []
  const alert = eventAlert(fingerprint, after)
  if (ends) return [{ alertResolved: { alert } }]
  const labels = labelSetFromObject(after.labels)
  const joined = routesFor(tree, labels).map((route): EventData => {
    const key = groupKey(route, groupLabels(route, labels))
    return { alertGrouped: { alert, group: { receiver: route.receiver, groupKey: key } } }
  })
  return [{ alertCreated: { alert } }, ...joined]
}

/** Whether an alert starts to fire by this change, again or for the first time. */
function startsToFire({ before, after }: AlertChange, now: Instant): boolean {
  return after.endsAt > now && (before === undefined || before.endsAt <= now)
}

/** Whether an alert was sent as resolved by this change. */
function isSentResolved({ before, after }: AlertChange, now: Instant): boolean {
  return before !== undefined && before.endsAt > now && after.endsAt <= now
}

/** The group of a decision. */
export const eventGroup = ({ receiver, groupKey }: NotificationDecision): EventGroup => ({
  receiver,
  groupKey,
})

/** The event of a notification that was sent. */
export function notificationData(decision: NotificationDecision): EventData {
  const { integration = '', reason = '', attempts = 1, tookMs = 0, firing, resolved } = decision
  return {
    notification: {
      group: eventGroup(decision),
      integration,
      reason,
      firing,
      resolved,
      attempts,
      durationMs: Math.round(tookMs),
    },
  }
}

/** Why a group was not notified of an alert: the ids of silences, or the fingerprints of inhibiting alerts. */
export interface Suppression {
  readonly outcome: 'silenced' | 'inhibited'
  readonly fingerprint: string
  readonly causes: readonly string[]
  readonly group: EventGroup
}

/** The event of an alert that is suppressed. */
export const suppressionData = (suppression: Suppression): EventData => {
  const { outcome, fingerprint, causes, group } = suppression
  return outcome === 'silenced'
    ? { silenceMutedAlert: { fingerprint, silenceIDs: causes, group } }
    : { inhibitionMutedAlert: { fingerprint, inhibitedBy: causes, group } }
}
