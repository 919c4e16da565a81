import type { AlertmanagerPlainIntegration } from '../written-integration.ts'

/** Runs a webhook of the same server. `send_resolved` is `false` by default. Not in Alertmanager. */
export interface AlertmanagerWebhookRunConfig extends AlertmanagerPlainIntegration {
  /** The id of the webhook, which must have `on_alert: true`. */
  readonly webhook: string
}
