import { GatehouseError, isGatehouseError } from '../errors.ts'
import { followConfig } from './access/find-webhook.ts'
import {
  followedConfig,
  formatWebhooksConfigProblem,
  type WebhooksConfigInput,
  type WebhooksConfigProblem,
} from './config/config.ts'
import type { WebhooksContext } from './context.ts'
import { type LoadedWebhooksConfig, refusedParts } from './webhook.ts'

/**
 * Replaces the running configuration in one step. Accepted runs keep the definition they were accepted with; counts of webhooks
 * that stay continue. A further file that is bad keeps the webhooks that it had.
 *
 * @throws {GatehouseError} `InvalidConfig`, with every problem in `info.problems`; the running configuration stays.
 */
export function updateWebhooksConfig(webhooks: WebhooksContext, source: WebhooksConfigInput): void {
  const read = attempt(webhooks, () => webhooks.readConfig(source))
  const config = followedConfig(read, webhooks.config.current)
  followConfig(config, webhooks.config.current)
  webhooks.config.current = config
  webhooks.work.refusals.keepOnly(new Set(config.webhooks.map(({ id }) => id)))
  logWarnings(webhooks, config)
  webhooks.counters.configLoaded()
  webhooks.logger.info({ webhooks: config.webhooks.length }, 'configuration loaded')
  webhooks.events.emit('config.reloaded', () => ({ webhooks: config.webhooks.length }))
  noteRefusedParts(webhooks, config)
  // There may be more places than before.
  webhooks.work.board.fill()
  webhooks.work.places.tendAll()
}

/**
 * Loads the configuration again with the option `reload`; without that option the running one stays.
 *
 * @throws {GatehouseError} `InvalidConfig`, and any error of the option; the running configuration stays.
 */
export async function reloadWebhooksConfig(webhooks: WebhooksContext): Promise<void> {
  const { reload } = webhooks
  if (reload === undefined) return
  let source: WebhooksConfigInput
  try {
    source = await reload()
  } catch (error) {
    // The option is the program's own, which reports its errors.
    noteRefusal(webhooks, error)
    throw error
  }
  updateWebhooksConfig(webhooks, source)
}

/** Logs the warnings of a configuration. */
export function logWarnings(
  { logger }: Pick<WebhooksContext, 'logger'>,
  config: LoadedWebhooksConfig,
): void {
  for (const warning of config.warnings) logger.warn({}, warning)
  for (const { filename, warnings } of config.parts) {
    for (const warning of warnings) logger.warn({}, `${filename} ${warning}`)
  }
}

/** Logs, counts and reports the refused files of a configuration that is in use. */
export function noteRefusedParts(
  { logger, counters, events }: Pick<WebhooksContext, 'logger' | 'counters' | 'events'>,
  config: LoadedWebhooksConfig,
): void {
  for (const { filename, problems, webhooks } of refusedParts(config)) {
    const effect = webhooks.length > 0 ? 'stay as they were' : 'are not served'
    for (const problem of problems) {
      logger.error({ problem }, `a file is refused: its webhooks ${effect}`)
    }
    counters.configRefused()
    const message = problems.join('\n')
    events.emit('config.rejected', () => ({
      error: new GatehouseError('Invalid', 'InvalidConfig', message, { info: { filename } }),
    }))
  }
}

function attempt<T>(webhooks: WebhooksContext, read: () => T): T {
  try {
    return read()
  } catch (error) {
    refuse(webhooks, error)
    throw error
  }
}

function refuse(webhooks: WebhooksContext, error: unknown): void {
  const { logger } = webhooks
  for (const problem of problemsOf(error)) logger.error({ problem }, 'configuration refused')
  noteRefusal(webhooks, error)
}

function noteRefusal({ counters, events }: WebhooksContext, error: unknown): void {
  counters.configRefused()
  events.emit('config.rejected', () => ({ error }))
}

/** Every problem, one per line. */
function problemsOf(error: unknown): readonly string[] {
  if (!isGatehouseError(error) || error.reason !== 'InvalidConfig') return [String(error)]
  const { problems, filename } = error.info as {
    readonly problems: readonly WebhooksConfigProblem[]
    readonly filename?: string
  }
  return problems.map((problem) => formatWebhooksConfigProblem(problem, filename))
}
