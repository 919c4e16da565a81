import { type LabelSet, labelSet } from '../alert/label-set.ts'
import { formatMatchers, type Matcher, matchesAll } from '../matcher/matcher.ts'
import type { RouteConfig } from './route-config.ts'

/** A route with all inherited values filled in. */
export interface RouteNode {
  /** Its index in the tree, depth first; the root is 0. */
  readonly index: number
  /** The formatted matchers from the root down, such as `{}/{team="a"}`. Not unique: siblings may share it. */
  readonly key: string
  /** Like `key`, with the index among its siblings after each route: unique in its tree. */
  readonly id: string
  /** The name of the receiver. */
  readonly receiver: string
  /** Names of the labels whose values make a group. */
  readonly groupBy: ReadonlySet<string> | 'all'
  /** How long a new group waits for more alerts, in ms (default 30 s). */
  readonly groupWaitMs: number
  /** How long a group waits until its next notification, in ms (default 5 min). */
  readonly groupIntervalMs: number
  /** How long until an unchanged group is notified again, in ms (default 4 h). */
  readonly repeatIntervalMs: number
  readonly matchers: readonly Matcher[]
  /** Whether the siblings after this route are tried as well. */
  readonly continue: boolean
  /** Names of time intervals in which nothing is sent. */
  readonly muteTimeIntervals: readonly string[]
  /** Names of time intervals outside of which nothing is sent; empty means always active. */
  readonly activeTimeIntervals: readonly string[]
  /** Labels added to the notifications; values may be templates. */
  readonly labels: ReadonlyMap<string, string>
  /** Whether the end of a suppressed alert is sent after the suppression (default `false`). */
  readonly resolvedAfterSuppression: boolean
  /** The limit for its notifications, its own or an inherited one (default none). */
  readonly rateLimit?: RouteRateLimit
  /** Absent at the root. */
  readonly parent?: RouteNode
  readonly children: readonly RouteNode[]
}

/** A limit that a route shares with the child routes that inherit it. */
export interface RouteRateLimit {
  /** The `id` of the route that sets it. */
  readonly route: string
  /** The `key` of that route. */
  readonly key: string
  readonly notifications: number
  /** In ms. */
  readonly per: number
}

/** The routes of a configuration. */
export interface RoutingTree {
  readonly root: RouteNode
  /** All routes, each at its `index`. */
  readonly nodes: readonly RouteNode[]
}

const noLabels: LabelSet = labelSet([])

/**
 * Resolves the options of every route. The decoder of the configuration limits how deep routes nest.
 *
 * @throws {TypeError} if the root has no receiver.
 * @see Alertmanager documentation, "Configuration", `<route>`
 */
export function buildRoutingTree(route: RouteConfig): RoutingTree {
  const { receiver } = route
  if (receiver === undefined) throw new TypeError('the root route has no receiver')
  const nodes: RouteNode[] = []
  const inherited: Inherited = {
    receiver,
    groupBy: new Set(),
    groupWaitMs: 30_000,
    groupIntervalMs: 300_000,
    repeatIntervalMs: 14_400_000,
    labels: new Map(),
    resolvedAfterSuppression: false,
  }
  return { root: addNode(nodes, route, inherited), nodes }
}

type Inherited = Pick<
  RouteNode,
  | 'receiver'
  | 'groupBy'
  | 'groupWaitMs'
  | 'groupIntervalMs'
  | 'repeatIntervalMs'
  | 'labels'
  | 'resolvedAfterSuppression'
  | 'rateLimit'
>

function addNode(
  nodes: RouteNode[],
  route: RouteConfig,
  inherited: Inherited,
  place?: { readonly parent: RouteNode; readonly position: number },
): RouteNode {
  const printed = formatMatchers(route.matchers)
  const children: RouteNode[] = []
  const key = place === undefined ? printed : `${place.parent.key}/${printed}`
  const id = place === undefined ? printed : `${place.parent.id}/${printed}/${place.position}`
  const rateLimit =
    route.rate_limit === undefined ? inherited.rateLimit : { route: id, key, ...route.rate_limit }
  const node: RouteNode = {
    index: nodes.length,
    key,
    id,
    receiver: route.receiver ?? inherited.receiver,
    groupBy: route.group_by === undefined ? inherited.groupBy : groupByOf(route.group_by),
    groupWaitMs: route.group_wait ?? inherited.groupWaitMs,
    groupIntervalMs: route.group_interval ?? inherited.groupIntervalMs,
    repeatIntervalMs: route.repeat_interval ?? inherited.repeatIntervalMs,
    matchers: route.matchers,
    continue: route.continue,
    muteTimeIntervals: route.mute_time_intervals,
    activeTimeIntervals: route.active_time_intervals,
    labels:
      route.labels === undefined
        ? inherited.labels
        : new Map([...inherited.labels, ...route.labels]),
    resolvedAfterSuppression:
      route.resolved_after_suppression ?? inherited.resolvedAfterSuppression,
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(place && { parent: place.parent }),
    children,
  }
  nodes.push(node)
  for (const [position, child] of route.routes.entries()) {
    children.push(addNode(nodes, child, node, { parent: node, position }))
  }
  return node
}

function groupByOf(names: readonly string[]): ReadonlySet<string> | 'all' {
  return names.includes('...') ? 'all' : new Set(names)
}

/**
 * The routes of an alert, in the order of the file: the first matching child of each route, and later ones while `continue` is
 * set; the route itself if no child matches.
 *
 * @see Alertmanager documentation, "Routing tree"
 */
export function routesFor(tree: RoutingTree, labels: LabelSet): readonly RouteNode[] {
  const found: RouteNode[] = []
  collectRoutes(tree.root, labels, found)
  return found
}

function collectRoutes(node: RouteNode, labels: LabelSet, found: RouteNode[]): void {
  let isTaken = false
  for (const child of node.children) {
    if (!matchesAll(child.matchers, labels)) continue
    collectRoutes(child, labels, found)
    isTaken = true
    if (!child.continue) break
  }
  if (!isTaken) found.push(node)
}

/** The labels that select the group of an alert in the route; labels that it lacks are left out. */
export function groupLabels(node: RouteNode, labels: LabelSet): LabelSet {
  const { groupBy } = node
  if (groupBy === 'all') return labels
  if (groupBy.size === 0) return noLabels
  return labelSet([...labels].filter(([name]) => groupBy.has(name)))
}
