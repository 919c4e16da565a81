import type { Instant } from '../../time/clock.ts'
import type { Acknowledgement } from '../alert/acknowledgement.ts'
import type { StoredAlert } from '../alert/alert.ts'
import { type LabelSet, labelSetOver } from '../alert/label-set.ts'
import type { Matcher } from '../matcher/matcher.ts'
import type { InhibitRuleConfig } from '../routing/route-config.ts'
import type { RouteNode } from '../routing/routing-tree.ts'
import type { SilenceState, StoredSilence } from '../silence/silence.ts'
import type { TimePlace } from './alert-times.ts'

/** A set of routes that several alerts share, with the parts that are rendered once for all of them. */
export interface RouteSet {
  /** In the order of the routing tree; never empty. */
  readonly routes: readonly RouteNode[]
  /** The names of their receivers in the same order, with duplicates. */
  readonly receivers: readonly string[]
  /** The same names, sorted. */
  readonly sortedReceivers: readonly string[]
  /** The receivers as JSON, in route order and sorted. */
  readonly receiversJson: string
  readonly sortedReceiversJson: string
}

/** The live alerts of one route that share the values of its `group_by` labels. */
export interface AlertGroup {
  readonly route: RouteNode
  readonly labels: LabelSet
  /** Identifies the group within its route. */
  readonly id: string
  readonly alerts: Set<AlertEntry>
  /** The alerts in the order of the groups view; `undefined` until they are sorted again. */
  sorted: readonly AlertEntry[] | undefined
  /** The labels of its route, once they were requested. */
  routeLabels: RenderedRouteLabels | undefined
}

/** The labels of a group's route, and the alerts they were rendered with. */
export interface RenderedRouteLabels {
  /** Empty if no label is a template. */
  readonly alerts: readonly StoredAlert[]
  readonly labels: LabelSet
  /** The JSON after the alerts of the group. */
  readonly jsonEnd: Uint8Array
}

/** A stored silence in memory. */
export interface SilenceEntry {
  readonly id: string
  readonly silence: StoredSilence
  readonly matchers: readonly Matcher[]
  readonly startsAt: Instant
  readonly endsAt: Instant
  /** The live alerts that its matchers match. Empty once it has expired. */
  readonly alerts: Set<AlertEntry>
  /** Its JSON as an item of a list, with the state that it shows. */
  rendered: { readonly state: SilenceState; readonly item: Uint8Array } | undefined
}

/** An inhibit rule with its index in the configuration. */
export interface InhibitRule extends InhibitRuleConfig {
  readonly index: number
}

/** A rule that an alert is a source or a target of. */
export interface RuleSide {
  readonly rule: InhibitRule
  /** The values of the labels that the rule compares, as one text. */
  readonly tuple: string
  /** The alert is a source and a target of the rule. */
  readonly bothSides: boolean
}

/** What applies to an alert at an instant, besides what is posted. */
export interface AlertStatus {
  /** Ids of the active silences that match, sorted. */
  readonly silencedBy: readonly string[]
  /** The fingerprint of an alert that inhibits it, if any. */
  readonly inhibitedBy: readonly string[]
  readonly acknowledgement?: Acknowledgement | undefined
}

/** The status of an alert that is neither suppressed nor acknowledged. */
export const unsuppressed: AlertStatus = { silencedBy: [], inhibitedBy: [] }

/** What the JSON of an alert shows besides the alert. */
export interface ShownAlert {
  readonly status: AlertStatus
  readonly mutedBy: readonly string[]
  /** The receivers as JSON. */
  readonly receivers: string
}

/** An alert's JSON as an item of a list, with what it was rendered from. */
export interface RenderedAlert extends ShownAlert {
  /** The alert whose times it shows; nothing else of it has changed since it was rendered. */
  alert: StoredAlert
  /** Its times are replaced in place, so lists copy it. */
  readonly item: Uint8Array
  /** Where its times are in `item`; `undefined` if one has not the usual length. */
  readonly times: TimePlace | undefined
}

/** A firing alert in memory. Everything derived from it is computed when it changes, so that reads are cheap. */
export interface AlertEntry {
  readonly fingerprint: string
  readonly labels: LabelSet
  alert: StoredAlert
  routeSet: RouteSet | undefined
  groups: readonly AlertGroup[]
  /** Silences whose matchers match, including pending ones. */
  silences: Set<SilenceEntry> | undefined
  /** Its status when it was last read. */
  status: AlertStatus
  /** The rules that it is a target of, in their order. */
  targetOf: readonly RuleSide[]
  /** The rules that it is a source of. */
  sourceOf: readonly RuleSide[]
  /** The JSON of the alert list, and that of the groups view if it differs. */
  rendered: RenderedAlert | undefined
  renderedInGroup: RenderedAlert | undefined
}

/** Creates an entry with nothing computed yet. */
export function createAlertEntry(fingerprint: string, alert: StoredAlert): AlertEntry {
  return {
    fingerprint,
    labels: labelSetOver(alert.labels),
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
