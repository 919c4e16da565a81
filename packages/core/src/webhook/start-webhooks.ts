import { type Running, stoppedOnce } from '../async/running.ts'
import { decodeInput, exactly, flag, numberFrom, optional } from '../input/decode.ts'
import { checkCommands } from './check-commands.ts'
import { type CloseOptions, closeWebhooks } from './close-webhooks.ts'
import type { WebhooksContext } from './context.ts'
import { startDueRuns } from './due/start-due-runs.ts'
import { processWarnings } from './process-warnings.ts'
import { startRecords } from './runs/start-records.ts'

/** Options of {@link startWebhooks}: what its `stop()` may take, and the part that it starts; `false` leaves it out. */
export interface StartWebhooksOptions extends CloseOptions {
  /** Maintains the records of runs: {@link startRecords} (default `true`). */
  readonly records?: boolean
  /** Makes the runs of schedules, and those after other runs (default `true`). */
  readonly dueRuns?: boolean
  /**
   * Logs probable mistakes: commands that run as root, a process 1 without an init, missing programs and folders, tokens sent
   * without TLS by another machine (default `true`).
   */
  readonly warnings?: boolean
}

const grace = optional(numberFrom(0))

const decodeOptions = exactly<StartWebhooksOptions>({
  records: optional(flag),
  dueRuns: optional(flag),
  warnings: optional(flag),
  graceMs: grace,
  killGraceMs: grace,
})

/**
 * Starts what the service runs on its own: the maintenance of the records of runs, schedules, and runs after other runs. Deliveries
 * work without it.
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
  const {
    records = true,
    dueRuns = true,
    warnings = true,
    ...close
  } = decodeInput('options', decodeOptions, options)
  const warned = warnings ? warn(webhooks) : undefined
  const maintenance = records ? startRecords(webhooks) : undefined
  const making = dueRuns ? startDueRuns(webhooks) : undefined
  return stoppedOnce(async () => {
    const made = making?.stop()
    await closeWebhooks(webhooks, close)
    await Promise.all([maintenance?.stop(), made, warned])
  })
}

async function warn({
  config,
  environment,
  exposure,
  logger,
  workdir,
}: WebhooksContext): Promise<void> {
  exposure.warn = () =>
    logger.warn(
      {},
      'TLS is off, so tokens are sent unencrypted: serve TLS, or listen on 127.0.0.1 behind a proxy with TLS, and name the proxy in trustedProxies of the adapter',
    )
  for (const warning of processWarnings(process)) logger.warn({}, warning)
  try {
    const problems = await checkCommands(config.current, { environment, workdir })
    for (const { path, message } of problems) logger.warn({ path }, message)
  } catch (error) {
    logger.warn({ error: String(error) }, 'the commands could not be checked')
  }
}
