import type { AlertmanagerIntegration } from '../written-integration.ts'

/** Posts to a Discord channel. `send_resolved` is `true` by default. @see Alertmanager configuration, `<discord_config>` */
export interface AlertmanagerDiscordConfig extends AlertmanagerIntegration {
  /** A secret. Either this or `webhook_url_file`. */
  readonly webhook_url?: string
  readonly webhook_url_file?: string
  /** The text before the embed. A template. */
  readonly content?: string
  /** A template. */
  readonly title?: string
  /** A template. */
  readonly message?: string
  /** The displayed sender. Not a template. */
  readonly username?: string
  /** Not a template. */
  readonly avatar_url?: string
}
