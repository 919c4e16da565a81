import { inSlices } from '../../async/slices.ts'
import type { Instant } from '../../time/clock.ts'
import { formatDateTime } from '../../time/date-time.ts'
import type { AlertsContext } from '../context.ts'
import type { Expectation } from '../expect/expectation.ts'
import { type WatchRecord, wasUnwatched, watchCollection } from '../expect/watch-record.ts'
import { formatMatcher } from '../matcher/matcher.ts'
import type * as wire from '../wire/types.generated.ts'

/** Alerts that must keep coming, as the API returns them. */
export type GettableExpectedAlerts = wire.ExpectedAlert

/** Lists the alerts that the configuration expects, in its order. */
export async function listExpectedAlerts(alerts: AlertsContext): Promise<GettableExpectedAlerts[]> {
  const { expect } = alerts.config.current
  if (expect.length === 0) return []
  const ids = expect.map(({ id }) => id)
  const records = await watchCollection.getAll(alerts.storage, ids)
  const now = await alerts.board.refresh()
  const listed: GettableExpectedAlerts[] = []
  for (const [index, expectation] of expect.entries()) {
    const record = records[index]?.value
    const seen = await lastSeen(alerts, expectation, record)
    listed.push(stateOf(alerts, expectation, { record, seen, now }))
  }
  return listed
}

/** Firing alerts are newer than the record; those that are gone are in the record only. */
async function lastSeen(
  { board }: AlertsContext,
  { matchers, alert }: Expectation,
  record: WatchRecord | undefined,
): Promise<Instant | undefined> {
  let seen = record?.seen
  for (const entry of await inSlices(board.alerts.matching(matchers))) {
    const { updatedAt } = entry.alert
    if (entry.fingerprint !== alert.fingerprint && updatedAt > (seen ?? 0)) seen = updatedAt
  }
  return seen
}

function stateOf(
  { board }: AlertsContext,
  expectation: Expectation,
  {
    record,
    seen,
    now,
  }: { record: WatchRecord | undefined; seen: Instant | undefined; now: Instant },
): GettableExpectedAlerts {
  const { name, matchers, everyMs, alert } = expectation
  const isUnwatched = record === undefined || wasUnwatched(expectation, record, now)
  const isMissing = board.alerts.isFiring(alert.fingerprint)
  const from = Math.max(seen ?? 0, record?.since ?? 0)
  return {
    name,
    matchers: matchers.map(formatMatcher),
    everyMs,
    state: isUnwatched
      ? 'unwatched'
      : isMissing
        ? 'missing'
        : seen === undefined || seen < record.since
          ? 'waiting'
          : 'present',
    ...(seen === undefined ? {} : { seenAt: formatDateTime(seen) }),
    ...(isUnwatched || isMissing ? {} : { dueAt: formatDateTime(from + everyMs) }),
    fingerprint: alert.fingerprint,
  }
}
