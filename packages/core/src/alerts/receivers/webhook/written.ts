import type { AlertmanagerIntegration, AlertmanagerTemplates } from '../written-integration.ts'

/** Posts alert groups to a URL. `send_resolved` is `true` by default. @see Alertmanager configuration, `<webhook_config>` */
export interface AlertmanagerWebhookConfig extends AlertmanagerIntegration {
  /** A secret, and may be a template. Either this or `url_file`. */
  readonly url?: string
  readonly url_file?: string
  /** The most alerts in a payload (default 0: all). */
  readonly max_alerts?: number | bigint
  /** The timeout of an attempt, such as `10s` (default: none). */
  readonly timeout?: string
  /** Replaces the body. */
  readonly payload?: AlertmanagerTemplates
}
