import { getOrCreate } from '../../async/get-or-create.ts'
import type { AlertsConfig } from '../config/config.ts'
import {
  buildRoutingTree,
  type RouteNode,
  type RoutingTree,
  routesFor,
} from '../routing/routing-tree.ts'
import type { AlertEntry, RouteSet } from './alert-entry.ts'
import { type AlertGroups, createAlertGroups } from './alert-groups.ts'
import { createRouteSet } from './alert-json.ts'
import { createInhibitIndex, type InhibitIndex } from './inhibit-index.ts'

/** What one configuration derives from the live alerts. */
export interface ConfiguredRules {
  readonly tree: RoutingTree
  readonly inhibit: InhibitIndex
  readonly groups: AlertGroups
  readonly hasTimeIntervals: boolean
  /** Finds the routes of an alert, and adds it to its groups and to those that may inhibit or be inhibited. */
  enter(entry: AlertEntry): void
  leave(entry: AlertEntry): void
}

/** Creates {@link ConfiguredRules} without alerts. */
export function createConfiguredRules(config: AlertsConfig): ConfiguredRules {
  const tree = buildRoutingTree(config.route)
  const inhibit = createInhibitIndex(config.inhibit_rules)
  const groups = createAlertGroups()
  /** By the indexes of their routes: there are few, however many alerts there are. */
  const routeSets = new Map<string, RouteSet>()
  const routeSetOf = (routes: readonly RouteNode[]): RouteSet =>
    getOrCreate(routeSets, routes.map(({ index }) => index).join(), () => createRouteSet(routes))

  return {
    tree,
    inhibit,
    groups,
    hasTimeIntervals: config.time_intervals.length > 0,

    enter(entry) {
      entry.routeSet = routeSetOf(routesFor(tree, entry.labels))
      groups.add(entry)
      inhibit.add(entry)
    },

    leave(entry) {
      inhibit.remove(entry)
      groups.remove(entry)
      entry.routeSet = undefined
    },
  }
}
