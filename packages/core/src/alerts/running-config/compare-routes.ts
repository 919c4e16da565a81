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

/** Alerts that go elsewhere, all from and to the same places. */
export interface RouteMove {
  from: readonly RoutePlace[]
  to: readonly RoutePlace[]
  /** How many alerts. */
  count: number
  /** The labels of the first ten. */
  examples: readonly Labels[]
}

/** Where a configuration sends an alert: a receiver, by which labels it is grouped there, and when it is notified. */
export interface RoutePlace {
  receiver: string
  /** The names of the labels of its group. */
  groupBy: readonly string[]
  groupWaitMs: number
  groupIntervalMs: number
  repeatIntervalMs: number
  muteTimeIntervals: readonly string[]
  activeTimeIntervals: readonly string[]
}

/** Which alerts a configuration sends elsewhere than another. */
export interface RouteDifference {
  /** How many alerts were compared. */
  alerts: number
  /** How many of them go elsewhere. */
  moved: number
  /** The most alerts first; at most 100. */
  moves: readonly RouteMove[]
}

const mostMoves = 100
const mostExamples = 10

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
  const moves = new Map<string, { move: RouteMove; examples: Labels[] }>()
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
      const examples = [labelSetToObject(set)]
      moves.set(key, { move: { from, to, count: 1, examples }, examples })
    } else {
      known.move.count++
      if (known.examples.length < mostExamples) known.examples.push(labelSetToObject(set))
    }
  }
  const sorted = [...moves.values()].map(({ move }) => move).sort((a, b) => b.count - a.count)
  return { alerts: count, moved, moves: sorted.slice(0, mostMoves) }
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
