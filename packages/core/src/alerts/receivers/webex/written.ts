import type { AlertmanagerIntegration } from '../written-integration.ts'

/** Posts to a Webex room. `send_resolved` is `true` by default. @see Alertmanager configuration, `<webex_config>` */
export interface AlertmanagerWebexConfig extends AlertmanagerIntegration {
  /** Default: `global.webex_api_url`. */
  readonly api_url?: string
  /** A template. */
  readonly message?: string
  /** The id of the room. `http_config.authorization` must have the token. */
  readonly room_id: string
}
