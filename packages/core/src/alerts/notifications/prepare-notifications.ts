import { loadAgents } from '../../http-client/undici.ts'
import { silentLogger } from '../../logger.ts'
import type { AlertsContext } from '../context.ts'
import { renderNotification } from './render-notification.ts'

/**
 * Loads and compiles what notifications need, so that the first one of a process is not late: templates, notifiers and the HTTP
 * client. Sends nothing. Takes up to 100 ms of the processor, so call it when the server listens.
 */
export async function prepareNotifications(alerts: AlertsContext): Promise<void> {
  const prepared = new Set<string>()
  // A notification that cannot be rendered is reported when it is sent.
  const silent = { ...alerts, logger: silentLogger }
  for (const { name, integrations } of alerts.config.current.receivers) {
    if (integrations.every(({ type }) => prepared.has(type))) continue
    await renderNotification(silent, name)
    for (const { type } of integrations) prepared.add(type)
  }
  // Without the package, the client works as far as it can.
  if (prepared.size > 0) await loadAgents().catch(() => undefined)
}
