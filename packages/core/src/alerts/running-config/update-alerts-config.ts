import { isGatehouseError, refusalFields } from '../../errors.ts'
import { decodeInput } from '../../input/decode.ts'
import { loadAlertsConfig } from '../config/config.ts'
import {
  type AlertsConfigInput,
  type AlertsConfigSource,
  configInput,
  wholeText,
} from '../config/config-input.ts'
import { alertsConfigWarnings } from '../config/config-warnings.ts'
import type { AlertsContext } from '../context.ts'

/**
 * Replaces the running configuration in one step, and routes stored alerts again.
 *
 * @throws {GatehouseError} `InvalidInput`, `InvalidConfig`, or `TemplateSyntax` for a template file; the running configuration
 * stays.
 * @see Alertmanager, `POST /-/reload`
 */
export function updateAlertsConfig(alerts: AlertsContext, given: AlertsConfigInput): void {
  try {
    const source = decodeInput('config', configInput, given)
    const { text, ...place } = source
    const { options, webhookProblem } = alerts
    const { matcherMode } = options
    const config = loadAlertsConfig(text, { webhookProblem, ...place, matcherMode })
    alerts.receiversOf(config)
    alerts.board.configure(config)
    alerts.config.current = config
    alerts.config.refusal = undefined
    alerts.dispatch.wake()
    alerts.counters.configLoaded(wholeText(source), alerts.clock.now())
    alerts.logger.info({ receivers: config.receivers.length }, 'configuration loaded')
    logConfigWarnings(alerts, source)
  } catch (error) {
    noteRefusal(alerts, error)
    alerts.logger.error(refusalFields(error), 'configuration refused')
    throw error
  }
}

/** Logs probable mistakes in a configuration that is valid. */
export function logConfigWarnings(
  { logger, options }: Pick<AlertsContext, 'logger' | 'options'>,
  source: AlertsConfigSource,
): void {
  for (const warning of alertsConfigWarnings(source, options.matcherMode)) {
    logger.warn({}, warning)
  }
}

/** Other errors than our own may quote a URL with a password, so their messages are only logged. */
function noteRefusal({ config, counters }: AlertsContext, error: unknown): void {
  counters.configRefused()
  config.refusal = isGatehouseError(error) ? error.message : 'see the log'
}

/**
 * Loads the configuration again with the option `reload`; without that option the running one stays.
 *
 * @throws {GatehouseError} `InvalidConfig`; the running configuration stays.
 * @see Alertmanager, `POST /-/reload`
 */
export async function reloadAlertsConfig(alerts: AlertsContext): Promise<void> {
  const { reload } = alerts.options
  if (reload === undefined) return
  let source: AlertsConfigInput
  try {
    source = await reload()
  } catch (error) {
    noteRefusal(alerts, error)
    throw error
  }
  updateAlertsConfig(alerts, source)
}
