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
import type { NotificationDecision, NotificationOutcome } from '../dispatch/log/decision.ts'
import type { NotificationReason } from '../notification/notification.ts'
import { groupHash } from '../routing/group-key.ts'
import { cutText } from './cut-short.ts'

/** All outcomes of a decision. */
export const notificationOutcomes: readonly NotificationOutcome[] = [
  'sent',
  'failed',
  'canceled',
  'deduplicated',
  'inhibited',
  'muted',
  'silenced',
]

/** So many characters are kept of a group key. */
const longestKey = 4_096
/** So many alerts of a decision are named; all of them are counted. */
const mostNamed = 200

/** A decision of the notification pipeline as it is stored. */
export interface StoredNotification {
  readonly at: Instant
  readonly groupKey: string
  /** The SHA-256 of the whole group key, if that is longer than what is kept of it. */
  readonly groupHash?: string
  readonly receiver: string
  readonly integration?: string
  readonly outcome: NotificationOutcome
  readonly reason?: NotificationReason
  readonly detail?: string
  readonly firing: readonly string[]
  readonly resolved: readonly string[]
  readonly firingCount: number
  readonly resolvedCount: number
  readonly attempts?: number
  readonly tookMs?: number
}

/** A decision of the notification pipeline as the service answers it. */
export interface GettableNotification {
  id: string
  /** The tick of the group, as RFC 3339. */
  at: string
  /** At most its first 4,096 characters. */
  groupKey: string
  /** The SHA-256 of the whole group key in hex. */
  groupHash: string
  receiver: string
  /** As `webhook/0`; absent where the alerts reached no integration. */
  integration?: string
  outcome: NotificationOutcome
  /** Why it was sent, or was to be. */
  reason?: NotificationReason
  /** What went wrong, or the names of what muted the group. */
  detail?: string
  /** Fingerprints of the alerts that fire, at most the first 200. */
  firing: readonly string[]
  /** Fingerprints of those that are resolved, at most the first 200. */
  resolved: readonly string[]
  firingCount: number
  resolvedCount: number
  /** Requests or mails that it took. */
  attempts?: number
  tookMs?: number
}

/**
 * Decisions of the notification pipeline, by time. Not by group: those of one second are about as many groups, and to write
 * each at its place of an index would take nearly as many bytes as all else that is written of a notification.
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
      firing: listOf(text),
      resolved: listOf(text),
      firingCount: number,
      resolvedCount: number,
      attempts: optional(number),
      tookMs: optional(number),
    }),
  })

/** What is kept of a decision. */
export function notificationOf(decision: NotificationDecision): StoredNotification {
  const { at, groupKey, receiver, integration, outcome, reason, detail } = decision
  const { firing, resolved, attempts, tookMs } = decision
  const stored: Writable<StoredNotification> = {
    at,
    groupKey: cutText(groupKey, longestKey),
    receiver,
    outcome,
    firing: firstNamed(firing),
    resolved: firstNamed(resolved),
    firingCount: firing.length,
    resolvedCount: resolved.length,
  }
  // One by one: there may be thousands a second, and of copies each would have a shape of its own.
  if (groupKey.length > longestKey) stored.groupHash = groupHash(groupKey)
  if (integration !== undefined) stored.integration = integration
  if (reason !== undefined) stored.reason = reason
  if (detail !== undefined) stored.detail = cutText(detail, 2_048)
  if (attempts !== undefined) stored.attempts = attempts
  if (tookMs !== undefined) stored.tookMs = tookMs
  return stored
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

const firstNamed = (fingerprints: readonly string[]): readonly string[] =>
  fingerprints.length > mostNamed ? fingerprints.slice(0, mostNamed) : fingerprints

/** A decision in the form of the answer. */
export function toGettableNotification({
  id,
  value,
}: TypedRecord<StoredNotification>): GettableNotification {
  const hash = value.groupHash ?? groupHash(value.groupKey)
  return { id, groupHash: hash, ...value, at: formatDateTime(value.at) }
}

/** Whether a decision is about a group of this key. */
export const isAboutGroup = (stored: StoredNotification, key: string): boolean =>
  stored.groupHash === undefined ? stored.groupKey === key : stored.groupHash === groupHash(key)
