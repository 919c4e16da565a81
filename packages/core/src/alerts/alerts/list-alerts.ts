import { inSlices } from '../../async/slices.ts'
import { decodeInput, exactly } from '../../input/decode.ts'
import type { Instant } from '../../time/clock.ts'
import type { GettableAlert } from '../alert/alert.ts'
import type { AlertEntry, AlertStatus } from '../board/alert-entry.ts'
import { alertItem, toGettableAlert } from '../board/alert-json.ts'
import { createAlertListWriter } from '../board/alert-list-writer.ts'
import {
  type AlertsFilter,
  type AlertsQuery,
  alertsQueryFields,
  forEachChosen,
  readAlertsQuery,
} from '../board/alert-query.ts'
import type { ListBytes } from '../board/kept-lists.ts'
import type { AlertsContext } from '../context.ts'

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
  const decoded = decodeInput('query', alertsQuery, query)
  const filter = await inSlices(readAlertsQuery(decoded, alerts))
  const now = await alerts.board.refresh()
  const listed: GettableAlert[] = []
  await forEachAlert(alerts, filter, now, (entry, status) => {
    listed.push(toGettableAlert(entry, status, entry.routeSet?.receivers ?? []))
  })
  return listed
}

/**
 * {@link listAlerts} as JSON in UTF-8, the body of a response. It is rendered once for each state of the alerts and shared by its
 * readers: do not change it.
 */
export async function listAlertsJson(
  alerts: AlertsContext,
  query: AlertsQuery = {},
): Promise<ListBytes> {
  return alertsJson(alerts, decodeInput('query', alertsQuery, query))
}

/** {@link listAlertsJson} for a query whose types were checked. */
export async function alertsJson(alerts: AlertsContext, query: AlertsQuery): Promise<ListBytes> {
  const { board } = alerts
  const filter = await inSlices(readAlertsQuery(query, alerts))
  const now = await board.refresh()
  return board.alertLists.get(['alerts', query], now, async () => {
    const list = createAlertListWriter()
    list.add(listStart)
    let isFirst = true
    await forEachAlert(alerts, filter, now, (entry, status) => {
      list.addAlert(entry, alertItem(entry, status), isFirst)
      isFirst = false
    })
    list.add(listEnd)
    return inSlices(list.finish())
  })
}

const encoder = new TextEncoder()
const listStart = encoder.encode('[')
const listEnd = encoder.encode(']\n')

async function forEachAlert(
  { board }: AlertsContext,
  filter: AlertsFilter,
  now: Instant,
  take: (entry: AlertEntry, status: AlertStatus) => void,
): Promise<void> {
  const entries = await inSlices(board.alerts.matching(filter.matchers))
  await inSlices(forEachChosen(entries, filter, (entry) => board.statusOf(entry, now), take))
}
