import type { AlertmanagerIntegration } from '../../receivers/written-integration.ts'

/** Posts to a Discord channel. `send_resolved` is `true` by default. @see Alertmanager configuration, `<discord_config>` */
export interface AlertmanagerDiscordConfig extends AlertmanagerIntegration {
  /** A secret. Either this or `webhook_url_file`. */
  readonly webhook_url?: string
  readonly webhook_url_file?: string
  /** The text beside the embed. A template. */
  readonly content?: string
  /** A template. */
  readonly title?: string
  /** A template. */
  readonly message?: string
  /** Who the message seems to come from. Not a template. */
  readonly username?: string
  /** Not a template. */
  readonly avatar_url?: string
}

/** Posts a card to Microsoft Teams by an old connector. `send_resolved` is `true` by default. @see Alertmanager configuration, `<msteams_config>` */
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

/** Posts a card to Microsoft Teams by a workflow. `send_resolved` is `true` by default. @see Alertmanager configuration, `<msteamsv2_config>` */
export interface AlertmanagerMsteamsV2Config extends AlertmanagerIntegration {
  /** A secret. Either this or `webhook_url_file`. */
  readonly webhook_url?: string
  readonly webhook_url_file?: string
  /** A template. */
  readonly title?: string
  /** A template. */
  readonly text?: string
}

/** Sends messages by a Telegram bot. `send_resolved` is `true` by default. @see Alertmanager configuration, `<telegram_config>` */
export interface AlertmanagerTelegramConfig extends AlertmanagerIntegration {
  /** Default: `global.telegram_api_url`. */
  readonly api_url?: string
  /** A secret (default: that of `global`). Either this or `bot_token_file`. */
  readonly bot_token?: string
  readonly bot_token_file?: string
  /** Whom to send to. Either this or `chat_id_file`. */
  readonly chat_id?: number
  readonly chat_id_file?: string
  /** The topic of a group (default 0: none). */
  readonly message_thread_id?: number
  /** A template. */
  readonly message?: string
  /** Whether messages arrive without a sound (default `false`). */
  readonly disable_notifications?: boolean
  /** How the message is marked up; empty for plain text (default `HTML`). */
  readonly parse_mode?: '' | 'Markdown' | 'MarkdownV2' | 'HTML'
}

/** Posts to a Webex room. `send_resolved` is `true` by default. @see Alertmanager configuration, `<webex_config>` */
export interface AlertmanagerWebexConfig extends AlertmanagerIntegration {
  /** Default: `global.webex_api_url`. */
  readonly api_url?: string
  /** A template. */
  readonly message?: string
  /** `http_config.authorization` holds the token. */
  readonly room_id: string
}

/** Sends messages by WeChat. `send_resolved` is `false` by default. @see Alertmanager configuration, `<wechat_config>` */
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
