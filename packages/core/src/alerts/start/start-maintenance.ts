import { letOthersRun } from '../../async/end-of-turn.ts'
import { type Running, repeat, stopAll } from '../../async/running.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import { isConflict, type Write } from '../../storage/storage.ts'
import { alertCollection, isResolved, type StoredAlert } from '../alert/alert.ts'
import type { AlertsContext } from '../context.ts'
import { awaitedByGroups } from '../dispatch/group/awaited-by-groups.ts'
import { silenceCollection } from '../silence/silence.ts'
import { followSilences } from '../silences/follow-silences.ts'
import { makeSilences } from '../silences/make-silences.ts'

/** The records that {@link collectGarbage} removed. */
export interface CollectedGarbage {
  alerts: number
  silences: number
}

/** The most records that one commit removes, so that no other commit waits long. */
const writesPerCommit = 500

/**
 * Removes resolved alerts after their receivers were notified, and silences that expired longer ago than the retention.
 *
 * @see Alertmanager, options `alerts.gc-interval` and `data.retention`
 */
export async function collectGarbage(alerts: AlertsContext): Promise<CollectedGarbage> {
  return { alerts: await collectAlerts(alerts), silences: await collectSilences(alerts) }
}

/** Removes resolved alerts, except those that a group has yet to notify about. */
async function collectAlerts(alerts: AlertsContext): Promise<number> {
  const { board, storage, options } = alerts
  const awaited = new Set<string>()
  return removeAll(alerts, async (now) => {
    for (;;) {
      const resolved: TypedRecord<StoredAlert>[] = []
      for (const record of board.alerts.stored.values()) {
        if (isResolved(record.value, now) && !awaited.has(record.id)) resolved.push(record)
        if (resolved.length === writesPerCommit) break
      }
      const since = now - options.retentionMs
      const tree = board.routingTree
      for (const id of await awaitedByGroups(storage, resolved, { tree, since })) awaited.add(id)
      const writes = resolved
        .filter(({ id }) => !awaited.has(id))
        .map(({ id, version }) => alertCollection.remove(id, version))
      if (writes.length > 0 || resolved.length === 0) return writes
    }
  })
}

/** Removes silences that expired longer ago than the retention. */
async function collectSilences(alerts: AlertsContext): Promise<number> {
  const { clock, counters } = alerts
  const since = clock.monotonic()
  let isGood = false
  try {
    const removed = await removeOldSilences(alerts)
    isGood = true
    return removed
  } finally {
    counters.silencesCollected(clock.monotonic() - since, isGood)
  }
}

function removeOldSilences(alerts: AlertsContext): Promise<number> {
  return removeAll(alerts, async (now) => {
    const writes: Write[] = []
    for (const { id, value, version } of alerts.board.silences.stored.values()) {
      if (value.endsAt + alerts.options.retentionMs <= now) {
        writes.push(silenceCollection.remove(id, version))
      }
      if (writes.length === writesPerCommit) break
    }
    return writes
  })
}

/**
 * Commits the writes that `choose` returns until it returns none. Records that another writer changed meanwhile are left to the
 * next run.
 */
async function removeAll(
  alerts: AlertsContext,
  choose: (now: number) => Promise<readonly Write[]>,
): Promise<number> {
  let removed = 0
  for (;;) {
    // Refresh even if nothing is removed, so that a service that only receives posts forgets removed records.
    const now = await alerts.board.refresh()
    const writes = await choose(now)
    if (writes.length === 0) return removed
    try {
      await alerts.storage.commit(writes)
      removed += writes.length
      await letOthersRun()
    } catch (error) {
      if (isConflict(error)) return removed
      throw error
    }
  }
}

const minute = 60_000
const followIntervalMs = 10_000

/** Collects garbage at the configured intervals, and creates the silences of recurring ones, until it is stopped. A failure is logged and retried at the next interval. */
export function startMaintenance(alerts: AlertsContext): Running {
  const { gcIntervalMs, maintenanceIntervalMs } = alerts.options
  const parts = [
    every(alerts, gcIntervalMs, () => collectAlerts(alerts)),
    every(alerts, maintenanceIntervalMs, () => collectSilences(alerts)),
    every(alerts, minute, () => makeSilences(alerts)),
    every(alerts, followIntervalMs, () => followSilences(alerts)),
  ]
  return { stop: () => stopAll(...parts) }
}

function every(
  { clock, logger }: AlertsContext,
  intervalMs: number,
  collect: () => Promise<number>,
): Running {
  return repeat({ clock, intervalMs, isDelayed: true }, async () => {
    try {
      const removed = await collect()
      if (removed > 0) logger.debug({ removed }, 'garbage collected')
    } catch (error) {
      logger.error({ error: String(error) }, 'garbage collection failed')
    }
  })
}
