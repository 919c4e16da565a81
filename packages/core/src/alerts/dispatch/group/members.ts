import { getOrCreate } from '../../../async/get-or-create.ts'
import type { TypedRecord } from '../../../storage/collection.ts'
import type { Projection } from '../../../storage/view.ts'
import type { StoredAlert } from '../../alert/alert.ts'
import { type LabelSet, labelSetFromObject } from '../../alert/label-set.ts'
import {
  groupLabels,
  type RouteNode,
  type RoutingTree,
  routesFor,
} from '../../routing/routing-tree.ts'
import { groupId } from './group.ts'

/** An alert group in memory: all stored alerts that belong to it, resolved or not. */
export interface MemberGroup {
  readonly id: string
  readonly route: RouteNode
  readonly labels: LabelSet
  /** By fingerprint. */
  readonly alerts: Map<string, TypedRecord<StoredAlert>>
}

/** The members of each group under the running configuration. */
export interface GroupMembers extends Projection<StoredAlert> {
  group(id: string): MemberGroup | undefined
  /** All groups that have alerts. */
  groups(): Iterable<MemberGroup>
  /** Groups whose alerts changed since the last call. */
  takeChanged(): readonly string[]
  /** Assigns all alerts to groups again. */
  configure(tree: RoutingTree): void
}

/** Creates an empty {@link GroupMembers}. */
export function createGroupMembers(initialTree: RoutingTree): GroupMembers {
  let tree = initialTree
  const records = new Map<string, TypedRecord<StoredAlert>>()
  const groups = new Map<string, MemberGroup>()
  /** The groups of each alert: they follow from its labels, which never change. */
  const groupsOf = new Map<string, readonly MemberGroup[]>()
  const changed = new Set<string>()

  const findGroups = ({ value }: TypedRecord<StoredAlert>): readonly MemberGroup[] => {
    const labels = labelSetFromObject(value.labels)
    return routesFor(tree, labels).map((route) => {
      const shared = groupLabels(route, labels)
      const id = groupId(route, shared)
      return getOrCreate(groups, id, () => ({ id, route, labels: shared, alerts: new Map() }))
    })
  }

  const leave = (id: string): void => {
    for (const group of groupsOf.get(id) ?? []) {
      group.alerts.delete(id)
      changed.add(group.id)
      if (group.alerts.size === 0) groups.delete(group.id)
    }
    groupsOf.delete(id)
  }

  const put = (record: TypedRecord<StoredAlert>): void => {
    const { id } = record
    records.set(id, record)
    for (const group of getOrCreate(groupsOf, id, () => findGroups(record))) {
      group.alerts.set(id, record)
      changed.add(group.id)
    }
  }

  const clear = (): void => {
    for (const id of groups.keys()) changed.add(id)
    records.clear()
    groups.clear()
    groupsOf.clear()
  }

  return {
    put,
    clear,

    remove(id) {
      records.delete(id)
      leave(id)
    },

    group: (id) => groups.get(id),

    groups: () => groups.values(),

    takeChanged() {
      const ids = [...changed]
      changed.clear()
      return ids
    },

    configure(next) {
      tree = next
      const all = [...records.values()]
      clear()
      for (const record of all) put(record)
    },
  }
}
