import type { AlertmanagerIntegration } from '../written-integration.ts'

/** Sends alerts to VictorOps. Texts are templates. `send_resolved` is `true` by default. @see Alertmanager configuration, `<victorops_config>` */
export interface AlertmanagerVictoropsConfig extends AlertmanagerIntegration {
  /** A secret (default: that of `global`). Either this or `api_key_file`. */
  readonly api_key?: string
  readonly api_key_file?: string
  /** Default: `global.victorops_api_url`. */
  readonly api_url?: string
  readonly routing_key: string
  /** Default `CRITICAL`. */
  readonly message_type?: string
  readonly state_message?: string
  readonly entity_display_name?: string
  readonly monitoring_tool?: string
  /** Additional fields by name. */
  readonly custom_fields?: Readonly<Record<string, string>>
}
