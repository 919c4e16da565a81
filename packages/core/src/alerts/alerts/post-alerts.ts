import { isPauseDue, pause } from '../../async/slices.ts'
import { decodeInput } from '../../input/decode.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import { isConflict, retryOnConflict, type Write } from '../../storage/storage.ts'
import { inSpan } from '../../tracing/in-span.ts'
import {
  acceptAlert,
  alertCollection,
  type ContentLimits,
  type DecodedAlert,
  differInTimes,
  isResolved,
  mergeAlerts,
  type StoredAlert,
  timesThatDiffer,
} from '../alert/alert.ts'
import { type PostableAlert, postableAlerts } from '../alert/alert-input.ts'
import type { AlertsContext, AlertsSettings } from '../context.ts'
import type { AlertChange } from '../dispatch/hooks.ts'
import { invalidAlerts, tooManyAlerts } from '../errors.ts'

/** The most alerts per commit. A commit blocks the event loop of a process with an embedded store; this many take some 20 ms. */
const alertsPerCommit = 1_000

interface AcceptedAlert {
  readonly id: string
  readonly alert: StoredAlert
}

/**
 * Stores alerts, merging each with the stored one that has the same labels. All valid ones are stored, a thousand per commit,
 * even if others are not valid.
 *
 * @throws {GatehouseError} `InvalidInput` if a member has the wrong type, in which case nothing is stored; `TooManyAlerts`;
 * `InvalidAlerts` if some alerts were not valid, with one line for each in their order.
 * @example
 * await postAlerts(alerts, [{ labels: { alertname: 'DiskFull', instance: 'db-1' }, annotations: { summary: '98 %' } }])
 * @see Alertmanager API v2, `POST /alerts`
 */
export async function postAlerts(
  alerts: AlertsContext,
  postables: readonly PostableAlert[],
): Promise<void> {
  await postDecodedAlerts(alerts, decodeInput('alerts', postableAlerts, postables))
}

/** The settings that limit the content of an alert. */
export const contentLimits = (settings: AlertsSettings): ContentLimits => ({
  labelNames: settings.labelNames,
  maxLabels: settings.maxLabelsPerAlert,
  maxLength: settings.maxAlertLength,
})

/** {@link postAlerts} for alerts whose types were checked. */
export function postDecodedAlerts(
  alerts: AlertsContext,
  postables: readonly DecodedAlert[],
): Promise<void> {
  const options = () => ({ attributes: { 'gatehouse.alerts': postables.length } })
  return inSpan(alerts.tracer, { name: 'alerts.post', options }, () => postAll(alerts, postables))
}

async function postAll(alerts: AlertsContext, postables: readonly DecodedAlert[]): Promise<void> {
  const now = alerts.clock.now()
  const options = {
    now,
    resolveTimeoutMs: alerts.config.current.global.resolve_timeout,
    ...contentLimits(alerts.options),
  }
  const { maxAlertsPerRequest } = alerts.options
  if (maxAlertsPerRequest > 0 && postables.length > maxAlertsPerRequest) {
    throw tooManyAlerts(maxAlertsPerRequest)
  }
  const failures: string[] = []
  for (let from = 0; from < postables.length; from += alertsPerCommit) {
    if (from > 0 && isPauseDue()) await pause()
    const accepted: AcceptedAlert[] = []
    for (const postable of postables.slice(from, from + alertsPerCommit)) {
      const result = acceptAlert(postable, options)
      if ('failure' in result) failures.push(result.failure)
      else accepted.push(result)
    }
    if (accepted.length === 0) continue
    await storeAlerts(alerts, accepted, now)
    alerts.dispatch.wake()
  }
  if (failures.length > 0) {
    alerts.counters.invalid.add(failures.length, { version: 'v2' })
    throw invalidAlerts(failures)
  }
}

async function storeAlerts(
  alerts: AlertsContext,
  accepted: readonly AcceptedAlert[],
  now: number,
): Promise<void> {
  const { storage, board, counters, dispatch } = alerts
  const { changes, dropped } = await inTurnAfterConflict(alerts, async () => {
    // The per-alertname limit counts firing alerts, so it needs fresh state; without a limit the stored records suffice.
    await (alerts.options.perAlertnameLimit > 0 ? board.refresh() : board.catchUp())
    // No await from here to the commit: nothing else in this process can run in between.
    const decided = mergeAll(alerts, accepted, now)
    await storage.commit(decided.writes)
    return decided
  })
  if (changes !== undefined) dispatch.alertsChanged(changes, now)
  const resolved = accepted.filter(({ alert }) => isResolved(alert, now)).length
  counters.received.add(accepted.length - resolved, { status: 'firing', version: 'v2' })
  counters.received.add(resolved, { status: 'resolved', version: 'v2' })
  if (dropped.length > 0) {
    const isByName = alerts.options.metricLabels.includes('alertname')
    for (const { alert } of dropped) {
      counters.limited.add(1, isByName ? { alertname: alertnameOf(alert) } : undefined)
    }
    alerts.logger.warn(
      { dropped: dropped.length, alertname: dropped[0] && alertnameOf(dropped[0].alert) },
      'alerts dropped: too many share an alertname',
    )
  }
}

/**
 * Stores at once, and after a conflict when other posts of this process with a conflict are stored. Posts that come meanwhile wait,
 * or they would win every time: the storage is always busy with one of them.
 */
async function inTurnAfterConflict<T>(
  { postTurns }: AlertsContext,
  store: () => Promise<T>,
): Promise<T> {
  await postTurns('', async () => {})
  try {
    return await store()
  } catch (error) {
    if (!isConflict(error)) throw error
    return postTurns('', () => retryOnConflict(store))
  }
}

/** The merged state of each alert in the order of arrival, so that an alert that was sent twice merges with itself. */
function mergeAll(
  alerts: AlertsContext,
  accepted: readonly AcceptedAlert[],
  now: number,
): { writes: Write[]; changes: AlertChange[] | undefined; dropped: AcceptedAlert[] } {
  const { board, options, dispatch } = alerts
  const merged = new Map<string, StoredAlert>()
  const added = new Map<string, number>()
  const dropped: AcceptedAlert[] = []
  for (const one of accepted) {
    const { id, alert } = one
    const before = merged.get(id) ?? board.alerts.stored.get(id)?.value
    if (before === undefined && options.perAlertnameLimit > 0 && !isResolved(alert, now)) {
      const name = alertnameOf(alert)
      const inBatch = added.get(name) ?? 0
      if (board.alerts.count('alertname', name) + inBatch >= options.perAlertnameLimit) {
        dropped.push(one)
        continue
      }
      added.set(name, inBatch + 1)
    }
    merged.set(id, before === undefined ? alert : mergeAlerts(before, alert, now))
  }
  const writes: Write[] = []
  const changes: AlertChange[] | undefined = dispatch.followsAlerts ? [] : undefined
  for (const [id, alert] of merged) {
    const stored = board.alerts.stored.get(id)
    writes.push(writeOf(id, alert, stored))
    changes?.push({ fingerprint: id, before: stored?.value, after: alert })
  }
  return { writes, changes, dropped }
}

/** An alert that is posted again usually differs in its times alone. */
function writeOf(
  id: string,
  alert: StoredAlert,
  stored: TypedRecord<StoredAlert> | undefined,
): Write {
  if (stored === undefined) return alertCollection.write(id, alert, { if: 'absent' })
  const { version } = stored
  return differInTimes(stored.value, alert)
    ? alertCollection.write(id, alert, {
        if: version,
        changed: timesThatDiffer(stored.value, alert),
      })
    : alertCollection.write(id, alert, { if: version })
}

function alertnameOf({ labels }: StoredAlert): string {
  return Object.hasOwn(labels, 'alertname') ? (labels.alertname ?? '') : ''
}
