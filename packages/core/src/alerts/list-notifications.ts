import {
  type DecodedHistoryQuery,
  type HistoryPage,
  type HistoryQuery,
  historyQueryFields,
  wordsOf,
} from '../history/history-query.ts'
import { readHistory } from '../history/read-history.ts'
import { anyText, decodeInput, exactly, listOf, oneOf, optional } from '../input/decode.ts'
import type { AlertsContext } from './context.ts'
import type { NotificationOutcome } from './dispatch/log/decision.ts'
import {
  type GettableNotification,
  isAboutGroup,
  notificationHistoryCollection,
  notificationOutcomes,
  toGettableNotification,
} from './history/notification-record.ts'

/** Which decisions of the notification pipeline to list. */
export interface NotificationsQuery extends HistoryQuery {
  /** Only notifications of the receiver with this name. */
  receiver?: string | undefined
  /** Only notifications of groups with this key. */
  groupKey?: string | undefined
  /** Only notifications of this integration, such as `webhook/0`. */
  integration?: string | undefined
  /** Only these outcomes (default all). */
  outcome?: readonly NotificationOutcome[]
  /** Only notifications about this alert, among others. */
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
 * Lists notifications with their outcome, and decisions not to notify with their reason, newest first, as far as {@link
 * startHistory} kept them.
 *
 * @throws {GatehouseError} `InvalidInput`; `InvalidHistoryQuery`
 */
export async function listNotifications(
  alerts: AlertsContext,
  query: NotificationsQuery = {},
): Promise<HistoryPage<GettableNotification>> {
  return readNotifications(alerts, decodeInput('query', decode, query))
}

/** {@link listNotifications} for a query whose types were checked. */
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
