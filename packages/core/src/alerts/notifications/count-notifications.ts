import { getOrCreate } from '../../async/get-or-create.ts'
import { historyQueryFields, invalidHistoryQuery } from '../../history/history-query.ts'
import { readHistory } from '../../history/read-history.ts'
import { anyText, decodeInput, exactly, listOf, optional } from '../../input/decode.ts'
import type { FromCode } from '../../input/from-code.ts'
import { instant } from '../../input/instant.ts'
import type { Instant } from '../../time/clock.ts'
import { formatDateTime } from '../../time/date-time.ts'
import type { AlertsContext } from '../context.ts'
import {
  notificationHistoryCollection,
  type StoredNotification,
} from '../history/notification-record.ts'
import type * as wire from '../wire/types.generated.ts'
import { wantedBy } from './list-notifications.ts'

/** Which notifications to count. */
export type NotificationCountsQuery = FromCode<wire.NotificationCountsQuery, 'from' | 'to'>

/** A {@link NotificationCountsQuery} whose types were checked. */
export interface DecodedNotificationCountsQuery extends NotificationCountsQuery {
  from?: Instant | undefined
  to?: Instant | undefined
}

/** How many notifications a receiver got. Each list has a number for each part of the time. */
export type ReceiverCounts = wire.ReceiverCounts

/** Notifications by receiver and time. */
export type NotificationCounts = wire.NotificationCounts

const decode = exactly<DecodedNotificationCountsQuery>({
  from: optional(instant),
  to: optional(instant),
  parts: historyQueryFields.limit,
  receiver: optional(anyText),
  filter: optional(listOf(anyText)),
})

const day = 24 * 3_600_000
const maxParts = 200
const maxReceivers = 100
const maxCounted = 100_000

/**
 * Counts notifications by receiver and time, as far as {@link startHistory} kept them.
 *
 * @throws {GatehouseError} `InvalidInput`; `InvalidHistoryQuery`; `InvalidMatcher` if a filter is not a valid matcher.
 */
export async function countNotifications(
  alerts: AlertsContext,
  query: NotificationCountsQuery = {},
): Promise<NotificationCounts> {
  return countWanted(alerts, decodeInput('query', decode, query))
}

/** {@link countNotifications} for a query whose types were checked. */
export async function countWanted(
  alerts: AlertsContext,
  query: DecodedNotificationCountsQuery,
): Promise<NotificationCounts> {
  const { clock, options } = alerts
  const { to = clock.now(), parts = 48, receiver, filter = [] } = query
  const { from = to - day } = query
  if (!Number.isInteger(parts) || parts < 1 || parts > maxParts) {
    throw invalidHistoryQuery(`parts must be a whole number from 1 to ${maxParts}`)
  }
  if (!(from < to)) throw invalidHistoryQuery('from must be before to')
  const partMs = Math.max(1, Math.ceil((to - from) / parts))
  const counts = new Map<string, Counts>()
  const isWanted = wantedBy(alerts, { receiver, filter })
  let counted = 0
  let oldest = to
  const count = (one: StoredNotification): false => {
    counted++
    oldest = Math.min(oldest, one.at)
    if (!isWanted(one)) return false
    const kind = kindOf(one)
    const part = Math.floor((one.at - from) / partMs)
    if (kind === undefined || part < 0 || part >= parts) return false
    const known = getOrCreate(counts, one.receiver, () => createCounts(parts))
    known[kind][part] = (known[kind][part] ?? 0) + 1
    return false
  }
  let after: string | undefined
  do {
    const page = await readHistory(
      alerts,
      { from, to, limit: 1, after },
      { collection: notificationHistoryCollection, wants: count, show: () => undefined },
    )
    after = page.next
  } while (after !== undefined && counted < maxCounted)
  const kept = Math.max(from, clock.now() - options.historyRetentionMs)
  return {
    from: formatDateTime(from),
    to: formatDateTime(to),
    partMs,
    receivers: [...counts]
      .map(([name, numbers]) => ({ receiver: name, ...numbers }))
      .sort((a, b) => sum(b.failed) - sum(a.failed) || all(b) - all(a) || byName(a, b))
      .slice(0, maxReceivers),
    countedFrom: formatDateTime(after === undefined ? Math.min(kept, to) : oldest),
  }
}

type Kind = 'sent' | 'failed' | 'notSent'
type Counts = Readonly<Record<Kind, number[]>>

function kindOf({ outcome }: StoredNotification): Kind | undefined {
  if (outcome === 'sent' || outcome === 'failed') return outcome
  return outcome === 'deduplicated' ? undefined : 'notSent'
}

const createCounts = (parts: number): Counts => {
  const zeros = (): number[] => Array.from({ length: parts }, () => 0)
  return { sent: zeros(), failed: zeros(), notSent: zeros() }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
const all = ({ sent, failed, notSent }: ReceiverCounts): number =>
  sum(sent) + sum(failed) + sum(notSent)
const byName = (a: ReceiverCounts, b: ReceiverCounts): number => (a.receiver < b.receiver ? -1 : 1)
