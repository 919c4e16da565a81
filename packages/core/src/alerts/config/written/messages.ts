import type { AlertmanagerTlsConfig } from '../../fields/written/http-config.ts'
import type {
  AlertmanagerIntegration,
  AlertmanagerTemplates,
} from '../../receivers/written-integration.ts'

/** Posts alert groups to a URL. `send_resolved` is `true` by default. @see Alertmanager configuration, `<webhook_config>` */
export interface AlertmanagerWebhookConfig extends AlertmanagerIntegration {
  /** A secret, and may be a template. Either this or `url_file`. */
  readonly url?: string
  readonly url_file?: string
  /** How many alerts a payload holds at most (default 0: all). */
  readonly max_alerts?: number
  /** For one attempt, as `10s` (default: none). */
  readonly timeout?: string
  /** Replaces the body. */
  readonly payload?: AlertmanagerTemplates
}

/** Whether the mails of an alert group form a thread. */
interface EmailThreading {
  /** Default `false`. */
  readonly enabled?: boolean
  /** Whether a new thread begins every day (default `none`). */
  readonly thread_by_date?: 'none' | 'daily'
}

/** Sends mails. What is not said here is taken from `global`. @see Alertmanager configuration, `<email_config>` */
export interface AlertmanagerEmailConfig {
  /** Whether to notify when alerts are resolved as well (default `false`). */
  readonly send_resolved?: boolean
  /** One or more addresses, separated by commas. A template. */
  readonly to: string
  readonly from?: string
  readonly hello?: string
  /** The mail server as `host:port`. */
  readonly smarthost?: string
  readonly auth_username?: string
  /** A secret. Either this or `auth_password_file`. */
  readonly auth_password?: string
  readonly auth_password_file?: string
  /** A secret. Either this or `auth_secret_file`. */
  readonly auth_secret?: string
  readonly auth_secret_file?: string
  readonly auth_identity?: string
  /** Headers by name. Their values are templates. */
  readonly headers?: Readonly<Record<string, string>>
  /** The body as HTML; empty for none. A template. */
  readonly html?: string
  /** The body as plain text; empty for none. A template. */
  readonly text?: string
  readonly require_tls?: boolean
  readonly tls_config?: AlertmanagerTlsConfig
  /** Whether TLS begins with the connection (default: only for port 465). */
  readonly force_implicit_tls?: boolean
  readonly threading?: EmailThreading
}

/** How requests to AWS are signed (default: with the credentials of the machine). */
interface Sigv4 {
  readonly region?: string
  /** Together with `secret_key`. */
  readonly access_key?: string
  /** A secret. */
  readonly secret_key?: string
  readonly profile?: string
  readonly role_arn?: string
  readonly external_id?: string
}

/**
 * Publishes to Amazon SNS: to exactly one of a topic, a target and a phone number. `send_resolved` is `true` by default.
 *
 * @see Alertmanager configuration, `<sns_config>`
 */
export interface AlertmanagerSnsConfig extends AlertmanagerIntegration {
  /** Default: that of the region. */
  readonly api_url?: string
  readonly sigv4?: Sigv4
  /** A template. */
  readonly topic_arn?: string
  /** A template. */
  readonly phone_number?: string
  /** A template. */
  readonly target_arn?: string
  /** A template. */
  readonly subject?: string
  /** A template. */
  readonly message?: string
  /** Attributes of the message. Their values are templates. */
  readonly attributes?: Readonly<Record<string, string>>
  /** Whether requests are sent as the AWS SDK does, without `http_config` (default `false`). */
  readonly use_aws_http_client?: boolean
}

/** A template, alone or with options. */
interface JiraField {
  readonly template?: string
  /** Whether later notifications change it (default `true`). */
  readonly enable_update?: boolean
}

/** Keeps an issue in Jira for each alert group. `send_resolved` is `true` by default. @see Alertmanager configuration, `<jira_config>` */
export interface AlertmanagerJiraConfig extends AlertmanagerIntegration {
  /** Default: `global.jira_api_url`. */
  readonly api_url?: string
  /** Default `auto`. */
  readonly api_type?: 'auto' | 'cloud' | 'datacenter'
  /** The key of the project. A template. */
  readonly project: string
  /** A template. */
  readonly summary?: string | JiraField
  /** A template. */
  readonly description?: string | JiraField
  /** Templates. */
  readonly labels?: readonly string[]
  /** A template. */
  readonly priority?: string
  /** As `Bug`. A template. */
  readonly issue_type: string
  /** The transition that opens an issue again. */
  readonly reopen_transition?: string
  /** The transition that closes an issue. */
  readonly resolve_transition?: string
  /** Issues of this resolution stay closed. */
  readonly wont_fix_resolution?: string
  /** How long after its end an issue is opened again, as `30d` (default: always). */
  readonly reopen_duration?: string
  /** Further fields by id. */
  readonly fields?: Readonly<Record<string, AlertmanagerTemplates>>
}
