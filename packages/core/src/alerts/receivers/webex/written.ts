import type { AlertmanagerIntegration } from '../written-integration.ts'

/** Posts to a Webex room. `send_resolved` is `true` by default. @see Alertmanager configuration, `<webex_config>` */
export interface AlertmanagerWebexConfig extends AlertmanagerIntegration {
  /** Default: `global.webex_api_url`. */
  readonly api_url?: string
  /** A template. */
  readonly message?: string
  /** `http_config.authorization` holds the token. */
  readonly room_id: string
}
