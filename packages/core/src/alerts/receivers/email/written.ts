import type { AlertmanagerTlsConfig } from '../../fields/written/http-config.ts'

/** Whether the emails of an alert group form a thread. */
interface EmailThreading {
  /** Default `false`. */
  readonly enabled?: boolean
  /** Whether a new thread starts every day. Required if `enabled`. */
  readonly thread_by_date?: 'none' | 'daily'
}

/** Sends emails. Settings that are missing here come from `global`. @see Alertmanager configuration, `<email_config>` */
export interface AlertmanagerEmailConfig {
  /** Whether to notify when alerts are resolved as well (default `false`). */
  readonly send_resolved?: boolean
  /** The most alerts in a notification (default 0: all). Not in Alertmanager. */
  readonly max_alerts?: number | bigint
  /** One or more addresses, separated by commas. A template. */
  readonly to: string
  readonly from?: string
  readonly hello?: string
  /** The mail server as `host:port`. */
  readonly smarthost?: string
  readonly auth_username?: string
  /** A secret. */
  readonly auth_password?: string
  /** Wins over `auth_password`. */
  readonly auth_password_file?: string
  /** A secret. */
  readonly auth_secret?: string
  /** Wins over `auth_secret`. */
  readonly auth_secret_file?: string
  readonly auth_identity?: string
  /** Headers by name, except those for the format of the email. Their values are templates. */
  readonly headers?: Readonly<Record<string, string>>
  /** The body as HTML; empty for none. A template. */
  readonly html?: string
  /** The body as plain text; empty for none. A template. */
  readonly text?: string
  readonly require_tls?: boolean
  readonly tls_config?: AlertmanagerTlsConfig
  /** Whether to start with TLS instead of STARTTLS (default: only for port 465). */
  readonly force_implicit_tls?: boolean
  readonly threading?: EmailThreading
}
