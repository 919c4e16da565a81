import { inSlices } from '../../async/slices.ts'
import type { Labels } from '../alert/alert.ts'
import { labelSetFromObject, labelSetToObject, withoutEmptyValues } from '../alert/label-set.ts'
import type { AlertsConfig } from '../config/config.ts'
import {
  buildRoutingTree,
  groupLabels,
  type RouteNode,
  routesFor,
} from '../routing/routing-tree.ts'
import type * as wire from '../wire/types.generated.ts'

/** Alerts that go elsewhere, all from and to the same places. */
export type RouteMove = wire.RouteMove

/** Where a configuration sends an alert: a receiver, by which labels it is grouped there, and when it is notified. */
export type RoutePlace = wire.RoutePlace

/** Which alerts a configuration sends elsewhere than another. */
export type RouteDifference = wire.RouteDifference

const maxMoves = 100
const maxExamples = 10

/**
 * Compares where two configurations send alerts with these labels. An alert goes elsewhere if its receivers, the labels of its
 * groups, their timing or their time intervals differ.
 *
 * @example
 * const running = loadAlertsConfig('route: { receiver: a }\nreceivers: [{ name: a }]')
 * const draft = loadAlertsConfig('route: { receiver: b }\nreceivers: [{ name: b }]')
 * const { moved } = await compareRoutes(running, draft, [{ alertname: 'DiskFull', team: 'db' }])
 */
export function compareRoutes(
  before: Pick<AlertsConfig, 'route'>,
  after: Pick<AlertsConfig, 'route'>,
  alerts: Iterable<Labels>,
): Promise<RouteDifference> {
  return inSlices(compare(before, after, alerts))
}

function* compare(
  before: Pick<AlertsConfig, 'route'>,
  after: Pick<AlertsConfig, 'route'>,
  alerts: Iterable<Labels>,
): Generator<void, RouteDifference> {
  const trees = [buildRoutingTree(before.route), buildRoutingTree(after.route)] as const
  const moves = new Map<
    string,
    { from: RoutePlace[]; to: RoutePlace[]; count: number; examples: Labels[] }
  >()
  let count = 0
  let moved = 0
  for (const labels of alerts) {
    yield
    count++
    const set = withoutEmptyValues(labelSetFromObject(labels))
    const [from, to] = trees.map((tree) =>
      routesFor(tree, set).map((route) => placeOf(route, [...groupLabels(route, set)])),
    )
    const key = JSON.stringify([from, to])
    if (from === undefined || to === undefined || JSON.stringify(from) === JSON.stringify(to)) {
      continue
    }
    moved++
    const known = moves.get(key)
    if (known === undefined) {
      moves.set(key, { from, to, count: 1, examples: [labelSetToObject(set)] })
    } else {
      known.count++
      if (known.examples.length < maxExamples) known.examples.push(labelSetToObject(set))
    }
  }
  const sorted = [...moves.values()].sort((a, b) => b.count - a.count)
  return { alerts: count, moved, moves: sorted.slice(0, maxMoves) }
}

const placeOf = (
  route: RouteNode,
  group: readonly (readonly [name: string, value: string])[],
): RoutePlace => ({
  receiver: route.receiver,
  groupBy: group.map(([name]) => name),
  groupWaitMs: route.groupWaitMs,
  groupIntervalMs: route.groupIntervalMs,
  repeatIntervalMs: route.repeatIntervalMs,
  muteTimeIntervals: route.muteTimeIntervals,
  activeTimeIntervals: route.activeTimeIntervals,
})
