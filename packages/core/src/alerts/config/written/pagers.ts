import type {
  AlertmanagerIntegration,
  AlertmanagerTemplates,
} from '../../receivers/written-integration.ts'

/** Posts alert groups to incident.io. `send_resolved` is `true` by default. @see Alertmanager configuration, `<incidentio_config>` */
export interface AlertmanagerIncidentioConfig extends AlertmanagerIntegration {
  /** Either this or `url_file`. */
  readonly url?: string
  readonly url_file?: string
  /** A secret. Either this, `alert_source_token_file` or `http_config.authorization`. */
  readonly alert_source_token?: string
  readonly alert_source_token_file?: string
  /** How many alerts a payload holds at most (default 0: all). */
  readonly max_alerts?: number
  /** For one attempt, as `10s` (default: none). */
  readonly timeout?: string
}

/** Who is to answer an alert, by one of `id`, `name` and `username`. Templates. */
interface OpsgenieResponder {
  readonly id?: string
  readonly name?: string
  readonly username?: string
  /** `team`, `teams`, `user`, `escalation` or `schedule`. */
  readonly type: string
}

/** Creates and closes alerts in Opsgenie. Texts are templates. `send_resolved` is `true` by default. @see Alertmanager configuration, `<opsgenie_config>` */
export interface AlertmanagerOpsgenieConfig extends AlertmanagerIntegration {
  /** A secret (default: that of `global`). Either this or `api_key_file`. */
  readonly api_key?: string
  readonly api_key_file?: string
  /** Default: `global.opsgenie_api_url`. */
  readonly api_url?: string
  readonly message?: string
  readonly description?: string
  readonly source?: string
  /** Further details by name. */
  readonly details?: Readonly<Record<string, string>>
  readonly entity?: string
  readonly responders?: readonly OpsgenieResponder[]
  /** Separated by commas. */
  readonly actions?: string
  /** Separated by commas. */
  readonly tags?: string
  readonly note?: string
  /** From `P1` to `P5`. */
  readonly priority?: string
  /** Whether message and description of an open alert are kept current (default `false`). */
  readonly update_alerts?: boolean
}

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
  /** Further details by name, beside the numbers and the alerts that are always there. */
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
  /** For one attempt, as `10s` (default: none). */
  readonly timeout?: string
}

/** Pushes messages by Pushover. Texts are templates. `send_resolved` is `true` by default. @see Alertmanager configuration, `<pushover_config>` */
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
  /** After how long a message goes away (default: never). */
  readonly ttl?: string
  /** Whether the message is HTML (default `false`). Not together with `monospace`. */
  readonly html?: boolean
  /** Default `false`. */
  readonly monospace?: boolean
}

/** Sends alerts to VictorOps. Texts are templates. `send_resolved` is `true` by default. @see Alertmanager configuration, `<victorops_config>` */
export interface AlertmanagerVictoropsConfig extends AlertmanagerIntegration {
  /** A secret (default: that of `global`). Either this or `api_key_file`. */
  readonly api_key?: string
  readonly api_key_file?: string
  /** Default: `global.victorops_api_url`. */
  readonly api_url?: string
  readonly routing_key: string
  /** Default `CRITICAL`. */
  readonly message_type?: string
  readonly state_message?: string
  readonly entity_display_name?: string
  readonly monitoring_tool?: string
  /** Further fields by name. */
  readonly custom_fields?: Readonly<Record<string, string>>
}
