import { letOthersRun } from '../../async/end-of-turn.ts'
import type { Running } from '../../async/running.ts'
import { createHistoryWriter } from '../../history/history-writer.ts'
import { createView } from '../../storage/view.ts'
import { alertCollection } from '../alert/alert.ts'
import type { AlertsContext } from '../context.ts'
import { expiryOf } from '../history/alert-event.ts'
import { createEndingAlerts } from '../history/ending-alerts.ts'
import { packHistory } from '../history/pack-history.ts'
import { followHistory } from './follow-history.ts'
import { createPeakKeeper } from './peak-keeper.ts'

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
 * this process does, alerts whose end passes silently, and how many alerts fire. Start it in every process that serves requests or sends notifications.
 *
 * It writes every second, after the alerts are stored, so a crash loses the last second of history. Every minute it packs older
 * records into blocks, which take about a tenth of the space, and removes the oldest blocks beyond `historyMaxBytes`. While the
 * storage fails it keeps at most 50,000 records. Repeated events are thinned out: a decision not to notify is recorded when it
 * differs from the previous one and once an hour; changed annotations of an alert, once an hour.
 */
export function startHistory(alerts: AlertsContext): HistoryKeeper {
  const { storage, clock, logger, options } = alerts
  const { historyRetentionMs: retentionMs } = options
  if (retentionMs === 0) return { flush: async () => {}, stop: async () => {} }
  const writer = createHistoryWriter(alerts)
  const ending = createEndingAlerts()
  const peaks = createPeakKeeper(alerts)
  const view = createView({ storage, clock, collection: alertCollection, projection: ending })
  let cancelTimer = (): void => {}
  let running: Promise<void> | undefined
  let isFailing = false
  let isStopped = false
  let writes = 0
  /** The number of changes of alerts since the last refresh of the view. */
  let unseen = 0

  const runIf = (isMuch: boolean): void => {
    if (isMuch && !isFailing && !isStopped) void run()
  }
  const following = followHistory(alerts, {
    add(make, key) {
      writer.add(make, key)
      runIf(writer.waiting >= muchWaits)
    },
    onChanged(count) {
      unseen += count
      runIf(unseen >= muchIsUnseen)
    },
  })

  const noteEnds = async (): Promise<void> => {
    unseen = 0
    await view.refresh()
    const now = clock.now()
    for (const [fingerprint, alert] of ending.takeEnded(now - graceMs, writer.room)) {
      if (alert.endsAt + retentionMs > now) following.note(expiryOf(fingerprint, alert))
    }
  }

  const work = async (): Promise<void> => {
    await letOthersRun() // Let the request that made the last record continue first.
    try {
      await noteEnds()
      await writer.write()
      await peaks.note(ending.size, isStopped)
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
    following.stop()
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
