import { anyText, decodeInput, exactly, listOf, oneOf, optional } from '../input/decode.ts'
import type { AlertsContext } from './context.ts'
import type { NotificationOutcome } from './dispatch/log/decision.ts'
import {
  type DecodedHistoryQuery,
  type HistoryPage,
  type HistoryQuery,
  historyQueryFields,
  wordsOf,
} from './history/history-query.ts'
import {
  type GettableNotification,
  isAboutGroup,
  notificationHistoryCollection,
  notificationOutcomes,
  toGettableNotification,
} from './history/notification-record.ts'
import { readHistory } from './history/read-history.ts'

/** Which decisions of the notification pipeline to list. */
export interface NotificationsQuery extends HistoryQuery {
  /** The name of a receiver. */
  receiver?: string | undefined
  /** Of groups of this key. */
  groupKey?: string | undefined
  /** As `webhook/0`. */
  integration?: string | undefined
  /** One of these (default all). */
  outcome?: readonly NotificationOutcome[]
  /** About this alert, among others. */
  fingerprint?: string | undefined
}

/** A {@link NotificationsQuery} whose types were checked. */
export type DecodedNotificationsQuery = Omit<NotificationsQuery, keyof HistoryQuery> &
  DecodedHistoryQuery

const decode = exactly<DecodedNotificationsQuery>({
  ...historyQueryFields,
  receiver: optional(anyText),
  groupKey: optional(anyText),
  integration: optional(anyText),
  outcome: optional(listOf(oneOf(notificationOutcomes))),
  fingerprint: optional(anyText),
})

/**
 * What was told to whom and how that ended, or why it was not told, newest first: as far as {@link startHistory} kept it.
 *
 * @throws {GatehouseError} `InvalidInput`; `InvalidHistoryQuery`
 */
export async function listNotifications(
  alerts: AlertsContext,
  query: NotificationsQuery = {},
): Promise<HistoryPage<GettableNotification>> {
  return readNotifications(alerts, decodeInput('query', decode, query))
}

/** {@link listNotifications} of a query whose types were checked. */
export async function readNotifications(
  alerts: AlertsContext,
  query: DecodedNotificationsQuery,
): Promise<HistoryPage<GettableNotification>> {
  const { receiver, groupKey, integration, fingerprint } = query
  const outcomes = wordsOf('outcome', query.outcome ?? [], notificationOutcomes)
  return readHistory(alerts, query, {
    collection: notificationHistoryCollection,
    wants: (one) =>
      (groupKey === undefined || isAboutGroup(one, groupKey)) &&
      (receiver === undefined || one.receiver === receiver) &&
      (integration === undefined || one.integration === integration) &&
      (outcomes.size === 0 || outcomes.has(one.outcome)) &&
      (fingerprint === undefined ||
        one.firing.includes(fingerprint) ||
        one.resolved.includes(fingerprint)),
    show: toGettableNotification,
  })
}
