import type { TypedRecord } from '../../../storage/collection.ts'
import type { RouteNode } from '../../routing/routing-tree.ts'
import type { StoredGroup } from './group.ts'

/** A group whose turn has come, as this process knows it. Times are on the scale of `monotonic()`. */
export interface GroupInTurn {
  readonly record: TypedRecord<StoredGroup> | undefined
  /** When it needs an action; `undefined` if it needs none. */
  readonly dueAt: number | undefined
  /** Whether it is flushed before it is due. */
  readonly isEarly: boolean
  /** The route of its alerts; `undefined` if it has none under this configuration. */
  readonly route: RouteNode | undefined
}

/** What to do with a group. */
export type GroupAction =
  | { readonly type: 'nothing' }
  | { readonly type: 'wait'; readonly until: number }
  | {
      readonly type: 'flush'
      readonly record: TypedRecord<StoredGroup>
      readonly route: RouteNode
    }
  | { readonly type: 'remove'; readonly record: TypedRecord<StoredGroup> }

/** A group that is overdue by this much, in ms, belongs to no running configuration. */
const abandonedMs = 60_000

/**
 * Decides about a group whose turn has come: another process may have flushed it, or claimed it, since it was due.
 *
 * @param holder this process. A claim of its own is one whose commit was not confirmed, or whose end could not be stored.
 */
export function actionFor(
  { record, dueAt, isEarly, route }: GroupInTurn,
  { now, holder }: { readonly now: number; readonly holder: string },
): GroupAction {
  if (record === undefined || dueAt === undefined) return { type: 'nothing' }
  const { claim } = record.value
  const isOwn = claim?.holder === holder
  const isFree = claim === undefined
  if (dueAt > now && !(isEarly && isFree) && !isOwn) return { type: 'wait', until: dueAt }
  if (route !== undefined) return { type: 'flush', record, route }
  // A group without alerts here may have some under the configuration of another process, which then flushes it.
  const abandonedAt = dueAt + abandonedMs
  return now < abandonedAt ? { type: 'wait', until: abandonedAt } : { type: 'remove', record }
}
