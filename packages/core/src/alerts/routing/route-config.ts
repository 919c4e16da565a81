import type { Matcher } from '../matcher/matcher.ts'

/**
 * A route as configured. Missing members are inherited from the parent.
 *
 * @see Alertmanager configuration, `<route>`
 */
export interface RouteConfig {
  /** The name of a receiver. */
  readonly receiver?: string
  /** Label names; `['...']` groups by every label. */
  readonly group_by?: readonly string[]
  /** `match`, `match_re` and `matchers` together, sorted; an alert must match all of them. */
  readonly matchers: readonly Matcher[]
  /** Whether the siblings after this route are tried as well. */
  readonly continue: boolean
  /** In ms. */
  readonly group_wait?: number
  /** In ms. */
  readonly group_interval?: number
  /** In ms. */
  readonly repeat_interval?: number
  /** Names of time intervals in which nothing is sent. */
  readonly mute_time_intervals: readonly string[]
  /** Names of time intervals outside of which nothing is sent; empty means always active. */
  readonly active_time_intervals: readonly string[]
  /** Labels added to the notifications of this route. */
  readonly labels?: ReadonlyMap<string, string>
  /** Whether the end of a suppressed alert is sent after the suppression. */
  readonly resolved_after_suppression?: boolean
  /** The limit for notifications of this route; `per` in ms. */
  readonly rate_limit?: { readonly notifications: number; readonly per: number }
  readonly routes: readonly RouteConfig[]
}

/**
 * An inhibit rule: while an alert fires that matches all source matchers, alerts that match all target matchers are inhibited if
 * both have the same values for every label of `equal`.
 *
 * @see Alertmanager configuration, `<inhibit_rule>`
 */
export interface InhibitRuleConfig {
  readonly name?: string
  /** `source_match`, `source_match_re` and `source_matchers` together, sorted. */
  readonly source_matchers: readonly Matcher[]
  /** `target_match`, `target_match_re` and `target_matchers` together, sorted. */
  readonly target_matchers: readonly Matcher[]
  /** Label names. */
  readonly equal: readonly string[]
}
