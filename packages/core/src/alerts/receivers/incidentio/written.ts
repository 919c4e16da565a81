import type { AlertmanagerIntegration } from '../written-integration.ts'

/** Posts alert groups to incident.io. `send_resolved` is `true` by default. @see Alertmanager configuration, `<incidentio_config>` */
export interface AlertmanagerIncidentioConfig extends AlertmanagerIntegration {
  /** Either this or `url_file`. */
  readonly url?: string
  readonly url_file?: string
  /** A secret. Either this, `alert_source_token_file` or `http_config.authorization`. */
  readonly alert_source_token?: string
  readonly alert_source_token_file?: string
  /** The most alerts in a payload (default 0: all). */
  readonly max_alerts?: number | bigint
  /** The timeout of an attempt, such as `10s` (default: none). */
  readonly timeout?: string
}
