import {
  anyText,
  decodeInput,
  exactly,
  flag,
  json,
  nullable,
  optional,
  rawText,
  recordOf,
} from '../../input/decode.ts'
import { type InstantInput, instant } from '../../input/instant.ts'
import { retryOnConflict, type Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { attributeWrites } from '../accounts/attribute-index.ts'
import { deviceTokenCollection } from '../accounts/device-token-record.ts'
import { removalsOf } from '../accounts/owned-records.ts'
import type { Attributes, UserRecord } from '../accounts/user-record.ts'
import { userCollection } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import { userNotFound } from '../errors.ts'
import { eventUser } from '../events/event-records.ts'
import { commitWithEvents, hostEvent } from '../events/outbox.ts'

/** The changes that the host can make to a user; `null` for no instant. */
export interface UserChanges {
  readonly is_disabled?: boolean
  readonly disable_reason?: string | null
  /** When {@link startMaintenance} deletes the user, who cannot log in meanwhile. */
  readonly delete_at?: InstantInput | null
  /** When {@link startMaintenance} anonymizes the user, who cannot log in meanwhile. */
  readonly anonymize_at?: InstantInput | null
  readonly account_valid_from?: InstantInput | null
  readonly account_valid_until?: InstantInput | null
  readonly mfa_grace_end?: InstantInput | null
  readonly standard_attributes?: Attributes
  readonly custom_attributes?: Attributes
}

/** {@link UserChanges}, decoded. */
type DecodedChanges = Partial<Pick<UserRecord, keyof UserChanges>>

const optionalInstant = optional(nullable(instant))

const decodeChanges = exactly<DecodedChanges>({
  is_disabled: optional(flag),
  disable_reason: optional(nullable(anyText)),
  delete_at: optionalInstant,
  anonymize_at: optionalInstant,
  account_valid_from: optionalInstant,
  account_valid_until: optionalInstant,
  mfa_grace_end: optionalInstant,
  standard_attributes: optional(recordOf(json)),
  custom_attributes: optional(recordOf(json)),
})

/**
 * Changes a user. Omitted values stay.
 *
 * @throws {GatehouseError} `InvalidInput`; `UserNotFound`
 */
export async function updateUser(
  auth: AuthContext,
  userId: string,
  changes: UserChanges,
): Promise<void> {
  const id = decodeInput('userId', rawText, userId)
  await changeUser(auth, id, decodeInput('changes', decodeChanges, changes))
}

function changeUser(auth: AuthContext, userId: string, changes: DecodedChanges): Promise<void> {
  return retryOnConflict(async () => {
    const stored = await userCollection.get(auth.storage, userId)
    if (stored === undefined) throw userNotFound({})
    const user: UserRecord = {
      ...stored.value,
      ...changes,
      ...(changes.delete_at === undefined ? {} : { delete_by: whoDeletes(changes.delete_at) }),
      updated_at: auth.clock.now(),
    }
    const payload = { user: eventUser({ ...user, id: userId }) }
    const event = hostEvent(auth, 'user.profile.updated', payload, userId)
    await commitWithEvents(
      auth,
      [
        userCollection.write(userId, user, { if: stored.version }),
        ...attributeWrites(userId, stored.value, user),
        ...(await endedTrust(auth, userId, changes)),
      ],
      [event],
    )
  })
}

/** A user who is enabled again shows the second factor again. */
const endedTrust = async (
  { storage }: AuthContext,
  userId: string,
  { is_disabled: isDisabled }: DecodedChanges,
): Promise<readonly Write[]> =>
  isDisabled === true ? removalsOf(storage, deviceTokenCollection, userId) : []

/** A withdrawn deletion has no originator any more. */
const whoDeletes = (deleteAt: Instant | null): UserRecord['delete_by'] =>
  deleteAt === null ? null : 'admin'

/** Options of {@link disableUser}. */
export interface DisableUserOptions {
  /** Shown to the user at login. */
  readonly reason?: string
}

const decodeDisable = exactly<DisableUserOptions>({ reason: optional(anyText) })

/**
 * Disables a user. Sessions stop resolving at once, and devices are trusted no more.
 *
 * @throws {GatehouseError} `UserNotFound`
 */
export async function disableUser(
  auth: AuthContext,
  userId: string,
  options: DisableUserOptions = {},
): Promise<void> {
  const { reason } = decodeInput('options', decodeDisable, options)
  await updateUser(auth, userId, { is_disabled: true, disable_reason: reason ?? null })
}

/**
 * Enables a user again.
 *
 * @throws {GatehouseError} `UserNotFound`
 */
export function enableUser(auth: AuthContext, userId: string): Promise<void> {
  return updateUser(auth, userId, { is_disabled: false, disable_reason: null })
}
