import type { AlertmanagerIntegration } from '../written-integration.ts'

/**
 * Sends messages with a Telegram bot. `send_resolved` is `true` by default. @see Alertmanager configuration, `<telegram_config>`
 */
export interface AlertmanagerTelegramConfig extends AlertmanagerIntegration {
  /** Default: `global.telegram_api_url`. */
  readonly api_url?: string
  /** A secret (default: that of `global`). Either this or `bot_token_file`. */
  readonly bot_token?: string
  readonly bot_token_file?: string
  /** The chat to send to. Either this or `chat_id_file`. */
  readonly chat_id?: number | bigint
  readonly chat_id_file?: string
  /** The topic of a group (default 0: none). */
  readonly message_thread_id?: number | bigint
  /** A template. */
  readonly message?: string
  /** Whether messages arrive silently (default `false`). */
  readonly disable_notifications?: boolean
  /** The markup of the message; empty for plain text (default `HTML`). */
  readonly parse_mode?: '' | 'Markdown' | 'MarkdownV2' | 'HTML'
}
