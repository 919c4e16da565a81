import { text } from '@gatehouse/go-template/yaml'
import {
  type Configured,
  commonFields,
  defineIntegration,
  type IntegrationDefinition,
} from '../define-integration.ts'
import type { AlertmanagerWebhookRunConfig } from './written.ts'

/** Runs a configured webhook with an alert group as its data. Not in Alertmanager. */
export type WebhookRunIntegration = Configured<
  'webhook_run',
  AlertmanagerWebhookRunConfig,
  {
    /** The id of the webhook. */
    readonly webhook: string
  }
>

/** `webhook_run_configs` */
export const webhookRunConfig: IntegrationDefinition<WebhookRunIntegration> = defineIntegration<
  WebhookRunIntegration,
  Pick<WebhookRunIntegration, 'send_resolved' | 'webhook'>
>({
  type: 'webhook_run',
  typeName: 'config.plain',
  listTypeName: '[]*config.WebhookRunConfig',
  fields: {
    // No request is sent.
    send_resolved: commonFields(false).send_resolved,
    webhook: { kind: text },
  },
  check({ webhook }, report) {
    if (webhook === '') report('missing webhook in webhook_run config', 'webhook')
  },
  inherit: (written) => written,
})
