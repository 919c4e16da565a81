import type { TypedRecord } from '../../../storage/collection.ts'
import type { Storage } from '../../../storage/storage.ts'
import type { StoredAlert } from '../../alert/alert.ts'
import { labelSetFromObject } from '../../alert/label-set.ts'
import { groupLabels, type RoutingTree, routesFor } from '../../routing/routing-tree.ts'
import { isDone } from './arm-groups.ts'
import { groupCollection, groupId } from './group.ts'

/** The ids of the given resolved alerts that a group has yet to report: it needs the alert for that. */
export async function awaitedByGroups(
  storage: Storage,
  tree: RoutingTree,
  alerts: readonly TypedRecord<StoredAlert>[],
): Promise<readonly string[]> {
  const pairs = alerts.flatMap((alert) => {
    const labels = labelSetFromObject(alert.value.labels)
    return routesFor(tree, labels).map((route) => ({
      alert,
      group: groupId(route, groupLabels(route, labels)),
    }))
  })
  const ids = [...new Set(pairs.map(({ group }) => group))]
  const groups = await groupCollection.getAll(storage, ids)
  const busy = new Map(
    groups.flatMap((group) =>
      group === undefined || (group.value.dueAt === undefined && group.value.claim === undefined)
        ? []
        : [[group.id, group.value] as const],
    ),
  )
  return pairs
    .filter(({ alert, group }) => {
      const waiting = busy.get(group)
      return waiting !== undefined && !isDone(waiting, alert)
    })
    .map(({ alert }) => alert.id)
}
