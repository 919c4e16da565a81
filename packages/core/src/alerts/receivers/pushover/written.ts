import type { AlertmanagerIntegration } from '../written-integration.ts'

/**
 * Sends push messages with Pushover. Texts are templates. `send_resolved` is `true` by default. @see Alertmanager configuration,
 * `<pushover_config>`
 */
export interface AlertmanagerPushoverConfig extends AlertmanagerIntegration {
  /** A secret. Either this or `user_key_file`. */
  readonly user_key?: string
  readonly user_key_file?: string
  /** A secret. Either this or `token_file`. */
  readonly token?: string
  readonly token_file?: string
  readonly title?: string
  readonly message?: string
  readonly url?: string
  readonly url_title?: string
  readonly device?: string
  readonly sound?: string
  /** Default: 2 while alerts fire, else 0. */
  readonly priority?: string
  /** How often an emergency is repeated (default `1m`). */
  readonly retry?: string
  /** How long an emergency is repeated (default `1h`). */
  readonly expire?: string
  /** The time until a message disappears (default: never). */
  readonly ttl?: string
  /** Whether the message is HTML (default `false`). Not together with `monospace`. */
  readonly html?: boolean
  /** Default `false`. */
  readonly monospace?: boolean
}
