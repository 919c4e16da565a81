import type { AlertmanagerIntegration } from '../written-integration.ts'

/** How to sign requests to AWS (default: with the credentials of the machine). */
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
  /** Whether to send requests like the AWS SDK, without `http_config` (default `false`). */
  readonly use_aws_http_client?: boolean
}
