import type { AlertmanagerIntegration } from '../written-integration.ts'

/** Sends messages with WeChat. `send_resolved` is `false` by default. @see Alertmanager configuration, `<wechat_config>` */
export interface AlertmanagerWechatConfig extends AlertmanagerIntegration {
  /** Default: that of `global`. Either this or `api_secret_file`. */
  readonly api_secret?: string
  readonly api_secret_file?: string
  /** Default: `global.wechat_api_corp_id`. */
  readonly corp_id?: string
  /** A template. */
  readonly message?: string
  /** Default: `global.wechat_api_url`. */
  readonly api_url?: string
  /** A template. */
  readonly to_user?: string
  /** A template. */
  readonly to_party?: string
  /** A template. */
  readonly to_tag?: string
  /** A template. */
  readonly agent_id?: string
  /** Default `text`. */
  readonly message_type?: 'text' | 'markdown'
}
