import { atOnce } from '../../async/slices.ts'
import {
  type DecodedHistoryQuery,
  type HistoryPage,
  type HistoryQuery,
  historyQueryFields,
  wordsOf,
} from '../../history/history-query.ts'
import { readHistory } from '../../history/read-history.ts'
import { anyText, decodeInput, exactly, listOf, oneOf, optional } from '../../input/decode.ts'
import type { FromCode } from '../../input/from-code.ts'
import { labelSetFromObject } from '../alert/label-set.ts'
import { readFilters } from '../board/alert-query.ts'
import type { AlertsContext } from '../context.ts'
import {
  type GettableNotification,
  groupLabelsOf,
  isAboutGroup,
  notificationHistoryCollection,
  notificationOutcomes,
  type StoredNotification,
  toGettableNotification,
} from '../history/notification-record.ts'
import { matchesAll } from '../matcher/matcher.ts'
import type * as wire from '../wire/types.generated.ts'

/** Which decisions of the notification pipeline to list. */
export type NotificationsQuery = FromCode<wire.NotificationsQuery, 'from' | 'to'>

/** A {@link NotificationsQuery} whose types were checked. */
export type DecodedNotificationsQuery = Omit<NotificationsQuery, keyof HistoryQuery> &
  DecodedHistoryQuery

const decode = exactly<DecodedNotificationsQuery>({
  ...historyQueryFields,
  receiver: optional(anyText),
  groupKey: optional(anyText),
  integration: optional(anyText),
  outcome: optional(listOf(oneOf(notificationOutcomes))),
  filter: optional(listOf(anyText)),
  fingerprint: optional(anyText),
})

/**
 * Lists notifications with their outcome, and decisions not to notify with their reason, newest first, as far as {@link
 * startHistory} kept them.
 *
 * @throws {GatehouseError} `InvalidInput`; `InvalidHistoryQuery`; `InvalidMatcher` if a filter is not a valid matcher;
 * `TooManyFilters`
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
  return readHistory(alerts, query, {
    collection: notificationHistoryCollection,
    wants: wantedBy(alerts, query),
    show: toGettableNotification,
  })
}

/**
 * Whether a query wants a decision.
 *
 * @throws {GatehouseError} `InvalidHistoryQuery`; `InvalidMatcher`; `TooManyFilters`
 */
export function wantedBy(
  { options }: Pick<AlertsContext, 'options'>,
  query: DecodedNotificationsQuery,
): (one: StoredNotification) => boolean {
  const { receiver, groupKey, integration, fingerprint, filter = [] } = query
  const outcomes = wordsOf('outcome', query.outcome ?? [], notificationOutcomes)
  const matchers = atOnce(readFilters(filter, options))
  const matchesLabels = (one: StoredNotification): boolean => {
    const labels = groupLabelsOf(one)
    return labels !== undefined && matchesAll(matchers, labelSetFromObject(labels))
  }
  return (one) =>
    (groupKey === undefined || isAboutGroup(one, groupKey)) &&
    (receiver === undefined || one.receiver === receiver) &&
    (integration === undefined || one.integration === integration) &&
    (outcomes.size === 0 || outcomes.has(one.outcome)) &&
    (fingerprint === undefined ||
      one.firing.includes(fingerprint) ||
      one.resolved.includes(fingerprint)) &&
    (matchers.length === 0 || matchesLabels(one))
}
