import { compareBytes } from '@gatehouse/go-template/text'
import { detailsWithout } from '../../../http-client/without-secrets.ts'
import type { Notification } from '../../notification/notification.ts'
import { apiUrl } from '../attempt/api-url.ts'
import { attempt, jsonPost } from '../attempt/attempt.ts'
import { jsonBody } from '../attempt/json-body.ts'
import { secretOf } from '../attempt/secret-of.ts'
import { truncate } from '../attempt/truncate.ts'
import type { ReceiverKind } from '../kind.ts'
import { type VictoropsIntegration, victoropsConfig } from './config.ts'
import type { AlertmanagerVictoropsConfig } from './written.ts'

/** The most characters of a state message. */
const maxStateMessage = 20_480

/** The message types of a firing group; any other is sent as the last one. */
const firingTypes: readonly string[] = ['INFO', 'WARNING', 'CRITICAL']

/** Opens and resolves incidents in VictorOps. @see VictorOps, "REST Endpoint Integration Guide" */
export const victorops: ReceiverKind<VictoropsIntegration, AlertmanagerVictoropsConfig> = {
  ...victoropsConfig,
  create: (integration, ports) => ({
    name: 'victorops',
    async notify(notification, signal) {
      const body = jsonBody(event(integration, notification))
      const routingKey = notification.text(integration.routing_key)
      const { api_key, api_key_file, api_url, http_config: http } = integration
      const key = await secretOf(ports, api_key, api_key_file)
      const url = apiUrl(api_url, { path: `${key}/${routingKey}` })
      return attempt(ports, jsonPost(url, body), { http, signal, detailsOf: detailsWithout([key]) })
    },
  }),
}

function event(integration: VictoropsIntegration, notification: Notification): object {
  const custom = Array.from(integration.custom_fields, ([name, template]) => [
    name,
    notification.text(template),
  ])
  const fields: Readonly<Record<string, string>> = {
    ...Object.fromEntries(custom),
    message_type: messageType(integration, notification),
    entity_id: notification.groupHash,
    entity_display_name: notification.text(integration.entity_display_name),
    state_message: truncate(notification.text(integration.state_message), maxStateMessage),
    monitoring_tool: notification.text(integration.monitoring_tool),
  }
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => compareBytes(a, b)))
}

function messageType(integration: VictoropsIntegration, notification: Notification): string {
  const type = notification.text(integration.message_type)
  if (notification.status === 'resolved') return 'RECOVERY'
  return firingTypes.includes(type) ? type : 'CRITICAL'
}
