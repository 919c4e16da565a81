import { goJson } from '@gatehouse/go-template/json'
import { detailsWithout, secretsOfUrl } from '../../../http-client/without-secrets.ts'
import type { Notification } from '../../notification/notification.ts'
import { renderedValue } from '../../notification/rendered-value.ts'
import { webhookPayload } from '../../notification/webhook-payload.ts'
import { attempt, jsonPost } from '../attempt/attempt.ts'
import { renderSecret } from '../attempt/render-secret.ts'
import { secretOf } from '../attempt/secret-of.ts'
import type { ReceiverKind } from '../kind.ts'
import type { NotifierPorts } from '../notifier.ts'
import { type WebhookIntegration, webhookConfig } from './config.ts'
import type { AlertmanagerWebhookConfig } from './written.ts'

/** Posts notifications to a URL. @see Alertmanager documentation, "Configuration", `<webhook_config>` */
export const webhook: ReceiverKind<WebhookIntegration, AlertmanagerWebhookConfig> = {
  ...webhookConfig,
  create: (integration, ports) => ({
    name: 'webhook',
    async notify(notification, signal) {
      const body = bodyOf(integration, notification)
      const url = await urlOf(integration, notification, ports)
      if (url === '') {
        const detail = 'webhook URL is empty after templating'
        return { outcome: 'failed', reason: 'other', detail }
      }
      return attempt(ports, jsonPost(url, body), {
        http: integration.http_config,
        signal,
        timeoutMs: integration.timeout,
        // Computed only for failures: most responses are a success.
        detailsOf: (answer) => detailsWithout(secretsOfUrl(url))(answer),
      })
    },
  }),
}

function bodyOf({ payload }: WebhookIntegration, notification: Notification): string {
  const { truncatedAlerts } = notification
  if (payload === undefined) return webhookPayload(notification, { version: '4', truncatedAlerts })
  return `${goJson(renderedValue(payload, (template) => notification.text(template)))}\n`
}

async function urlOf(
  { url, url_file }: WebhookIntegration,
  notification: Notification,
  ports: NotifierPorts,
): Promise<string> {
  const written = url === undefined ? await secretOf(ports, url, url_file) : url.reveal()
  return renderSecret(notification, 'url', written).trim()
}
