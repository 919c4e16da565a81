import { block, type ConfigKind, flag, optional, text } from '@gatehouse/go-template/yaml'
import { Secret } from '../../crypto/secret.ts'
import type { HttpConfig, TlsConfig } from '../../http-client/http-config.ts'
import { duration } from './durations.ts'
import { type HostPort, hostPort } from './host-port.ts'
import { defaultHttpConfig, httpConfig } from './http-config.ts'
import { secret } from './secrets.ts'
import { tlsConfig } from './tls-config.ts'
import { folderUrl, secretUrl, url } from './urls.ts'

/**
 * Defaults for receivers. Texts are empty if not configured; a missing URL was set to null.
 *
 * @see Alertmanager configuration, `global`
 */
export interface GlobalConfig {
  /** How long until an alert without an end counts as resolved, in ms. */
  readonly resolve_timeout: number
  readonly http_config?: HttpConfig
  readonly smtp_from: string
  readonly smtp_hello: string
  readonly smtp_smarthost?: HostPort
  readonly smtp_auth_username: string
  readonly smtp_auth_password?: Secret
  readonly smtp_auth_password_file: string
  readonly smtp_auth_secret?: Secret
  readonly smtp_auth_secret_file: string
  readonly smtp_auth_identity: string
  readonly smtp_require_tls: boolean
  readonly smtp_tls_config?: TlsConfig
  /** Absent: only for port 465. */
  readonly smtp_force_implicit_tls?: boolean
  readonly slack_api_url?: Secret
  readonly slack_api_url_file: string
  readonly slack_app_token?: Secret
  readonly slack_app_token_file: string
  readonly slack_app_url?: Secret
  readonly pagerduty_url?: Secret
  readonly opsgenie_api_url?: Secret
  readonly opsgenie_api_key?: Secret
  readonly opsgenie_api_key_file: string
  readonly wechat_api_url?: Secret
  readonly wechat_api_secret?: Secret
  readonly wechat_api_secret_file: string
  readonly wechat_api_corp_id: string
  readonly victorops_api_url?: Secret
  readonly victorops_api_key?: Secret
  readonly victorops_api_key_file: string
  readonly telegram_api_url?: Secret
  readonly telegram_bot_token?: Secret
  readonly telegram_bot_token_file: string
  readonly webex_api_url?: Secret
  readonly jira_api_url?: Secret
  readonly rocketchat_api_url?: Secret
  readonly rocketchat_token?: Secret
  readonly rocketchat_token_file: string
  readonly rocketchat_token_id?: Secret
  readonly rocketchat_token_id_file: string
  readonly mattermost_webhook_url?: Secret
  readonly mattermost_webhook_url_file: string
}

const plainUrl = (address: string): Secret => new Secret(address, address)

/** `global` */
export const globalConfig: ConfigKind<GlobalConfig> = block<GlobalConfig>({
  typeName: 'config.plain',
  fields: {
    resolve_timeout: { kind: duration, default: 300_000, print: 'always' },
    http_config: { kind: optional(httpConfig), default: defaultHttpConfig },
    smtp_from: { kind: text },
    smtp_hello: { kind: text, default: 'localhost' },
    smtp_smarthost: { kind: hostPort },
    smtp_auth_username: { kind: text },
    smtp_auth_password: { kind: secret },
    smtp_auth_password_file: { kind: text },
    smtp_auth_secret: { kind: secret },
    smtp_auth_secret_file: { kind: text },
    smtp_auth_identity: { kind: text },
    smtp_require_tls: { kind: flag, default: true, print: 'always' },
    smtp_tls_config: { kind: tlsConfig },
    smtp_force_implicit_tls: { kind: optional(flag) },
    slack_api_url: { kind: secretUrl },
    slack_api_url_file: { kind: text },
    slack_app_token: { kind: secret },
    slack_app_token_file: { kind: text },
    slack_app_url: {
      kind: url,
      default: plainUrl('https://slack.com/api/chat.postMessage'),
      print: 'changed',
    },
    pagerduty_url: { kind: url, default: plainUrl('https://events.pagerduty.com/v2/enqueue') },
    opsgenie_api_url: { kind: folderUrl, default: plainUrl('https://api.opsgenie.com/') },
    opsgenie_api_key: { kind: secret },
    opsgenie_api_key_file: { kind: text },
    wechat_api_url: { kind: folderUrl, default: plainUrl('https://qyapi.weixin.qq.com/cgi-bin/') },
    wechat_api_secret: { kind: secret },
    wechat_api_secret_file: { kind: text },
    wechat_api_corp_id: { kind: text },
    victorops_api_url: {
      kind: folderUrl,
      default: plainUrl('https://alert.victorops.com/integrations/generic/20131114/alert/'),
    },
    victorops_api_key: { kind: secret },
    victorops_api_key_file: { kind: text },
    telegram_api_url: { kind: url, default: plainUrl('https://api.telegram.org') },
    telegram_bot_token: { kind: secret },
    telegram_bot_token_file: { kind: text },
    webex_api_url: { kind: url, default: plainUrl('https://webexapis.com/v1/messages') },
    jira_api_url: { kind: url },
    rocketchat_api_url: {
      kind: url,
      default: plainUrl('https://open.rocket.chat/'),
      print: 'changed',
    },
    rocketchat_token: { kind: secret },
    rocketchat_token_file: { kind: text },
    rocketchat_token_id: { kind: secret },
    rocketchat_token_id_file: { kind: text },
    mattermost_webhook_url: { kind: secretUrl },
    mattermost_webhook_url_file: { kind: text },
  },
})
