import type { Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { statusProblem } from '../accounts/account-status.ts'
import { sessionCollection } from '../accounts/session-record.ts'
import { type UserRecord, userCollection } from '../accounts/user-record.ts'
import type { EndedSessions } from '../flow/session/authorization-bridge.ts'

/** The sessions that end with these writes; `undefined` if none does. */
export function endedBy(writes: readonly Write[], now: Instant): EndedSessions | undefined {
  const sessions: string[] = []
  const users: string[] = []
  for (const write of writes) {
    const { collection, id } = write
    if (!('value' in write)) continue
    if (collection === sessionCollection && write.value === undefined) sessions.push(id)
    if (collection !== userCollection || write.value === undefined) continue
    // The type of the collection says what it stores.
    if (statusProblem(write.value as unknown as UserRecord, now) !== undefined) users.push(id)
  }
  return sessions.length + users.length === 0 ? undefined : { sessions, users }
}
