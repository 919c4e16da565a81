import type { Instant } from '../../time/clock.ts'
import type { StoredAlert } from '../alert/alert.ts'
import { type LabelSet, labelSetFromObject } from '../alert/label-set.ts'
import type { Matcher } from '../matcher/matcher.ts'
import type { InhibitRuleConfig } from '../routing/route-config.ts'
import type { RouteNode } from '../routing/routing-tree.ts'
import type { StoredSilence } from '../silence/silence.ts'

/** The routes that several alerts share, with what is rendered of them once. */
export interface RouteSet {
  /** In the order of the routing tree; never empty. */
  readonly routes: readonly RouteNode[]
  /** Their receivers' names in the same order, not de-duplicated. */
  readonly receivers: readonly string[]
  /** The same by name. */
  readonly sortedReceivers: readonly string[]
  /** The receivers as JSON, in route order and by name. */
  readonly receiversJson: string
  readonly sortedReceiversJson: string
}

/** The live alerts of one route that share the values of its `group_by` labels. */
export interface AlertGroup {
  readonly route: RouteNode
  readonly labels: LabelSet
  /** Names the group within its route. */
  readonly id: string
  readonly alerts: Set<AlertEntry>
  /** The alerts in the order they are shown; `undefined` while that must be worked out again. */
  sorted: readonly AlertEntry[] | undefined
  /** The labels of its route, once somebody asked. */
  routeLabels: RenderedRouteLabels | undefined
}

/** The labels of a group's route, and what they were rendered with. */
export interface RenderedRouteLabels {
  /** Empty where no label is a template. */
  readonly alerts: readonly StoredAlert[]
  readonly labels: LabelSet
  /** What follows the alerts in the group's JSON. */
  readonly jsonEnd: Uint8Array
}

/** A stored silence in memory. */
export interface SilenceEntry {
  readonly id: string
  readonly silence: StoredSilence
  readonly matchers: readonly Matcher[]
  readonly startsAt: Instant
  readonly endsAt: Instant
  /** The live alerts its matchers match. Empty once it has expired. */
  readonly alerts: Set<AlertEntry>
}

/** An inhibit rule with its place in the configuration. */
export interface InhibitRule extends InhibitRuleConfig {
  readonly index: number
}

/** One rule that an alert is a source or a target of. */
export interface RuleSide {
  readonly rule: InhibitRule
  /** The values of the labels the rule compares, as one text. */
  readonly tuple: string
  /** The alert is a source and a target of the rule. */
  readonly bothSides: boolean
}

/** What suppresses an alert at an instant. */
export interface AlertStatus {
  /** Ids of the active silences that match, sorted. */
  readonly silencedBy: readonly string[]
  /** The fingerprint of one alert that inhibits it. */
  readonly inhibitedBy: readonly string[]
}

/** The status of an alert that nothing suppresses. */
export const unsuppressed: AlertStatus = { silencedBy: [], inhibitedBy: [] }

/** An alert's JSON as an item of a list, and what it was rendered with. */
export interface RenderedAlert {
  readonly status: AlertStatus
  readonly mutedBy: readonly string[]
  /** The receivers as JSON. */
  readonly receivers: string
  readonly item: Uint8Array
}

/** A firing alert in memory, with everything that is worked out when it changes, so that reading it costs nothing. */
export interface AlertEntry {
  readonly fingerprint: string
  readonly labels: LabelSet
  alert: StoredAlert
  routeSet: RouteSet | undefined
  groups: readonly AlertGroup[]
  /** Silences whose matchers match, whether or not they are active yet. */
  silences: Set<SilenceEntry> | undefined
  /** What suppressed it when that was last asked. */
  status: AlertStatus
  /** Rules it is a target of, in their order. */
  targetOf: readonly RuleSide[]
  /** Rules it is a source of. */
  sourceOf: readonly RuleSide[]
  /** The JSON of the alert list, and of the groups view where that differs. */
  rendered: RenderedAlert | undefined
  renderedInGroup: RenderedAlert | undefined
}

/** An entry that nothing is worked out for yet. */
export function createAlertEntry(fingerprint: string, alert: StoredAlert): AlertEntry {
  return {
    fingerprint,
    labels: labelSetFromObject(alert.labels),
    alert,
    routeSet: undefined,
    groups: [],
    silences: undefined,
    status: unsuppressed,
    targetOf: [],
    sourceOf: [],
    rendered: undefined,
    renderedInGroup: undefined,
  }
}

/** Orders entries by fingerprint, the order of the alert list. */
export function byFingerprint(a: AlertEntry, b: AlertEntry): number {
  return a.fingerprint < b.fingerprint ? -1 : a.fingerprint > b.fingerprint ? 1 : 0
}
