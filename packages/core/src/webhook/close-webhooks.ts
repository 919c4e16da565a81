import { decodeInput, exactly, numberFrom, optional } from '../input/decode.ts'
import type { WebhooksContext } from './context.ts'

/** Options of {@link closeWebhooks}. */
export interface CloseOptions {
  /** How long running commands may take to finish, in ms (default 30 s). */
  graceMs?: number
  /** The most time between SIGTERM and SIGKILL, in ms (default `kill_grace` of each webhook). */
  killGraceMs?: number
}

const grace = optional(numberFrom(0))

const decodeOptions = exactly<CloseOptions>({ graceMs: grace, killGraceMs: grace })

/** How long to wait for a killed command. One that hangs in the kernel may never end. */
const afterKillMs = 5_000

/** A service that is being closed. */
interface Closing {
  readonly closed: Promise<void>
  /** Ends the remaining commands, with SIGKILL after this time at the latest. */
  endAll(killGraceMs: number): void
}

const closings = new WeakMap<WebhooksContext, Closing>()

/**
 * Closes the service: refuses new runs, ends streams of changes, ends waiting runs as `canceled`, gives running commands time to finish and then ends
 * them. A later call can only shorten the times of an earlier one, and settles with it. Never rejects. The `stop()` of
 * `startWebhooks()` begins with it; call it yourself only to close a server between both.
 */
export async function closeWebhooks(
  webhooks: WebhooksContext,
  given: CloseOptions = {},
): Promise<void> {
  const options = decodeInput('options', decodeOptions, given)
  const { graceMs = 30_000 } = options
  const { killGraceMs = Number.POSITIVE_INFINITY } = options
  const closing = closings.get(webhooks) ?? begin(webhooks)
  closings.set(webhooks, closing)
  const endAll = (): void => closing.endAll(killGraceMs)
  let cancelGrace = (): void => {}
  if (graceMs > 0) cancelGrace = webhooks.clock.setTimer(graceMs, endAll)
  else endAll()
  await closing.closed
  cancelGrace()
}

function begin(webhooks: WebhooksContext): Closing {
  const { changes, clock, logger, work } = webhooks
  const { board, patience } = work
  let abandon = (): void => {}
  const abandoned = new Promise<void>((resolve) => {
    abandon = resolve
  })
  board.stop()
  changes.close()
  const runs = board.all()
  for (const run of runs) {
    if (run.snapshot().status === 'queued') run.end('shutdown')
    else run.stopRetrying()
  }

  const endAll = (killGraceMs: number): void => {
    // Stop waiting for runs of other processes, and for the storage.
    patience.end()
    work.journal.hurry()
    const graces = board.all().map((run) => {
      const grace = Math.min(run.webhook.kill_grace, killGraceMs)
      run.end('shutdown', grace)
      return grace
    })
    const waitMs = Math.max(0, ...graces) + afterKillMs
    abandonTimer?.()
    abandonTimer = clock.setTimer(waitMs, () => {
      logger.error({ runs: board.size }, 'commands are still running although they were killed')
      abandon()
    })
  }
  let abandonTimer: (() => void) | undefined

  const close = async (): Promise<void> => {
    await Promise.race([Promise.all(runs.map(({ ended }) => ended)), abandoned])
    abandonTimer?.()
    patience.end()
    await free(webhooks)
  }
  return { closed: close(), endAll }
}

/** Releases what the service holds besides runs. */
async function free({ logger, work }: WebhooksContext): Promise<void> {
  work.journal.stop()
  await work.cancelRequests.stop()
  await work.history.settled()
  await work.places.stop()
  try {
    await work.heartbeat.stop()
    await work.runners.close()
  } catch (error) {
    logger.warn({ error: String(error) }, 'the service could not be closed cleanly')
  }
  await work.outputLog.finish()
}
