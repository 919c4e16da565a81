import type { Instant } from '../../clock.ts'
import { retryOnConflict } from '../../storage.ts'
import { userCollection } from '../collections.ts'
import type { AuthContext } from '../context.ts'
import { userNotFound } from '../errors.ts'
import { hostEvent, outboxWrites } from '../events/outbox.ts'
import { toldUser } from '../events/told-records.ts'
import type { UserRecord } from '../records.ts'

/** What the host may change of a user. Instants are in ms since the Unix epoch, `null` for none. */
export type UserChanges = Partial<
  Pick<
    UserRecord,
    | 'is_disabled'
    | 'disable_reason'
    | 'delete_at'
    | 'account_valid_from'
    | 'account_valid_until'
    | 'mfa_grace_end'
    | 'standard_attributes'
    | 'custom_attributes'
  >
>

/**
 * Changes a user; what is not given stays.
 *
 * @throws {GatehouseError} `UserNotFound`
 */
export function updateUser(auth: AuthContext, userId: string, changes: UserChanges): Promise<void> {
  return retryOnConflict(async () => {
    const stored = await userCollection.get(auth.storage, userId)
    if (stored === undefined) throw userNotFound({})
    const user: UserRecord = {
      ...stored.value,
      ...changes,
      ...(changes.delete_at === undefined ? {} : { delete_by: whoDeletes(changes.delete_at) }),
      updated_at: auth.clock.now(),
    }
    const told = { user: toldUser({ ...user, id: userId }) }
    const event = hostEvent(auth, 'user.profile.updated', told, userId)
    await auth.storage.commit([
      userCollection.write(userId, user, { if: stored.version }),
      ...outboxWrites(auth, [event]),
    ])
  })
}

/** Whoever takes a deletion back, it is nobody's any more. */
const whoDeletes = (deleteAt: Instant | null): UserRecord['delete_by'] =>
  deleteAt === null ? null : 'admin'

/** Options of {@link disableUser}. */
export interface DisableUserOptions {
  /** What the user is told at sign-in. */
  readonly reason?: string
}

/**
 * Lets a user sign in no more. Sessions stop to resolve at once.
 *
 * @throws {GatehouseError} `UserNotFound`
 */
export function disableUser(
  auth: AuthContext,
  userId: string,
  { reason }: DisableUserOptions = {},
): Promise<void> {
  return updateUser(auth, userId, { is_disabled: true, disable_reason: reason ?? null })
}

/**
 * Lets a user sign in again.
 *
 * @throws {GatehouseError} `UserNotFound`
 */
export function enableUser(auth: AuthContext, userId: string): Promise<void> {
  return updateUser(auth, userId, { is_disabled: false, disable_reason: null })
}
