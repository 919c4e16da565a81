import type { AlertsConfig } from '../config/config.ts'
import type { AlertsContext } from '../context.ts'
import { formatMatcher } from '../matcher/matcher.ts'
import { mutedBy } from '../routing/mute-times.ts'
import type { RouteNode } from '../routing/routing-tree.ts'
import type * as wire from '../wire/types.generated.ts'
import { shownConfig } from './get-status.ts'
import { routeLines } from './route-lines.ts'

/** The lines of a configuration do not change. */
const known = new WeakMap<AlertsConfig, readonly number[]>()

function linesOf(alerts: AlertsContext): readonly number[] {
  const { current } = alerts.config
  const lines = known.get(current) ?? routeLines(shownConfig(alerts))
  known.set(current, lines)
  return lines
}

/** A route, with what it inherits, and its firing alerts. */
export type ListedRoute = wire.ListedRoute

/** The routing tree of the running configuration, from the root, with the numbers of firing alerts. */
export async function listRoutes(alerts: AlertsContext): Promise<ListedRoute> {
  const { board, config } = alerts
  const now = await board.refresh()
  const lines = linesOf(alerts)
  const counts = new Map<number, { alerts: number; groups: number }>()
  for (const { route, alerts: members } of board.groups.sorted()) {
    if (members.size === 0) continue
    const { alerts: known = 0, groups = 0 } = counts.get(route.index) ?? {}
    counts.set(route.index, { alerts: known + members.size, groups: groups + 1 })
  }
  const listed = (route: RouteNode): ListedRoute => ({
    id: route.id,
    ...lineOf(lines[route.index]),
    receiver: route.receiver,
    matchers: route.matchers.map(formatMatcher),
    continue: route.continue,
    groupBy: route.groupBy === 'all' ? ['...'] : [...route.groupBy],
    groupWaitMs: route.groupWaitMs,
    groupIntervalMs: route.groupIntervalMs,
    repeatIntervalMs: route.repeatIntervalMs,
    muteTimeIntervals: route.muteTimeIntervals,
    activeTimeIntervals: route.activeTimeIntervals,
    mutedBy: mutedBy(route, config.current.time_intervals, now),
    counts: counts.get(route.index) ?? { alerts: 0, groups: 0 },
    routes: route.children.map(listed),
  })
  return listed(board.routingTree.root)
}

const lineOf = (line: number | undefined): Pick<ListedRoute, 'line'> =>
  line === undefined ? {} : { line }
