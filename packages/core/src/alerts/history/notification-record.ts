import {
  defineCollection,
  type TypedCollection,
  type TypedRecord,
} from '../../storage/collection.ts'
import {
  instant,
  listOf,
  number,
  objectOf,
  oneOf,
  optional,
  text,
} from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'
import { formatDateTime } from '../../time/date-time.ts'
import type { Labels } from '../alert/alert.ts'
import type {
  NotificationDecision,
  NotificationOutcome,
  SuppressionCause,
} from '../dispatch/log/decision.ts'
import type { NotificationReason } from '../notification/notification.ts'
import { groupHash, labelsOfGroupKey } from '../routing/group-key.ts'
import { cutText } from './cut-short.ts'

/** All outcomes of a decision. */
export const notificationOutcomes: readonly NotificationOutcome[] = [
  'sent',
  'failed',
  'canceled',
  'deduplicated',
  'acknowledged',
  'limited',
  'inhibited',
  'muted',
  'silenced',
]

/** The most characters that are kept of a group key. */
const maxKeyLength = 4_096
/** The most alerts listed per decision; all of them are counted. */
const maxNamed = 200

/** The most characters of the comment of a silence, or of the name of an alert, that caused a decision. */
const maxCauseLength = 100

/** A stored decision of the notification pipeline. */
export interface StoredNotification {
  readonly at: Instant
  readonly groupKey: string
  /** The SHA-256 of the whole group key, if the stored key is cut off. */
  readonly groupHash?: string
  readonly receiver: string
  readonly integration?: string
  readonly outcome: NotificationOutcome
  readonly reason?: NotificationReason
  readonly detail?: string
  readonly causes?: readonly SuppressionCause[]
  readonly firing: readonly string[]
  readonly resolved: readonly string[]
  readonly firingCount: number
  readonly resolvedCount: number
  readonly attempts?: number
  readonly tookMs?: number
}

/** A decision of the notification pipeline as the API returns it. */
export interface GettableNotification {
  id: string
  /** The tick of the group, as RFC 3339. */
  at: string
  /** At most its first 4,096 characters. */
  groupKey: string
  /** The SHA-256 of the whole group key in hex. */
  groupHash: string
  /** The labels that the alerts of the group share; absent if the group key is cut off. */
  groupLabels?: Labels
  receiver: string
  /** Such as `webhook/0`; absent if the alerts reached no integration. */
  integration?: string
  outcome: NotificationOutcome
  /** Why it was sent, or should have been. */
  reason?: NotificationReason
  /** The error, the names of the time intervals that muted the group, or the people who acknowledged it. */
  detail?: string
  /** The silences or alerts that suppressed the alerts, at most five. */
  causes?: readonly SuppressionCause[]
  /** Fingerprints of the firing alerts, at most the first 200. */
  firing: readonly string[]
  /** Fingerprints of the resolved alerts, at most the first 200. */
  resolved: readonly string[]
  firingCount: number
  resolvedCount: number
  /** The number of requests or emails. */
  attempts?: number
  tookMs?: number
}

/**
 * Decisions of the notification pipeline, by time. They have no index by group: the decisions of a second belong to about as many
 * groups, and index entries spread over as many places would take nearly as many bytes as the rest of a notification's records.
 */
export const notificationHistoryCollection: TypedCollection<StoredNotification> =
  defineCollection<StoredNotification>({
    name: 'notification_history',
    unreadable: 'skip',
    check: objectOf<StoredNotification>({
      at: instant,
      groupKey: text,
      groupHash: optional(text),
      receiver: text,
      integration: optional(text),
      outcome: oneOf(notificationOutcomes),
      reason: optional(text),
      detail: optional(text),
      causes: optional(listOf(objectOf<SuppressionCause>({ id: text, name: text }))),
      firing: listOf(text),
      resolved: listOf(text),
      firingCount: number,
      resolvedCount: number,
      attempts: optional(number),
      tookMs: optional(number),
    }),
  })

/** The record of a decision. */
export function notificationOf(decision: NotificationDecision): StoredNotification {
  const { at, groupKey, receiver, integration, outcome, reason, detail } = decision
  const { causes, firing, resolved, attempts, tookMs } = decision
  const stored: Writable<StoredNotification> = {
    at,
    groupKey: cutText(groupKey, maxKeyLength),
    receiver,
    outcome,
    firing: firstNamed(firing),
    resolved: firstNamed(resolved),
    firingCount: firing.length,
    resolvedCount: resolved.length,
  }
  // Assigned one by one: there may be thousands a second, and each copy would have its own shape.
  if (groupKey.length > maxKeyLength) stored.groupHash = groupHash(groupKey)
  if (integration !== undefined) stored.integration = integration
  if (reason !== undefined) stored.reason = reason
  if (detail !== undefined) stored.detail = cutText(detail, 2_048)
  if (causes !== undefined && causes.length > 0) {
    stored.causes = causes.map(({ id, name }) => ({ id, name: cutText(name, maxCauseLength) }))
  }
  if (attempts !== undefined) stored.attempts = attempts
  if (tookMs !== undefined) stored.tookMs = tookMs
  return stored
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

const firstNamed = (fingerprints: readonly string[]): readonly string[] =>
  fingerprints.length > maxNamed ? fingerprints.slice(0, maxNamed) : fingerprints

/** A decision as the API returns it. */
export function toGettableNotification({
  id,
  value,
}: TypedRecord<StoredNotification>): GettableNotification {
  const hash = value.groupHash ?? groupHash(value.groupKey)
  const groupLabels = groupLabelsOf(value)
  return {
    id,
    groupHash: hash,
    ...(groupLabels === undefined ? {} : { groupLabels }),
    ...value,
    at: formatDateTime(value.at),
  }
}

/** The labels that the alerts of the group share; `undefined` if the stored key is cut off. */
export const groupLabelsOf = (stored: StoredNotification): Labels | undefined =>
  stored.groupHash === undefined ? labelsOfGroupKey(stored.groupKey) : undefined

/** Whether a decision is about a group with this key. */
export const isAboutGroup = (stored: StoredNotification, key: string): boolean =>
  stored.groupHash === undefined ? stored.groupKey === key : stored.groupHash === groupHash(key)
