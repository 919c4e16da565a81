import type { WebhooksContext } from './context.ts'
import { markLostRuns } from './runs/mark-lost-runs.ts'

/** What {@link startWebhooks} started. */
export interface RunningWebhooks {
  /** Ends it, and waits for what is under way. */
  stop(): Promise<void>
}

/** What other processes have stored is looked at once in so many times: it may be much. */
const looksBetweenTrims = 60

/** What is missing is noticed after several looks; see `server-watch.ts`. */
const intervalMs = 10_000

/**
 * Keeps the records of runs in order until it is stopped: writes down as `lost` the runs whose process is gone, and removes
 * what the history does not keep. Without it runs are made all the same, and are seen as lost where they are; a failure is logged,
 * and tried again after ten seconds.
 *
 * @example
 * const running = startWebhooks(webhooks)
 * process.once('SIGTERM', () => running.stop())
 */
export function startWebhooks(webhooks: WebhooksContext): RunningWebhooks {
  const { clock, logger, work } = webhooks
  const stopMeasuring = work.eventLoopDelay.measure()
  let cancelTimer = (): void => {}
  let isStopped = false
  let looks = 0

  const keepOrder = async (): Promise<void> => {
    try {
      await markLostRuns(webhooks)
      if (looks++ % looksBetweenTrims === 0) await work.history.trim()
    } catch (error) {
      logger.error({ error: String(error) }, 'the records of runs could not be kept in order')
    }
    if (isStopped) return
    cancelTimer = clock.setTimer(intervalMs, () => {
      keeping = keepOrder()
    })
  }
  let keeping = keepOrder()

  return {
    async stop() {
      isStopped = true
      cancelTimer()
      stopMeasuring()
      await keeping
    },
  }
}
