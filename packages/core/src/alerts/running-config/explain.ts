import { formatDuration } from '@gatehouse/go-template/text'
import { inSlices } from '../../async/slices.ts'
import { decodeInput } from '../../input/decode.ts'
import type { Instant } from '../../time/clock.ts'
import {
  acknowledgementAt,
  type GettableAcknowledgement,
  toGettableAcknowledgement,
} from '../alert/acknowledgement.ts'
import type { Labels } from '../alert/alert.ts'
import { labelsInput } from '../alert/alert-input.ts'
import {
  fingerprint,
  type LabelSet,
  labelSetFromObject,
  labelSetToObject,
  withoutEmptyValues,
} from '../alert/label-set.ts'
import type { AlertStatus } from '../board/alert-entry.ts'
import { activeSilences, alertState } from '../board/alert-status.ts'
import type { AlertsContext } from '../context.ts'
import type { GettableNotification } from '../history/notification-record.ts'
import { formatMatcher, formatMatchers } from '../matcher/matcher.ts'
import { toNotifiedAlert } from '../notification/flush-alert.ts'
import type { NotifiedAlert } from '../notification/notification.ts'
import { routeLabels } from '../notification/route-labels.ts'
import { listNotifications } from '../notifications/list-notifications.ts'
import { groupKey } from '../routing/group-key.ts'
import { mutedBy } from '../routing/mute-times.ts'
import { groupLabels, type RouteNode, routesFor } from '../routing/routing-tree.ts'
import { type GettableSilence, toGettableSilence } from '../silence/silence.ts'
import type * as wire from '../wire/types.generated.ts'
import { type ExplainedNext, explainGroups, explainNext } from './explain-delivery.ts'

/** A route that an alert takes, and the group it joins there. */
export type ExplainedRoute = wire.ExplainedRoute

/** An alert that inhibits another, and the rule. */
export type ExplainedInhibition = wire.ExplainedInhibition

/** How the service would treat an alert with these labels, and why. */
export interface Explanation {
  labels: Labels
  fingerprint: string
  /** Whether such an alert is firing now. */
  firing: boolean
  state: 'active' | 'suppressed'
  routes: readonly ExplainedRoute[]
  silencedBy: readonly GettableSilence[]
  inhibitedBy: ExplainedInhibition | undefined
  /** Its acknowledgement, if it has one. */
  acknowledgement?: GettableAcknowledgement
  /** Recent notifications about it with their outcomes, newest first, at most 20; absent if no history is kept. */
  notifications?: readonly GettableNotification[]
  /** The same in sentences, for people. */
  reasons: readonly string[]
}

/**
 * Explains which routes, groups, silences, inhibitions, acknowledgements, rate limits and mute times apply now to an alert with these
 * labels, stored or not; what was sent about it, and what happens next and when.
 *
 * @throws {GatehouseError} `InvalidInput`
 * @example
 * const { routes } = await explain(alerts, { alertname: 'DiskFull', team: 'storage' })
 */
export async function explain(
  alerts: AlertsContext,
  labels: LabelSet | Labels,
): Promise<Explanation> {
  const { board, config, options, receiversOf } = alerts
  const { templates } = receiversOf(config.current)
  const set = withoutEmptyValues(labelSetFromObject(decodeInput('labels', labelsInput, labels)))
  const now = await board.refresh()
  const id = fingerprint(set)
  const silences = activeSilences(await inSlices(board.silences.matching(set)), now)
  const inhibition = explainInhibition(alerts, set)
  const status: AlertStatus = {
    silencedBy: silences.map((silence) => silence.id),
    inhibitedBy: inhibition === undefined ? [] : [inhibition.sourceFingerprint],
  }
  const alert = notifiedAlert(alerts, id, set, now)
  const isFiring = board.alerts.isFiring(id)
  const acknowledgement = acknowledgementOf(alerts, id, now)
  const taken = routesFor(board.routingTree, set)
  const groups = await explainGroups(alerts, taken, { labels: set, fingerprint: id, now })
  const history =
    options.historyRetentionMs === 0
      ? undefined
      : await listNotifications(alerts, { fingerprint: id, limit: maxNotifications })
  const routes = taken.map((route, index) => {
    const muted = mutedBy(route, config.current.time_intervals, now)
    const group = groups[index]
    const next = explainNext(group, route, {
      now,
      isFiring,
      isSilenced: silences.length > 0,
      isInhibited: inhibition !== undefined,
      isMuted: muted.length > 0,
      isAcknowledged: acknowledgement !== undefined,
    })
    return {
      ...explainRoute(route, set),
      routeLabels: labelSetToObject(
        routeLabels(
          route,
          { labels: groupLabels(route, set), alerts: [alert] },
          { templates, externalURL: options.externalUrl, now },
        ),
      ),
      continued: index > 0,
      mutedBy: muted,
      ...(group === undefined ? {} : { group }),
      next,
    }
  })
  const explanation = {
    labels: labelSetToObject(set),
    fingerprint: id,
    firing: isFiring,
    state: alertState(status),
    routes,
    silencedBy: silences.map(({ id, silence }) => toGettableSilence(id, silence, now)),
    inhibitedBy: inhibition,
    ...(acknowledgement === undefined ? {} : { acknowledgement }),
    ...(history === undefined ? {} : { notifications: history.items }),
  }
  return { ...explanation, reasons: reasonsOf(explanation) }
}

/** The most notifications of an explanation. */
const maxNotifications = 20

/** Who takes care of a firing alert. */
function acknowledgementOf(
  { board }: AlertsContext,
  fingerprint: string,
  now: Instant,
): GettableAcknowledgement | undefined {
  const stored = board.alerts.stored.get(fingerprint)?.value
  if (stored === undefined || !board.alerts.isFiring(fingerprint)) return undefined
  const acknowledgement = acknowledgementAt(stored, now)
  return acknowledgement && toGettableAcknowledgement(acknowledgement)
}

function explainRoute(
  route: RouteNode,
  labels: LabelSet,
): Omit<ExplainedRoute, 'routeLabels' | 'continued' | 'mutedBy' | 'group' | 'next'> {
  const path: string[] = []
  for (let node: RouteNode | undefined = route; node !== undefined; node = node.parent) {
    path.unshift(formatMatchers(node.matchers))
  }
  const group = groupLabels(route, labels)
  return {
    id: route.id,
    receiver: route.receiver,
    path,
    groupLabels: labelSetToObject(group),
    groupKey: groupKey(route, group),
    groupWaitMs: route.groupWaitMs,
    groupIntervalMs: route.groupIntervalMs,
    repeatIntervalMs: route.repeatIntervalMs,
  }
}

/** The alert as a notification would show it; one that is not stored starts now. */
function notifiedAlert(
  { board }: AlertsContext,
  fingerprint: string,
  labels: LabelSet,
  now: Instant,
): NotifiedAlert {
  const alert = board.alerts.stored.get(fingerprint)?.value ?? {
    labels: labelSetToObject(labels),
    annotations: {},
    startsAt: now,
    endsAt: now,
    updatedAt: now,
  }
  return toNotifiedAlert({ fingerprint, isResolved: false, alert }, now)
}

function explainInhibition(
  alerts: AlertsContext,
  labels: LabelSet,
): ExplainedInhibition | undefined {
  const inhibitor = alerts.board.inhibitorOf(labels)
  if (inhibitor === undefined) return undefined
  const { rule, source } = inhibitor
  return {
    rule: rule.index,
    ...(rule.name === undefined ? {} : { name: rule.name }),
    sourceMatchers: rule.source_matchers.map(formatMatcher),
    targetMatchers: rule.target_matchers.map(formatMatcher),
    equal: Object.fromEntries(rule.equal.map((name) => [name, labels.get(name) ?? ''])),
    sourceFingerprint: source.fingerprint,
    sourceLabels: labelSetToObject(source.labels),
  }
}

function timersOf({
  group,
  groupWaitMs,
  groupIntervalMs,
  repeatIntervalMs,
}: ExplainedRoute): string {
  const [wait, interval, repeat] = [groupWaitMs, groupIntervalMs, repeatIntervalMs].map(
    formatDuration,
  )
  const next = group?.nextFlushAt === undefined ? '' : ` (next flush ${group.nextFlushAt})`
  return `group_wait ${wait}, group_interval ${interval}${next}, repeat_interval ${repeat}`
}

const outlooks: Readonly<Record<ExplainedNext['what'], string>> = {
  nothing: 'is not notified',
  notification: 'will be notified',
  repetition: 'will be notified again',
}

function reasonsOf({
  routes,
  silencedBy,
  inhibitedBy,
  acknowledgement,
}: Omit<Explanation, 'reasons'>): readonly string[] {
  const reasons = routes.map((route) => {
    const { receiver, path, groupKey } = route
    const way = `goes to receiver "${receiver}" by route ${path.join(' / ')}`
    return `${way}, in the group ${groupKey}: ${timersOf(route)}`
  })
  for (const { receiver, mutedBy } of routes) {
    if (mutedBy.length > 0) {
      reasons.push(`is muted for receiver "${receiver}" by the time interval ${mutedBy.join(', ')}`)
    }
  }
  for (const { id, createdBy, endsAt, comment } of silencedBy) {
    reasons.push(`is silenced until ${endsAt} by ${id} of ${createdBy}: ${comment}`)
  }
  if (inhibitedBy !== undefined) {
    const rule = inhibitedBy.name ?? `rule ${inhibitedBy.rule}`
    reasons.push(`is inhibited by the alert ${inhibitedBy.sourceFingerprint} (${rule})`)
  }
  if (acknowledgement !== undefined) {
    const { by, until } = acknowledgement
    reasons.push(`is acknowledged by ${by} until ${until ?? 'it resolves'}`)
  }
  for (const { receiver, next } of routes) {
    const { what, at, because } = next
    const when = at === undefined ? '' : ` at ${at}`
    reasons.push(`receiver "${receiver}" ${outlooks[what]}${when}: ${because}`)
  }
  return reasons
}
