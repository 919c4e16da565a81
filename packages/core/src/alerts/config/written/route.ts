import type { AlertmanagerRateLimit } from '../../fields/written/rate-limit.ts'

/**
 * A route. Missing keys are inherited from its parent, except matchers and `routes`.
 *
 * @see Alertmanager configuration, `<route>`
 */
export interface AlertmanagerRoute {
  /** The name of a receiver. The root needs one. */
  readonly receiver?: string
  /** Labels whose values form a group; `['...']` groups by all labels (default none: one group). */
  readonly group_by?: readonly string[]
  /** Matchers such as `severity="page"` or `team=~"a|b"`; all must match. */
  readonly matchers?: readonly string[]
  /** The old form of matchers with `=`. */
  readonly match?: Readonly<Record<string, string>>
  /** The old form of matchers with `=~`. */
  readonly match_re?: Readonly<Record<string, string>>
  /** How long to wait for more alerts before the first notification of a group (default `30s`). */
  readonly group_wait?: string
  /** How long to wait before a notification of new alerts of a group (default `5m`). */
  readonly group_interval?: string
  /** How long until a notification is repeated (default `4h`). */
  readonly repeat_interval?: string
  /** Names of time intervals in which nothing is sent (default none). */
  readonly mute_time_intervals?: readonly string[]
  /** Names of time intervals outside of which nothing is sent (default: always active). */
  readonly active_time_intervals?: readonly string[]
  /** Whether later siblings are tried as well if this route matches (default `false`). */
  readonly continue?: boolean
  /** Labels of the route itself, for templates. */
  readonly labels?: Readonly<Record<string, string>>
  /**
   * Whether receivers that were notified of an alert are also notified of its end if it was silenced, inhibited or muted then, once
   * the suppression is over (default `false`). Not in Alertmanager.
   */
  readonly resolved_after_suppression?: boolean
  /**
   * A limit for the notifications of this route and of the child routes that inherit it together, for each integration (default
   * none). Not in Alertmanager.
   */
  readonly rate_limit?: AlertmanagerRateLimit
  /** Child routes; the first matching one takes an alert. */
  readonly routes?: readonly AlertmanagerRoute[]
}

/** Mutes target alerts while a source alert fires. @see Alertmanager configuration, `<inhibit_rule>` */
export interface AlertmanagerInhibitRule {
  /** For logs and metrics. */
  readonly name?: string
  /** The alerts that mute, as matchers such as `severity="critical"`. */
  readonly source_matchers?: readonly string[]
  /** The old form of matchers with `=`. */
  readonly source_match?: Readonly<Record<string, string>>
  /** The old form of matchers with `=~`. */
  readonly source_match_re?: Readonly<Record<string, string>>
  /** The alerts that are muted. */
  readonly target_matchers?: readonly string[]
  /** The old form of matchers with `=`. */
  readonly target_match?: Readonly<Record<string, string>>
  /** The old form of matchers with `=~`. */
  readonly target_match_re?: Readonly<Record<string, string>>
  /** Labels whose values must be the same in source and target (default none). */
  readonly equal?: readonly string[]
}
