/**
 * A node of the routing tree. What it does not say it inherits from its parent, but for matchers and `routes`.
 *
 * @see Alertmanager configuration, `<route>`
 */
export interface AlertmanagerRoute {
  /** The name of a receiver. The root needs one. */
  readonly receiver?: string
  /** Labels that alerts of a group have in common; `['...']` puts each alert in a group of its own (default none: one group). */
  readonly group_by?: readonly string[]
  /** Matchers such as `severity="page"` or `team=~"a|b"`; all must hold. */
  readonly matchers?: readonly string[]
  /** The older form of matchers with `=`. */
  readonly match?: Readonly<Record<string, string>>
  /** The older form of matchers with `=~`. */
  readonly match_re?: Readonly<Record<string, string>>
  /** How long to wait for more alerts before the first notification of a group (default `30s`). */
  readonly group_wait?: string
  /** How long to wait before a notification of new alerts of a group (default `5m`). */
  readonly group_interval?: string
  /** After how long a notification is repeated (default `4h`). */
  readonly repeat_interval?: string
  /** Names of time intervals in which nothing is sent (default none). */
  readonly mute_time_intervals?: readonly string[]
  /** Names of time intervals outside of which nothing is sent (default: always active). */
  readonly active_time_intervals?: readonly string[]
  /** Whether siblings after this route are tried as well once it matched (default `false`). */
  readonly continue?: boolean
  /** Labels of the route itself, for templates. */
  readonly labels?: Readonly<Record<string, string>>
  /** Children; the first that matches takes an alert. */
  readonly routes?: readonly AlertmanagerRoute[]
}

/** Mutes target alerts while a source alert fires. @see Alertmanager configuration, `<inhibit_rule>` */
export interface AlertmanagerInhibitRule {
  /** For logs and metrics. */
  readonly name?: string
  /** Which alerts mute, as matchers such as `severity="critical"`. */
  readonly source_matchers?: readonly string[]
  /** The older form of matchers with `=`. */
  readonly source_match?: Readonly<Record<string, string>>
  /** The older form of matchers with `=~`. */
  readonly source_match_re?: Readonly<Record<string, string>>
  /** Which alerts are muted. */
  readonly target_matchers?: readonly string[]
  /** The older form of matchers with `=`. */
  readonly target_match?: Readonly<Record<string, string>>
  /** The older form of matchers with `=~`. */
  readonly target_match_re?: Readonly<Record<string, string>>
  /** Labels whose values must be the same in source and target (default none). */
  readonly equal?: readonly string[]
}
