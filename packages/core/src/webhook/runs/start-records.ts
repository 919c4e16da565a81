import { type Running, repeat } from '../../async/running.ts'
import type { WebhooksContext } from '../context.ts'
import { markLostRuns } from './mark-lost-runs.ts'

/** Records of other processes are trimmed only once in this many rounds, because there may be many. */
const looksBetweenTrims = 60

/** A missing process is detected after several checks; see `server-watch.ts`. */
const intervalMs = 10_000

/**
 * Maintains the records of runs until it is stopped: records runs of dead processes as `lost`, and removes what the history does
 * not keep. Runs work without it, and are reported as lost when they are read; a failure is logged and retried after ten seconds.
 */
export function startRecords(webhooks: WebhooksContext): Running {
  const { clock, logger, work } = webhooks
  const stopMeasuring = work.eventLoopDelay.measure()
  let looks = 0
  const keeping = repeat({ clock, intervalMs }, async () => {
    try {
      await markLostRuns(webhooks)
      if (looks++ % looksBetweenTrims === 0) await work.history.trim()
    } catch (error) {
      logger.error({ error: String(error) }, 'the records of runs could not be maintained')
    }
  })
  return {
    async stop() {
      stopMeasuring()
      await keeping.stop()
    },
  }
}
