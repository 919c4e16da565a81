import { sha256Hex } from '../../../crypto/crypto.ts'
import { defineCollection, type TypedCollection } from '../../../storage/collection.ts'
import { instant, listOf, mapOf, objectOf, optional, text } from '../../../storage/record-check.ts'
import type { Instant } from '../../../time/clock.ts'
import type { NotificationReason } from '../../notification/notification.ts'
import type { RouteNode } from '../../routing/routing-tree.ts'
import type { FlushContext } from '../flush-context.ts'
import { type FlushClaim, storedClaim } from '../group/group.ts'

/** What one integration was last told about a group. */
export interface LoggedNotification {
  /** The tick of the group that it was. */
  readonly at: Instant
  /** Fingerprints of the alerts that fired, sorted. */
  readonly firing: readonly string[]
  /** Fingerprints of those that were resolved, sorted. */
  readonly resolved: readonly string[]
  /** What the integration asked to be kept. */
  readonly kept?: Readonly<Record<string, string>>
}

/**
 * What the integrations of one receiver were last told about the groups of one key, both of which its id stands for: it is
 * written twice for each notification.
 */
export interface StoredLog {
  /** Groups of like routes share a key: whoever flushes one keeps the others waiting. */
  readonly claim?: FlushClaim
  /** By type and place in the receiver, as `webhook/0`. */
  readonly integrations: Readonly<Record<string, LoggedNotification>>
  /**
   * Integrations that may have been told something else since: with a claim, those that its process is about to tell; without,
   * those of which it never learned what they received. They are told the state of the group again. Absent if there are none.
   */
  readonly unknown?: readonly string[]
}

/** The notification log, by {@link logId}. @see Alertmanager, `nflog` */
export const logCollection: TypedCollection<StoredLog> = defineCollection<StoredLog>({
  name: 'notification_log',
  unreadable: 'skip',
  check: objectOf<StoredLog>({
    claim: optional(storedClaim),
    integrations: mapOf(
      objectOf<LoggedNotification>({
        at: instant,
        firing: listOf(text),
        resolved: listOf(text),
        kept: optional(mapOf(text)),
      }),
    ),
    unknown: optional(listOf(text)),
  }),
})

/** Names the log of a receiver about groups of a key. */
export const logId = (groupKey: string, receiver: string): string =>
  sha256Hex(JSON.stringify([groupKey, receiver]))

/** Old entries are of no use: whoever was not told for so long is told anew. @see Alertmanager, `data.retention` */
export function logExpiry(
  { options }: FlushContext,
  { repeatIntervalMs }: RouteNode,
  now: Instant,
): Instant {
  const lifeMs = Math.max(Math.min(options.retentionMs, 2 * repeatIntervalMs), leastLogLifeMs)
  return Math.ceil((now + lifeMs) / expiryStepMs) * expiryStepMs
}

/** Entries expire on the minute: that it moves with each write would cost a store as much as the write. */
const expiryStepMs = 60_000

/** Longer than any claim, and longer than the clocks of processes are usually apart. */
const leastLogLifeMs = 2 * 3_600_000

/** What a notification would tell of. */
export interface Tellable {
  /** Fingerprints of alerts that fire, after suppression. */
  readonly firing: readonly string[]
  /** Fingerprints of those that are resolved. */
  readonly resolved: readonly string[]
  readonly sendResolved: boolean
  readonly repeatIntervalMs: number
  /** How long ago the last notification was sent. */
  readonly ageMs: number
  /** Whether the integration may have been told something else than what was logged. */
  readonly isUnknown: boolean
}

/**
 * Whether and why an integration is told about a group, given what it was told last. One that may have been told something
 * else is told in any case, unless there is nothing to tell of.
 *
 * @see Alertmanager, de-duplication stage of the notification pipeline
 */
export function reasonToTell(
  last: LoggedNotification | undefined,
  { firing, resolved, sendResolved, repeatIntervalMs, ageMs, isUnknown }: Tellable,
): NotificationReason | undefined {
  if (!isSubset(firing, last?.firing ?? [])) {
    return last === undefined || last.firing.length === 0
      ? 'first notification'
      : 'new alerts added'
  }
  if (firing.length === 0) {
    const mayFire = last !== undefined && last.firing.length > 0
    return mayFire || (isUnknown && resolved.length > 0) ? 'all alerts resolved' : undefined
  }
  if (sendResolved && !isSubset(resolved, last?.resolved ?? [])) return 'some alerts resolved'
  if (ageMs >= repeatIntervalMs) return 'repeat interval elapsed'
  return isUnknown ? 'unknown' : undefined
}

function isSubset(part: readonly string[], whole: readonly string[]): boolean {
  if (part.length === 0) return true
  if (part.length === 1) return whole.includes(part[0] ?? '')
  const all = new Set(whole)
  return part.every((one) => all.has(one))
}

/** Whether two notifications said the same of the same alerts. */
export const isSameState = (
  one: LoggedNotification | undefined,
  other: LoggedNotification,
): boolean =>
  one !== undefined &&
  isSubset(one.firing, other.firing) &&
  isSubset(other.firing, one.firing) &&
  isSubset(one.resolved, other.resolved) &&
  isSubset(other.resolved, one.resolved)

/** All names of two lists that hold each name once. */
export function union(some: readonly string[], more: readonly string[]): readonly string[] {
  const missing = more.filter((one) => !some.includes(one))
  return missing.length === 0 ? some : [...some, ...missing]
}
