import { inSlices } from '../async/slices.ts'
import { type BodyPiece, encodedList } from '../go/json-list.ts'
import { decodeInput, exactly } from '../input/decode.ts'
import type { GettableAlert } from './alert/alert.ts'
import type { AlertEntry, AlertStatus } from './board/alert-entry.ts'
import { alertItem, toGettableAlert } from './board/alert-json.ts'
import {
  type AlertsQuery,
  alertsQueryFields,
  forEachChosen,
  readAlertsQuery,
} from './board/alert-query.ts'
import type { AlertsContext } from './context.ts'

const alertsQuery = exactly(alertsQueryFields)

/**
 * Lists the firing alerts by fingerprint.
 *
 * @throws {GatehouseError} `InvalidInput`, `TooManyFilters`, `InvalidMatcher`, `InvalidReceiver`, `InvalidReceiverMatchers`.
 * @example
 * const firing = await listAlerts(alerts, { filter: ['severity="critical"'], silenced: false })
 * @see Alertmanager API v2, `GET /alerts`
 */
export async function listAlerts(
  alerts: AlertsContext,
  query: AlertsQuery = {},
): Promise<GettableAlert[]> {
  const listed: GettableAlert[] = []
  await forEachAlert(alerts, decodeInput('query', alertsQuery, query), (entry, status) => {
    listed.push(toGettableAlert(entry, status, entry.routeSet?.receivers ?? []))
  })
  return listed
}

/**
 * {@link listAlerts} as JSON in pieces, which together are the response body. Alerts are rendered in advance, so this costs
 * little more than copying them.
 */
export async function listAlertsJson(
  alerts: AlertsContext,
  query: AlertsQuery = {},
): Promise<readonly BodyPiece[]> {
  return alertsJson(alerts, decodeInput('query', alertsQuery, query))
}

/** {@link listAlertsJson} for a query whose types were checked. */
export async function alertsJson(
  alerts: AlertsContext,
  query: AlertsQuery,
): Promise<readonly BodyPiece[]> {
  const items: Uint8Array[] = []
  await forEachAlert(alerts, query, (entry, status) => {
    items.push(alertItem(entry, status))
  })
  return [...encodedList(items), '\n']
}

async function forEachAlert(
  alerts: AlertsContext,
  query: AlertsQuery,
  take: (entry: AlertEntry, status: AlertStatus) => void,
): Promise<void> {
  const { board } = alerts
  const filter = await inSlices(readAlertsQuery(query, alerts))
  const now = await board.refresh()
  const entries = await inSlices(board.alerts.matching(filter.matchers))
  await inSlices(forEachChosen(entries, filter, (entry) => board.statusOf(entry, now), take))
}
