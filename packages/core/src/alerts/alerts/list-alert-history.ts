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
import type { AlertsContext } from '../context.ts'
import {
  alertEventKinds,
  alertHistoryCollection,
  type GettableAlertEvent,
  toGettableAlertEvent,
} from '../history/alert-event.ts'
import { matchesAll } from '../matcher/matcher.ts'
import { parseMatcher } from '../matcher/matcher-syntax.ts'
import type * as wire from '../wire/types.generated.ts'

/** Which events of alerts to list. */
export type AlertHistoryQuery = FromCode<wire.AlertHistoryQuery, 'from' | 'to'>

/** An {@link AlertHistoryQuery} whose types were checked. */
export type DecodedAlertHistoryQuery = Omit<AlertHistoryQuery, keyof HistoryQuery> &
  DecodedHistoryQuery

const decode = exactly<DecodedAlertHistoryQuery>({
  ...historyQueryFields,
  fingerprint: optional(anyText),
  filter: optional(listOf(anyText)),
  event: optional(listOf(oneOf(alertEventKinds))),
})

/**
 * Lists the events of alerts, newest first, as far as {@link startHistory} kept them.
 *
 * @throws {GatehouseError} `InvalidInput`; `InvalidHistoryQuery`; `InvalidMatcher` if a filter is not a valid matcher.
 */
export async function listAlertHistory(
  alerts: AlertsContext,
  query: AlertHistoryQuery = {},
): Promise<HistoryPage<GettableAlertEvent>> {
  return readAlertHistory(alerts, decodeInput('query', decode, query))
}

/** {@link listAlertHistory} for a query whose types were checked. */
export async function readAlertHistory(
  alerts: AlertsContext,
  query: DecodedAlertHistoryQuery,
): Promise<HistoryPage<GettableAlertEvent>> {
  const events = wordsOf('event', query.event ?? [], alertEventKinds)
  const matchers = (query.filter ?? []).map((text) =>
    parseMatcher(text, alerts.options.matcherMode),
  )
  return readHistory(alerts, query, {
    collection: alertHistoryCollection,
    only: { field: 'fingerprint', value: query.fingerprint },
    wants: ({ event, labels }) =>
      (events.size === 0 || events.has(event)) &&
      (matchers.length === 0 || matchesAll(matchers, labelSetFromObject(labels))),
    show: toGettableAlertEvent,
  })
}
