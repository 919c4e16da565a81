import type { TypedRecord } from '../../../storage/collection.ts'
import { isConflict, type Storage, type Write } from '../../../storage/storage.ts'
import type { Instant } from '../../../time/clock.ts'
import type { StoredAlert } from '../../alert/alert.ts'
import { firstDueAt } from './flush-times.ts'
import { groupCollection, newGroup, type StoredGroup } from './group.ts'
import type { GroupTimers } from './group-timers.ts'
import type { GroupMembers, MemberGroup } from './members.ts'

/** The part of a stored group that says which alerts have left it. */
type Ended = Pick<StoredGroup, 'done'>

/** Whether an alert has left its group: it was resolved, its resolution was sent, and it has not changed since. */
export const isDone = ({ done }: Ended, { id, version }: TypedRecord<StoredAlert>): boolean =>
  Object.hasOwn(done, id) && done[id] === version

/** The alerts that are in a group now. */
export function presentAlerts(
  { alerts }: MemberGroup,
  group: Ended | undefined,
): TypedRecord<StoredAlert>[] {
  const all = [...alerts.values()]
  return group === undefined ? all : all.filter((alert) => !isDone(group, alert))
}

/** The most groups that one commit creates. */
const groupsPerCommit = 200

/**
 * Makes every group with alerts due at some time, and removes groups whose alerts are gone.
 *
 * @param ids groups that may have changed.
 * @returns the groups to check again, because another process changed them.
 */
export async function armGroups(
  storage: Storage,
  ids: readonly string[],
  { members, timers, now }: { members: GroupMembers; timers: GroupTimers; now: Instant },
): Promise<readonly string[]> {
  const again: string[] = []
  const wanted: { id: string; write: Write }[] = []
  for (const id of ids) {
    const write = writeFor(members.group(id), timers.get(id), { id, now })
    if (write !== undefined) wanted.push({ id, write })
  }
  for (let at = 0; at < wanted.length; at += groupsPerCommit) {
    const part = wanted.slice(at, at + groupsPerCommit)
    if (await isMade(storage, part)) continue
    for (const one of part) if (!(await isMade(storage, [one]))) again.push(one.id)
  }
  return again
}

async function isMade(storage: Storage, wanted: readonly { write: Write }[]): Promise<boolean> {
  try {
    await storage.commit(wanted.map(({ write }) => write))
    return true
  } catch (error) {
    if (isConflict(error)) return false
    throw error
  }
}

function writeFor(
  members: MemberGroup | undefined,
  record: TypedRecord<StoredGroup> | undefined,
  { id, now }: { id: string; now: Instant },
): Write | undefined {
  const group = record?.value
  if (group !== undefined && (group.dueAt !== undefined || group.claim !== undefined))
    return undefined
  if (members === undefined) {
    return record === undefined ? undefined : groupCollection.remove(id, record.version)
  }
  const [creator] = presentAlerts(members, group).sort(byArrival)
  if (creator === undefined) return undefined
  // The clock of another process that accepted the alert may be ahead of this one.
  const dueAt = Math.min(firstDueAt(creator.value, members.route), now + members.route.groupWaitMs)
  return record === undefined
    ? groupCollection.write(id, newGroup(members.route, members.labels, dueAt), { if: 'absent' })
    : groupCollection.write(id, { ...record.value, dueAt }, { if: record.version })
}

/** The first alert to arrive creates its group. */
export const byArrival = (a: TypedRecord<StoredAlert>, b: TypedRecord<StoredAlert>): number =>
  a.value.updatedAt - b.value.updatedAt
