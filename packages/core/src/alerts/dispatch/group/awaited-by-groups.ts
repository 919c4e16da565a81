import type { TypedRecord } from '../../../storage/collection.ts'
import type { Storage } from '../../../storage/storage.ts'
import type { Instant } from '../../../time/clock.ts'
import type { StoredAlert } from '../../alert/alert.ts'
import { labelSetFromObject } from '../../alert/label-set.ts'
import { groupLabels, type RoutingTree, routesFor } from '../../routing/routing-tree.ts'
import { isDone } from './arm-groups.ts'
import { groupCollection, groupId } from './group.ts'

/** Options of {@link awaitedByGroups}. */
export interface AwaitedOptions {
  tree: RoutingTree
  /** Alerts that ended earlier are only awaited by groups that hold them until a suppression is over. */
  since: Instant
}

/** The ids of the given resolved alerts that a group has yet to report: it needs the alert for that. */
export async function awaitedByGroups(
  storage: Storage,
  alerts: readonly TypedRecord<StoredAlert>[],
  { tree, since }: AwaitedOptions,
): Promise<readonly string[]> {
  const mayHold = tree.nodes.some(({ resolvedAfterSuppression }) => resolvedAfterSuppression)
  const isRecent = ({ value }: TypedRecord<StoredAlert>): boolean => value.endsAt > since
  const pairs = (mayHold ? alerts : alerts.filter(isRecent)).flatMap((alert) => {
    const labels = labelSetFromObject(alert.value.labels)
    return routesFor(tree, labels)
      .filter((route) => route.resolvedAfterSuppression || isRecent(alert))
      .map((route) => ({ alert, group: groupId(route, groupLabels(route, labels)) }))
  })
  const ids = [...new Set(pairs.map(({ group }) => group))]
  if (ids.length === 0) return []
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
      if (waiting === undefined || isDone(waiting, alert)) return false
      // A group that no process flushes any more must not keep its alerts forever.
      return isRecent(alert) || (waiting.dueAt !== undefined && waiting.dueAt > since)
    })
    .map(({ alert }) => alert.id)
}
