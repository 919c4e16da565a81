import { getOrCreate } from '../../async/get-or-create.ts'
import { inSlices, isPauseDue, pause } from '../../async/slices.ts'
import { decodeInput, exactly, type Fields, flag, optional } from '../../input/decode.ts'
import type { Instant } from '../../time/clock.ts'
import type { GettableAlert, Labels } from '../alert/alert.ts'
import { type LabelSet, labelSetToObject } from '../alert/label-set.ts'
import type {
  AlertEntry,
  AlertGroup,
  AlertStatus,
  RenderedRouteLabels,
  RouteSet,
} from '../board/alert-entry.ts'
import { sortedAlerts } from '../board/alert-groups.ts'
import {
  groupedAlertItem,
  labelsJson,
  receiverJson,
  receiversJson,
  toGettableAlert,
} from '../board/alert-json.ts'
import { type AlertListWriter, createAlertListWriter } from '../board/alert-list-writer.ts'
import {
  type AlertsFilter,
  type AlertsQuery,
  alertsQueryFields,
  forEachChosen,
  readAlertsQuery,
} from '../board/alert-query.ts'
import type { AlertBoard } from '../board/board.ts'
import type { ListBytes } from '../board/kept-lists.ts'
import type { AlertsContext } from '../context.ts'
import { toNotifiedAlert } from '../notification/flush-alert.ts'
import { hasTemplates, routeLabels } from '../notification/route-labels.ts'
import { mutedBy } from '../routing/mute-times.ts'
import type { RouteNode } from '../routing/routing-tree.ts'

/** Which alert groups to list. @see Alertmanager API v2, `GET /alerts/groups` */
export interface AlertGroupsQuery extends Omit<AlertsQuery, 'unprocessed'> {
  /** Whether groups that a time interval mutes are listed (default true). */
  muted?: boolean
}

/** The decoders of the members of a query. */
export const alertGroupsQueryFields: Fields<AlertGroupsQuery> = {
  ...alertsQueryFields,
  muted: optional(flag),
}

const alertGroupsQuery = exactly<AlertGroupsQuery>(alertGroupsQueryFields)

/** The alerts of one route that share the values of its `group_by` labels. @see Alertmanager API v2, `alertGroup` */
export interface GettableAlertGroup {
  labels: Labels
  receiver: { readonly name: string }
  /** The labels of the route, rendered for this group; labels that cannot be rendered are left out. */
  routeLabels: Labels
  alerts: readonly GettableAlert[]
}

/** A group with its alerts that match the query. Their `status` is the current one. */
export interface ChosenGroup {
  readonly group: AlertGroup
  readonly mutedBy: readonly string[]
  readonly alerts: readonly AlertEntry[]
}

/**
 * Lists the firing alerts by route and group labels. Groups are sorted by labels, then receiver; alerts by job, instance, labels.
 *
 * @throws {GatehouseError} `InvalidInput`, `TooManyFilters`, `InvalidMatcher`, `InvalidReceiver`, `InvalidReceiverMatchers`.
 * @see Alertmanager API v2, `GET /alerts/groups`
 */
export async function listAlertGroups(
  alerts: AlertsContext,
  query: AlertGroupsQuery = {},
): Promise<GettableAlertGroup[]> {
  const decoded = decodeInput('query', alertGroupsQuery, query)
  const filter = await inSlices(readAlertsQuery(decoded, alerts))
  const now = await alerts.board.refresh()
  const groups = await chosenGroups(alerts, decoded, filter, now)
  return groups.map(({ group, mutedBy, alerts: members }) => ({
    labels: labelSetToObject(group.labels),
    receiver: { name: group.route.receiver },
    routeLabels: labelSetToObject(routeLabelsOf(alerts, group).labels),
    alerts: members.map((entry) =>
      toGettableAlert(entry, entry.status, shownReceivers(entry.routeSet, filter), mutedBy),
    ),
  }))
}

/**
 * {@link listAlertGroups} as JSON in UTF-8, the body of a response. It is rendered once for each state of the alerts and shared
 * by its readers: do not change it.
 */
export async function listAlertGroupsJson(
  alerts: AlertsContext,
  query: AlertGroupsQuery = {},
): Promise<ListBytes> {
  return alertGroupsJson(alerts, decodeInput('query', alertGroupsQuery, query))
}

/** {@link listAlertGroupsJson} for a query whose types were checked. */
export async function alertGroupsJson(
  alerts: AlertsContext,
  query: AlertGroupsQuery,
): Promise<ListBytes> {
  const filter = await inSlices(readAlertsQuery(query, alerts))
  const now = await alerts.board.refresh()
  return alerts.board.alertLists.get(['groups', query], now, async () => {
    const groups = await chosenGroups(alerts, query, filter, now)
    const list = await inSlices((await listWith(alerts, groups, filter)).finish())
    // Labels of routes may be templates that show the times of alerts.
    const dependsOnTimes = groups.some(({ group }) => hasTemplates(group.route))
    return dependsOnTimes ? { bytes: list.bytes } : list
  })
}

async function listWith(
  alerts: AlertsContext,
  groups: readonly ChosenGroup[],
  filter: AlertsFilter,
): Promise<AlertListWriter> {
  const known = new Map<RouteSet | undefined, string>()
  const receiversOf = ({ routeSet }: AlertEntry): string =>
    filter.wantsAllReceivers && routeSet !== undefined
      ? routeSet.sortedReceiversJson
      : getOrCreate(known, routeSet, () => receiversJson(shownReceivers(routeSet, filter)))
  const list = createAlertListWriter()
  for (const [groupIndex, { group, mutedBy, alerts: members }] of groups.entries()) {
    list.add(groupIndex === 0 ? firstGroupStart : groupStart)
    for (const [index, entry] of members.entries()) {
      const item = groupedAlertItem(entry, entry.status, mutedBy, receiversOf(entry))
      list.addAlert(entry, item, index === 0)
    }
    list.add(routeLabelsOf(alerts, group).jsonEnd)
    if (isPauseDue()) await pause()
  }
  list.add(groups.length === 0 ? noGroups : listEnd)
  return list
}

const encoder = new TextEncoder()
const firstGroupStart = encoder.encode('[{"alerts":[')
const groupStart = encoder.encode(',{"alerts":[')
const noGroups = encoder.encode('[]\n')
const listEnd = encoder.encode(']\n')

/**
 * The rendered labels of a group's route. Labels that are templates are rendered again when an alert of the group is posted
 * again.
 */
function routeLabelsOf(alerts: AlertsContext, group: AlertGroup): RenderedRouteLabels {
  const members = hasTemplates(group.route) ? sortedAlerts(group) : []
  const known = group.routeLabels
  if (known !== undefined && isOf(known, members)) return known
  const { receiversOf, config, options, clock } = alerts
  const now = clock.now()
  const labelled = {
    labels: group.labels,
    alerts: members.map(({ fingerprint, alert }) =>
      toNotifiedAlert({ fingerprint, isResolved: false, alert }, now),
    ),
  }
  const labels = routeLabels(group.route, labelled, {
    templates: receiversOf(config.current).templates,
    externalURL: options.externalUrl,
    now,
  })
  const rendered = {
    alerts: members.map(({ alert }) => alert),
    labels,
    jsonEnd: groupEnd(group, labels),
  }
  group.routeLabels = rendered
  return rendered
}

const isOf = ({ alerts }: RenderedRouteLabels, members: readonly AlertEntry[]): boolean =>
  alerts.length === members.length && alerts.every((alert, i) => members[i]?.alert === alert)

function groupEnd({ labels, route }: AlertGroup, routeLabels: LabelSet): Uint8Array {
  const receiver = receiverJson(route.receiver)
  return encoder.encode(
    `],"labels":${labelsJson(labels)},"receiver":${receiver},"routeLabels":${labelsJson(routeLabels)}}`,
  )
}

/** The groups that match the query. Call it right after the refresh that returned `now`. */
export async function chosenGroups(
  { board, config }: AlertsContext,
  { muted = true }: AlertGroupsQuery,
  filter: AlertsFilter,
  now: Instant,
): Promise<ChosenGroup[]> {
  const muteNames = new Map<RouteNode, readonly string[]>()
  const mutedByOf = (route: RouteNode): readonly string[] =>
    getOrCreate(muteNames, route, () => mutedBy(route, config.current.time_intervals, now))
  const found =
    filter.matchers.length === 0
      ? undefined
      : new Set(await inSlices(board.alerts.matching(filter.matchers)))
  const statusOf = (entry: AlertEntry): AlertStatus => board.statusOf(entry, now)
  const groups: ChosenGroup[] = []
  for (const group of groupsToLookAt(board, found)) {
    if (!filter.wantsReceiver(group.route.receiver)) continue
    const names = mutedByOf(group.route)
    if (!muted && names.length > 0) continue
    const all = sortedAlerts(group)
    const members = found === undefined ? all : all.filter((entry) => found.has(entry))
    const shown: AlertEntry[] = []
    await inSlices(forEachChosen(members, filter, statusOf, (entry) => shown.push(entry)))
    if (shown.length > 0) groups.push({ group, mutedBy: names, alerts: shown })
    if (isPauseDue()) await pause()
  }
  return groups
}

function shownReceivers(set: RouteSet | undefined, filter: AlertsFilter): readonly string[] {
  return (set?.sortedReceivers ?? []).filter((name) => filter.wantsReceiver(name))
}

/** All groups, or the groups of the alerts that were found. */
function groupsToLookAt(
  board: AlertBoard,
  found: ReadonlySet<AlertEntry> | undefined,
): readonly AlertGroup[] {
  const all = board.groups.sorted()
  if (found === undefined) return all
  const wanted = new Set([...found].flatMap((entry) => entry.groups))
  return all.filter((group) => wanted.has(group))
}
