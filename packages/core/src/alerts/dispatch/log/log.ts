import { sha256Hex } from '../../../crypto/crypto.ts'
import { defineCollection, type TypedCollection } from '../../../storage/collection.ts'
import {
  instant,
  listOf,
  mapOf,
  objectOf,
  optional,
  type RecordCheck,
  text,
} from '../../../storage/record-check.ts'
import type { Instant } from '../../../time/clock.ts'
import type { NotificationReason } from '../../notification/notification.ts'
import type { RouteNode } from '../../routing/routing-tree.ts'
import type { FlushContext } from '../flush-context.ts'
import { type FlushClaim, storedClaim } from '../group/group.ts'

/** The last notification of an integration about a group. */
export interface LoggedNotification {
  /** When it was logged: after it was sent, or of a summary the tick at which it was made. */
  readonly at: Instant
  /** Fingerprints of the alerts that fired, sorted. */
  readonly firing: readonly string[]
  /** Fingerprints of the resolved alerts, sorted. */
  readonly resolved: readonly string[]
  /**
   * Alerts that fired in an earlier notification and are suppressed since, sorted: their end has yet to be sent. Absent if there
   * are none, or the route does not want it.
   */
  readonly owed?: readonly string[]
  /** Values that the integration stored for its next notification. */
  readonly kept?: Readonly<Record<string, string>>
}

/**
 * The last notifications of the integrations of one receiver about groups with one key. Both are part of its id only, because it
 * is written twice per notification.
 */
export interface StoredLog {
  /** Groups of identical routes share a key: the flush of one makes the others wait. */
  readonly claim?: FlushClaim
  /** By type and index in the receiver, such as `webhook/0`. */
  readonly integrations: Readonly<Record<string, LoggedNotification>>
  /**
   * Integrations that may have received another state since: with a claim, those that its process is about to notify; without,
   * those that confirmed nothing. They are notified of the state of the group again. Absent if there are none.
   */
  readonly unknown?: readonly string[]
}

/** Checks a stored {@link LoggedNotification}. */
export const storedNotification: RecordCheck = objectOf<LoggedNotification>({
  at: instant,
  firing: listOf(text),
  resolved: listOf(text),
  owed: optional(listOf(text)),
  kept: optional(mapOf(text)),
})

/** The notification log, by {@link logId}. @see Alertmanager, `nflog` */
export const logCollection: TypedCollection<StoredLog> = defineCollection<StoredLog>({
  name: 'notification_log',
  unreadable: 'skip',
  check: objectOf<StoredLog>({
    claim: optional(storedClaim),
    integrations: mapOf(storedNotification),
    unknown: optional(listOf(text)),
  }),
})

/** The id of the log of a receiver about groups with a key. */
export const logId = (groupKey: string, receiver: string): string =>
  sha256Hex(JSON.stringify([groupKey, receiver]))

/**
 * When a log expires. Old entries are useless: an integration without a notification for so long is notified again. @see
 * Alertmanager, `data.retention`
 */
export function logExpiry(
  { options }: FlushContext,
  { repeatIntervalMs, resolvedAfterSuppression }: RouteNode,
  now: Instant,
): Instant {
  // A log that expires while no process runs would lose the alerts whose end has yet to be sent.
  const wantedMs = resolvedAfterSuppression ? options.retentionMs : 2 * repeatIntervalMs
  const lifeMs = Math.max(Math.min(options.retentionMs, wantedMs), leastLogLifeMs)
  return Math.ceil((now + lifeMs) / expiryStepMs) * expiryStepMs
}

/** Entries expire on the minute: an expiry that changes with each write would double the cost of the write. */
const expiryStepMs = 60_000

/** Longer than any claim, and longer than the clocks of processes usually differ. */
const leastLogLifeMs = 2 * 3_600_000

/** The content of a possible notification. */
export interface Notifiable {
  /** Fingerprints of alerts that fire, after suppression. */
  readonly firing: readonly string[]
  /** Fingerprints of the resolved alerts. */
  readonly resolved: readonly string[]
  readonly sendResolved: boolean
  readonly repeatIntervalMs: number
  /** The age of the last notification. */
  readonly ageMs: number
  /** Whether the integration may have received another state than the logged one. */
  readonly isUnknown: boolean
}

/**
 * Whether and why to notify an integration about a group, given its last notification. One with an uncertain state is notified in
 * any case, unless there is nothing to send.
 *
 * @see Alertmanager, de-duplication stage of the notification pipeline
 */
export function reasonToNotify(
  last: LoggedNotification | undefined,
  { firing, resolved, sendResolved, repeatIntervalMs, ageMs, isUnknown }: Notifiable,
): NotificationReason | undefined {
  if (!isSubset(firing, last?.firing ?? [])) {
    return last === undefined || last.firing.length === 0
      ? 'first notification'
      : 'new alerts added'
  }
  if (firing.length === 0) {
    const mayFire = last !== undefined && (last.firing.length > 0 || isOwed(last, resolved))
    return mayFire || (isUnknown && resolved.length > 0) ? 'all alerts resolved' : undefined
  }
  if (sendResolved && !isSubset(resolved, last?.resolved ?? [])) return 'some alerts resolved'
  // Not on the tick that is exactly one interval later, as in Alertmanager: sending took some time.
  if (ageMs > repeatIntervalMs) return 'repeat interval elapsed'
  return isUnknown ? 'unknown' : undefined
}

/** Whether the receiver of a notification considers some alert firing. */
export const isConsideredFiring = ({ firing, owed = [] }: LoggedNotification): boolean =>
  firing.length + owed.length > 0

/** Whether the end of one of these resolved alerts has yet to be sent. */
const isOwed = ({ owed }: LoggedNotification, resolved: readonly string[]): boolean =>
  owed?.some((one) => resolved.includes(one)) === true

/**
 * Those of the suppressed alerts that an integration considers firing: they were in its last notification, or in an earlier one
 * and suppressed since.
 *
 * @param isUnknown the integration may have been notified of any of them.
 */
export function owedAmong(
  last: LoggedNotification | undefined,
  suppressed: readonly string[],
  isUnknown: boolean,
): readonly string[] {
  if (isUnknown) return suppressed
  if (last === undefined) return []
  const known = new Set([...last.firing, ...(last.owed ?? [])])
  return suppressed.filter((one) => known.has(one))
}

function isSubset(part: readonly string[], whole: readonly string[]): boolean {
  if (part.length === 0) return true
  if (part.length === 1) return whole.includes(part[0] ?? '')
  const all = new Set(whole)
  return part.every((one) => all.has(one))
}

/** Whether two notifications had the same firing and resolved alerts. */
export const isSameState = (
  one: LoggedNotification | undefined,
  other: LoggedNotification,
): boolean =>
  one !== undefined &&
  isSubset(one.firing, other.firing) &&
  isSubset(other.firing, one.firing) &&
  isSubset(one.resolved, other.resolved) &&
  isSubset(other.resolved, one.resolved)

/** The union of two lists without duplicates. */
export function union(some: readonly string[], more: readonly string[]): readonly string[] {
  const missing = more.filter((one) => !some.includes(one))
  return missing.length === 0 ? some : [...some, ...missing]
}
