import { letOthersRun } from '../../async/end-of-turn.ts'
import type { Running } from '../../async/running.ts'
import { createHistoryIds, expiredId } from '../../history/history-id.ts'
import { createHistoryWriter, type MakeRecord } from '../../history/history-writer.ts'
import type { Write } from '../../storage/storage.ts'
import { createView } from '../../storage/view.ts'
import type { Instant } from '../../time/clock.ts'
import { alertCollection } from '../alert/alert.ts'
import type { AlertsContext } from '../context.ts'
import {
  type AlertEvent,
  alertEvents,
  alertHistoryCollection,
  expiryOf,
  storedAlertEvent,
} from '../history/alert-event.ts'
import { createEndingAlerts } from '../history/ending-alerts.ts'
import { notificationHistoryCollection, notificationOf } from '../history/notification-record.ts'
import { packHistory } from '../history/pack-history.ts'
import { silenceEvent, silenceHistoryCollection } from '../history/silence-event.ts'
import { createWorthNoting } from '../history/worth-noting.ts'

/** Running history, as returned by {@link startHistory}. */
export interface HistoryKeeper extends Running {
  /**
   * Writes the events so far if the storage accepts them; otherwise they are written later. For code that reads at once, such as
   * tests.
   */
  flush(): Promise<void>
}

/** How often it writes events. */
const writeEveryMs = 1_000
/**
 * The number of waiting records at which it writes at once. Lower numbers would make requests with many alerts wait for their
 * history.
 */
const muchWaits = 10_000
/**
 * The number of changes of alerts at which it looks at them, even if there is nothing to write: stores keep about twice as many
 * changes in memory.
 */
const muchIsUnseen = 5_000
/** It packs older records with one of this many writes. */
const writesPerPacking = 60
/** An end counts as passed this long after it: another process may have moved it, which is seen within a second. */
const graceMs = 2_000

/**
 * Records the decisions of the notification pipeline and the events of alerts and silences until it is stopped: everything that
 * this process does, and alerts whose end passes silently. Start it in every process that serves requests or sends notifications.
 *
 * It writes every second, after the alerts are stored, so a crash loses the last second of history. Every minute it packs older
 * records into blocks, which take about a tenth of the space, and removes the oldest blocks beyond `historyMaxBytes`. While the
 * storage fails it keeps at most 50,000 records. Repeated events are thinned out: a decision not to notify is recorded when it
 * differs from the previous one and once an hour; changed annotations of an alert, once an hour.
 */
export function startHistory(alerts: AlertsContext): HistoryKeeper {
  const { storage, clock, logger, dispatch, options } = alerts
  const { historyRetentionMs: retentionMs } = options
  if (retentionMs === 0) return { flush: async () => {}, stop: async () => {} }
  const idAt = createHistoryIds(alerts.ids)
  const writer = createHistoryWriter(alerts)
  const worthNoting = createWorthNoting()
  const ending = createEndingAlerts()
  const view = createView({ storage, clock, collection: alertCollection, projection: ending })
  let cancelTimer = (): void => {}
  let running: Promise<void> | undefined
  let isFailing = false
  let isStopped = false
  let writes = 0
  /** The number of changes of alerts since the last refresh of the view. */
  let unseen = 0

  const note = (make: MakeRecord, key?: string): void => {
    writer.add(make, key)
    if (writer.waiting >= muchWaits && !isFailing && !isStopped) void run()
  }
  const kept = (at: Instant): { expiresAt: Instant } => ({ expiresAt: at + retentionMs })

  const noteEvent = (event: AlertEvent): void => {
    const { at, fingerprint } = event
    const record = (id: string): Write =>
      alertHistoryCollection.write(id, storedAlertEvent(event), kept(at))
    if (event.event === 'expired') {
      // Every process sees an end pass, and records it under the same id.
      const id = expiredId(fingerprint, at)
      note(() => record(id), id)
    } else {
      note(() => record(idAt(at)))
    }
  }

  const stopListening = [
    dispatch.onDecision((decision) => {
      if (!worthNoting.decision(decision)) return
      const { at } = decision
      const value = notificationOf(decision)
      note(() => notificationHistoryCollection.write(idAt(at), value, kept(at)))
    }),
    dispatch.onAlertsChanged((changes, now) => {
      unseen += changes.length
      if (unseen >= muchIsUnseen && !isFailing && !isStopped) void run()
      for (const change of changes) {
        for (const event of alertEvents(change, now)) {
          if (worthNoting.event(event)) noteEvent(event)
        }
      }
    }),
    dispatch.onSilenceChanged((change, now) => {
      const value = silenceEvent(change, now)
      note(() => silenceHistoryCollection.write(idAt(now), value, kept(now)))
    }),
  ]

  const noteEnds = async (): Promise<void> => {
    unseen = 0
    await view.refresh()
    const now = clock.now()
    for (const [fingerprint, alert] of ending.takeEnded(now - graceMs, writer.room)) {
      if (kept(alert.endsAt).expiresAt > now) noteEvent(expiryOf(fingerprint, alert))
    }
  }

  const work = async (): Promise<void> => {
    await letOthersRun() // Let the request that made the last record continue first.
    try {
      await noteEnds()
      await writer.write()
      if (writes++ % writesPerPacking === 0) await packHistory(alerts, () => isStopped)
      if (isFailing) logger.info({}, 'history is written again')
      isFailing = false
    } catch (error) {
      if (!isFailing) logger.warn({ error: String(error) }, 'history could not be written')
      isFailing = true
    }
  }

  const run = (): Promise<void> => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }

  const runAndArm = async (): Promise<void> => {
    await run()
    if (!isStopped) cancelTimer = clock.setTimer(writeEveryMs, () => void runAndArm())
  }

  /** A write in progress may have started before the latest events. */
  const flush = async (): Promise<void> => {
    await running
    await run()
  }

  void runAndArm()
  let stopping: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    isStopped = true
    for (const end of stopListening) end()
    cancelTimer()
    await flush()
    writer.drop()
  }

  return {
    flush,
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}
