import { isPauseDue, pause } from '../../async/slices.ts'
import { retryOnConflict, type Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { Acknowledgement } from '../alert/acknowledgement.ts'
import type { AcknowledgementTarget } from '../alert/acknowledgement-input.ts'
import { alertCollection, isResolved, type StoredAlert } from '../alert/alert.ts'
import { fingerprint, labelSetFromObject, withoutEmptyValues } from '../alert/label-set.ts'
import type { AlertsContext } from '../context.ts'
import type { AlertChange } from '../dispatch/hooks.ts'
import { alertGroupNotFound, alertNotFound } from '../errors.ts'
import { groupKey } from '../routing/group-key.ts'

/** The most alerts per commit, as for posts. */
const alertsPerCommit = 1_000

/** Options of {@link changeAcknowledgements}. */
export interface AcknowledgementChange {
  /** The acknowledgement that each alert gets now. */
  to: (now: Instant) => Acknowledgement | undefined
  /** The person who asked, if the request names one. */
  by: string | undefined
}

/**
 * Changes the acknowledgement of a firing alert, or of all firing alerts of a group, in commits of a thousand.
 *
 * @returns the fingerprints of the alerts whose acknowledgement changed.
 * @throws {GatehouseError} `AlertNotFound`, `AlertGroupNotFound` if the target has no firing alert.
 */
export async function changeAcknowledgements(
  alerts: AlertsContext,
  target: AcknowledgementTarget,
  change: AcknowledgementChange,
): Promise<readonly string[]> {
  const ids = await targetAlerts(alerts, target)
  const changed: string[] = []
  let found = 0
  for (let from = 0; from < ids.length; from += alertsPerCommit) {
    const part = ids.slice(from, from + alertsPerCommit)
    const result = await retryOnConflict(() => changeAll(alerts, part, change))
    alerts.dispatch.alertsChanged(result.changes, result.now)
    for (const one of result.changes) changed.push(one.fingerprint)
    found += result.found
  }
  // The alerts of a group may have resolved since it was read.
  if (found === 0) throw notFound(target, ids)
  if (changed.length > 0) alerts.dispatch.wake()
  return changed
}

const notFound = ({ groupKey }: AcknowledgementTarget, ids: readonly string[]) =>
  groupKey === undefined ? alertNotFound(ids[0] ?? '') : alertGroupNotFound(groupKey)

/** The fingerprints of the alerts of a target: one alert whether it fires or not, or the firing ones of a group. */
async function targetAlerts(
  { board }: AlertsContext,
  { fingerprint: id, labels, groupKey: key, receiver }: AcknowledgementTarget,
): Promise<readonly string[]> {
  if (labels !== undefined) return [fingerprint(withoutEmptyValues(labelSetFromObject(labels)))]
  if (key === undefined) return id === undefined ? [] : [id]
  await board.refresh()
  const found = new Set<string>()
  for (const group of board.groups.sorted()) {
    if (isPauseDue()) await pause()
    if (receiver !== undefined && group.route.receiver !== receiver) continue
    if (groupKey(group.route, group.labels) !== key) continue
    for (const { fingerprint } of group.alerts) found.add(fingerprint)
  }
  return [...found].sort()
}

async function changeAll(
  alerts: AlertsContext,
  ids: readonly string[],
  { to, by }: AcknowledgementChange,
): Promise<{ changes: readonly AlertChange[]; found: number; now: Instant }> {
  const { board, storage } = alerts
  const now = await board.catchUp()
  const acknowledgement = to(now)
  const writes: Write[] = []
  const changes: AlertChange[] = []
  let found = 0
  for (const id of ids) {
    // Another process may have stored the alert a moment ago.
    const stored = board.alerts.stored.get(id) ?? (await alertCollection.get(storage, id))
    if (stored === undefined || isResolved(stored.value, now)) continue
    found++
    const { value: before, version } = stored
    const after = withAcknowledgement(before, acknowledgement)
    if (after === before) continue
    writes.push(alertCollection.write(id, after, { if: version }))
    changes.push({ fingerprint: id, before, after, by })
  }
  if (writes.length > 0) await storage.commit(writes)
  return { changes, found, now }
}

function withAcknowledgement(
  alert: StoredAlert,
  acknowledgement: Acknowledgement | undefined,
): StoredAlert {
  if (acknowledgement !== undefined) return { ...alert, acknowledgement }
  const { acknowledgement: before, ...rest } = alert
  return before === undefined ? alert : rest
}
