import type { AlertmanagerIntegration, AlertmanagerTemplates } from '../written-integration.ts'

interface PagerdutyImage {
  readonly src?: string
  readonly alt?: string
  readonly href?: string
}

interface PagerdutyLink {
  readonly href?: string
  readonly text?: string
}

/**
 * Opens incidents in PagerDuty: with a `routing_key` by API v2, with a `service_key` by API v1. Texts are templates. `send_resolved` is
 * `true` by default.
 *
 * @see Alertmanager configuration, `<pagerduty_config>`
 */
export interface AlertmanagerPagerdutyConfig extends AlertmanagerIntegration {
  /** A secret. Either this or `routing_key_file`. */
  readonly routing_key?: string
  readonly routing_key_file?: string
  /** A secret. Either this or `service_key_file`. */
  readonly service_key?: string
  readonly service_key_file?: string
  /** Default: `global.pagerduty_url`. */
  readonly url?: string
  readonly client?: string
  readonly client_url?: string
  readonly description?: string
  /** Additional details by name, besides the counts and alerts that are always included. */
  readonly details?: Readonly<Record<string, AlertmanagerTemplates>>
  readonly images?: readonly PagerdutyImage[]
  readonly links?: readonly PagerdutyLink[]
  /** Default: `client`. */
  readonly source?: string
  /** Default `error`. */
  readonly severity?: string
  readonly class?: string
  readonly component?: string
  readonly group?: string
  /** The timeout of an attempt, such as `10s` (default: none). */
  readonly timeout?: string
}
