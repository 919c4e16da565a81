import { type Running, stoppedOnce } from '../async/running.ts'
import { decodeInput, exactly, flag, numberFrom, optional } from '../input/decode.ts'
import { type CloseOptions, closeWebhooks } from './close-webhooks.ts'
import type { WebhooksContext } from './context.ts'
import { startRecords } from './runs/start-records.ts'

/** Options of {@link startWebhooks}: what its `stop()` may take, and the part that it starts; `false` leaves it out. */
export interface StartWebhooksOptions extends CloseOptions {
  /** Maintains the records of runs: {@link startRecords} (default `true`). */
  readonly records?: boolean
}

const grace = optional(numberFrom(0))

const decodeOptions = exactly<StartWebhooksOptions>({
  records: optional(flag),
  graceMs: grace,
  killGraceMs: grace,
})

/**
 * Starts what the service runs on its own: the maintenance of the records of runs. Runs work without it.
 *
 * `stop()` closes the service, as {@link closeWebhooks}: it refuses new runs, ends the streams of changes, so that a server can
 * close, and gives running commands `graceMs` to finish (default 30 s).
 *
 * @throws {GatehouseError} `InvalidInput`
 * @example
 * const running = startWebhooks(webhooks)
 * process.once('SIGTERM', () => running.stop())
 */
export function startWebhooks(
  webhooks: WebhooksContext,
  options: StartWebhooksOptions = {},
): Running {
  const { records = true, ...close } = decodeInput('options', decodeOptions, options)
  const maintenance = records ? startRecords(webhooks) : undefined
  return stoppedOnce(async () => {
    await closeWebhooks(webhooks, close)
    await maintenance?.stop()
  })
}
