import { inSlices } from '../../async/slices.ts'
import { decodeInput, exactly } from '../../input/decode.ts'
import type { FromCode } from '../../input/from-code.ts'
import { alertsQueryFields, forEachChosen, readAlertsQuery } from '../board/alert-query.ts'
import { AlertCounter, type AlertSummary } from '../board/alert-summary.ts'
import type { AlertsContext } from '../context.ts'
import type * as wire from '../wire/types.generated.ts'

/** Which alerts to count. */
export type AlertSummaryQuery = FromCode<wire.AlertSummaryQuery>

const { unprocessed: _, ...queryFields } = alertsQueryFields

const summaryQuery = exactly<wire.AlertSummaryQuery>(queryFields)

/**
 * Counts the firing alerts by state, severity, receiver and label: what is on fire, in at most 50 kB however many alerts there are.
 * Its numbers are those of `listAlerts` with the same query. Of many labels and values only the most frequent ones are listed, and
 * none with more than 128 bytes.
 *
 * @throws {GatehouseError} `InvalidInput`, `TooManyFilters`, `InvalidMatcher`, `InvalidReceiver`, `InvalidReceiverMatchers`.
 * @example
 * const { total, severities } = await summarizeAlerts(alerts, { filter: ['team="db"'], silenced: false })
 */
export async function summarizeAlerts(
  alerts: AlertsContext,
  query: AlertSummaryQuery = {},
): Promise<AlertSummary> {
  const decoded = decodeInput('query', summaryQuery, query)
  const { board, options } = alerts
  const filter = await inSlices(readAlertsQuery(decoded, alerts))
  const now = await board.refresh()
  const entries = await inSlices(board.alerts.matching(filter.matchers))
  const counter = new AlertCounter(options, now)
  await inSlices(
    forEachChosen(
      entries,
      filter,
      (entry) => board.statusOf(entry, now),
      (entry, status) => counter.add(entry, status),
    ),
  )
  return inSlices(counter.finish())
}
