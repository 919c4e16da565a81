import type { AlertmanagerHttpConfig, AlertmanagerTlsConfig } from './http-config.ts'

/** Defaults for receivers. @see Alertmanager configuration, `global` */
export interface AlertmanagerGlobal {
  /** How long until an alert without an end counts as resolved (default `5m`). */
  readonly resolve_timeout?: string
  /** How to send notifications over HTTP. */
  readonly http_config?: AlertmanagerHttpConfig
  /** The sender of emails. */
  readonly smtp_from?: string
  /** The host name in the greeting to the mail server (default `localhost`). */
  readonly smtp_hello?: string
  /** The mail server as `host:port`. */
  readonly smtp_smarthost?: string
  /** The username for SMTP authentication (default: none, so no authentication). */
  readonly smtp_auth_username?: string
  /** The password for LOGIN and PLAIN. */
  readonly smtp_auth_password?: string
  /** The file with `smtp_auth_password`. */
  readonly smtp_auth_password_file?: string
  /** The secret for CRAM-MD5. */
  readonly smtp_auth_secret?: string
  /** The file with `smtp_auth_secret`. */
  readonly smtp_auth_secret_file?: string
  /** The identity for PLAIN. */
  readonly smtp_auth_identity?: string
  /** Whether emails are sent only over TLS (default `true`). */
  readonly smtp_require_tls?: boolean
  /** How to connect to the mail server with TLS. */
  readonly smtp_tls_config?: AlertmanagerTlsConfig
  /** Whether to start with TLS instead of STARTTLS (default: only for port 465). */
  readonly smtp_force_implicit_tls?: boolean
  /** The incoming webhook of Slack. A secret. */
  readonly slack_api_url?: string
  /** The file with `slack_api_url`. */
  readonly slack_api_url_file?: string
  /** The token of a Slack app, instead of a webhook. A secret. */
  readonly slack_app_token?: string
  /** The file with `slack_app_token`. */
  readonly slack_app_token_file?: string
  /** The URL that a Slack app posts to (default `https://slack.com/api/chat.postMessage`). */
  readonly slack_app_url?: string
  /** Default `https://events.pagerduty.com/v2/enqueue`. */
  readonly pagerduty_url?: string
  /** Default `https://api.opsgenie.com/`. */
  readonly opsgenie_api_url?: string
  /** The key of the Opsgenie API. A secret. */
  readonly opsgenie_api_key?: string
  /** The file with `opsgenie_api_key`. */
  readonly opsgenie_api_key_file?: string
  /** Default `https://qyapi.weixin.qq.com/cgi-bin/`. */
  readonly wechat_api_url?: string
  /** The secret of the WeChat application. */
  readonly wechat_api_secret?: string
  /** The file with `wechat_api_secret`. */
  readonly wechat_api_secret_file?: string
  /** The id of the WeChat corporation. */
  readonly wechat_api_corp_id?: string
  /** Default `https://alert.victorops.com/integrations/generic/20131114/alert/`. */
  readonly victorops_api_url?: string
  /** The key of the VictorOps API. A secret. */
  readonly victorops_api_key?: string
  /** The file with `victorops_api_key`. */
  readonly victorops_api_key_file?: string
  /** Default `https://api.telegram.org`. */
  readonly telegram_api_url?: string
  /** The token of the Telegram bot. A secret. */
  readonly telegram_bot_token?: string
  /** The file with `telegram_bot_token`. */
  readonly telegram_bot_token_file?: string
  /** Default `https://webexapis.com/v1/messages`. */
  readonly webex_api_url?: string
  /** The address of the Jira API. */
  readonly jira_api_url?: string
  /** Default `https://open.rocket.chat/`. */
  readonly rocketchat_api_url?: string
  /** The token of the Rocket.Chat user. A secret. */
  readonly rocketchat_token?: string
  /** The file with `rocketchat_token`. */
  readonly rocketchat_token_file?: string
  /** The id that belongs to `rocketchat_token`. A secret. */
  readonly rocketchat_token_id?: string
  /** The file with `rocketchat_token_id`. */
  readonly rocketchat_token_id_file?: string
  /** The incoming webhook of Mattermost. A secret. */
  readonly mattermost_webhook_url?: string
  /** The file with `mattermost_webhook_url`. */
  readonly mattermost_webhook_url_file?: string
}
