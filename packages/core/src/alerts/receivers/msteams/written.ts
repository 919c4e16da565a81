import type { AlertmanagerIntegration } from '../written-integration.ts'

/**
 * Posts a card to Microsoft Teams with a legacy connector. `send_resolved` is `true` by default. @see Alertmanager configuration,
 * `<msteams_config>`
 */
export interface AlertmanagerMsteamsConfig extends AlertmanagerIntegration {
  /** A secret. Either this or `webhook_url_file`. */
  readonly webhook_url?: string
  readonly webhook_url_file?: string
  /** A template. */
  readonly title?: string
  /** A template. */
  readonly summary?: string
  /** A template. */
  readonly text?: string
}
