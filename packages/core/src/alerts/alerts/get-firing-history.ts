import { historyBound } from '../../history/history-id.ts'
import { formatDateTime } from '../../time/date-time.ts'
import type { AlertsContext } from '../context.ts'
import { firingPeakCollection, maxParts, partMs, startOfPart } from '../history/firing-peak.ts'
import type * as wire from '../wire/types.generated.ts'

/** How many alerts fired in the last day. */
export type FiringHistory = wire.FiringHistory

/**
 * Returns how many alerts fired at once at most, for each quarter of an hour of the last day, as far as {@link startHistory} noted
 * it. It reads at most 96 small records, however many alerts there are and were.
 */
export async function getFiringHistory(alerts: AlertsContext): Promise<FiringHistory> {
  const { board, storage } = alerts
  const now = await board.refresh()
  const firing = board.alerts.firingSize
  const from = startOfPart(now) - (maxParts - 1) * partMs
  const records = await firingPeakCollection.find(storage, {
    by: 'id',
    from: historyBound(from),
    limit: maxParts,
  })
  const peaks: (number | null)[] = Array.from({ length: maxParts }, () => null)
  for (const { value } of records) {
    const part = (value.at - from) / partMs
    // The clock of another process may be ahead.
    if (part in peaks) peaks[part] = value.alerts
  }
  peaks[maxParts - 1] = Math.max(peaks.at(-1) ?? 0, firing)
  return { from: formatDateTime(from), partMs, peaks }
}
