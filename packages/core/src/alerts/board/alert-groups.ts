import { compareBytes } from '@gatehouse/go-template/text'
import { getOrCreate } from '../../async/get-or-create.ts'
import { compareLabelSets, type LabelSet } from '../alert/label-set.ts'
import { groupLabels, type RouteNode } from '../routing/routing-tree.ts'
import type { AlertEntry, AlertGroup } from './alert-entry.ts'

/** The groups that exist now. @see Alertmanager, aggregation groups */
export interface AlertGroups {
  /** Adds an alert, whose routes are known, to its groups. */
  add(entry: AlertEntry): void
  /** Removes an alert from its groups; an empty group is removed. */
  remove(entry: AlertEntry): void
  /** Sorted by labels, then by receiver. */
  sorted(): readonly AlertGroup[]
}

function groupId(labels: LabelSet): string {
  let id = ''
  for (const [name, value] of labels) id += `${name.length}:${name}${value.length}:${value}`
  return id
}

/** Creates an empty {@link AlertGroups}. */
export function createAlertGroups(): AlertGroups {
  const byRoute = new Map<RouteNode, Map<string, AlertGroup>>()
  let sortedGroups: readonly AlertGroup[] | undefined

  const groupOf = (route: RouteNode, entry: AlertEntry): AlertGroup => {
    const labels = groupLabels(route, entry.labels)
    const id = groupId(labels)
    const groups = getOrCreate(byRoute, route, () => new Map<string, AlertGroup>())
    let group = groups.get(id)
    if (group === undefined) {
      group = { route, labels, id, alerts: new Set(), sorted: undefined, routeLabels: undefined }
      groups.set(id, group)
      sortedGroups = undefined
    }
    return group
  }

  return {
    add(entry) {
      entry.groups = (entry.routeSet?.routes ?? []).map((route) => groupOf(route, entry))
      for (const group of entry.groups) {
        group.alerts.add(entry)
        group.sorted = undefined
      }
    },

    remove(entry) {
      for (const group of entry.groups) {
        group.alerts.delete(entry)
        group.sorted = undefined
        if (group.alerts.size > 0) continue
        byRoute.get(group.route)?.delete(group.id)
        sortedGroups = undefined
      }
      entry.groups = []
    },

    sorted() {
      if (sortedGroups === undefined) {
        const groups = [...byRoute.values()].flatMap((byId) => [...byId.values()])
        sortedGroups = groups.sort(compareGroups)
      }
      return sortedGroups
    },
  }
}

function compareGroups(a: AlertGroup, b: AlertGroup): number {
  return (
    compareLabelSets(a.labels, b.labels) ||
    compareBytes(a.route.receiver, b.route.receiver) ||
    a.route.index - b.route.index
  )
}

/** The group's alerts, sorted by job, then by instance, then by all labels. */
export function sortedAlerts(group: AlertGroup): readonly AlertEntry[] {
  group.sorted ??= [...group.alerts].sort(
    (a, b) =>
      compareLabel(a.labels.get('job'), b.labels.get('job')) ||
      compareLabel(a.labels.get('instance'), b.labels.get('instance')) ||
      compareLabelSets(a.labels, b.labels),
  )
  return group.sorted
}

/** Orders an alert with the label before one without it. */
function compareLabel(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0
  if (a === undefined) return 1
  return b === undefined ? -1 : compareBytes(a, b)
}
