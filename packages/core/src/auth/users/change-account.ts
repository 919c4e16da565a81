import { retryOnConflict, type Write } from '../../storage/storage.ts'
import { loadToChange } from '../accounts/accounts.ts'
import type { Account, UserRecord } from '../accounts/records.ts'
import { userCollection } from '../collections.ts'
import type { AuthContext } from '../context.ts'
import { userNotFound } from '../errors.ts'
import { outboxWrites } from '../events/outbox.ts'
import type { AuthEvent } from '../ports.ts'

/** What is to become of an account. */
export interface AccountChange<T> {
  readonly writes: readonly Write[]
  /** What changes of the user's own record. */
  readonly user?: Partial<UserRecord>
  readonly events?: readonly AuthEvent[]
  readonly answer: T
}

/**
 * Changes an account as a whole, in one commit. Whatever else changes it at the same time makes this be decided again, on what is then
 * there: everything that gives a user something or takes it away writes the user's own record too.
 *
 * @throws {GatehouseError} `UserNotFound`; whatever `decide` refuses with, and nothing has changed then.
 */
export function changeAccount<T>(
  auth: AuthContext,
  userId: string,
  decide: (account: Account) => AccountChange<T> | Promise<AccountChange<T>>,
): Promise<T> {
  return retryOnConflict(async () => {
    const stored = await loadToChange(auth.storage, userId)
    if (stored === undefined) throw userNotFound({})
    const { writes, user = {}, events = [], answer } = await decide(stored.account)
    const changed = { ...stored.user.value, updated_at: auth.clock.now(), ...user }
    await auth.storage.commit([
      userCollection.write(userId, changed, { if: stored.user.version }),
      ...writes,
      ...outboxWrites(auth, events),
    ])
    return answer
  })
}
