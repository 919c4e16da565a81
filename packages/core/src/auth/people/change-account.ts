import { retryOnConflict, type Write } from '../../storage/storage.ts'
import type { Account } from '../accounts/account.ts'
import { loadToChange } from '../accounts/accounts.ts'
import type { UserRecord } from '../accounts/user-record.ts'
import { userCollection } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import { userNotFound } from '../errors.ts'
import type { AuthEvent } from '../events/auth-event.ts'
import { commitWithEvents } from '../events/outbox.ts'

/** A change of an account. */
export interface AccountChange<T> {
  readonly writes: readonly Write[]
  /** Changes of the user's own record. */
  readonly user?: Partial<UserRecord>
  readonly events?: readonly AuthEvent[]
  readonly answer: T
}

/**
 * Changes an account in one commit. A concurrent change makes `decide` run again on the new account: every change of an account
 * also writes the user's own record.
 *
 * @throws {GatehouseError} `UserNotFound`; or the error of `decide`, after which nothing has changed.
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
    await commitWithEvents(
      auth,
      [userCollection.write(userId, changed, { if: stored.user.version }), ...writes],
      events,
    )
    return answer
  })
}
