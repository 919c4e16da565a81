import type { AlertmanagerIntegration } from '../written-integration.ts'

/** Runs a webhook of the same server. `send_resolved` is `false` by default. Not in Alertmanager. */
export interface AlertmanagerWebhookRunConfig extends Omit<AlertmanagerIntegration, 'http_config'> {
  /** The id of the webhook, which must have `on_alert: true`. */
  readonly webhook: string
}
