import type { Write } from '../../storage/storage.ts'
import type { Account, Identified } from '../accounts/account.ts'
import { maxOfAKind } from '../accounts/accounts.ts'
import type { AuthenticatorRecord } from '../accounts/authenticator-record.ts'
import { authenticatorCollection } from '../accounts/authenticator-record.ts'
import { type DeviceTokenRecord, deviceTokenCollection } from '../accounts/device-token-record.ts'
import { removalsOf } from '../accounts/owned-records.ts'
import { recoveryCodeCollection } from '../accounts/recovery-code-record.ts'
import type { AuthContext } from '../context.ts'
import { authError, invariantViolated } from '../errors.ts'
import { eventAuthenticator } from '../events/event-records.ts'
import { changeAccount } from '../people/change-account.ts'
import { type AccountHolder, accountEvents, holderId } from './account-holder.ts'
import { decodeRemoval, type RemovalOptions } from './remove-identity.ts'
import { losesLastWayIn } from './ways-in.ts'

/**
 * Removes an authenticator of a user. Devices that were trusted by a second factor are trusted no more without it. With the last
 * second factor, the recovery codes are removed too, since they stand in for it.
 *
 * @throws {GatehouseError} `AuthenticatorNotFound`, also for one of another user; `InvariantViolated`:
 * `RemoveLastPrimaryAuthenticator` if the user could not sign in without it, `RemoveLastSecondaryAuthenticator` if a second
 * factor is required; `UserNotFound`; for a session `ReauthenticationRequired`.
 */
export async function removeAuthenticator(
  auth: AuthContext,
  of: AccountHolder,
  recordId: string,
  how: RemovalOptions = {},
): Promise<void> {
  const { holder, id, options } = decodeRemoval(auth, of, recordId, how)
  const eventOf = accountEvents(auth, holder, { ...options, name: 'remove_authenticator' })
  await changeAccount(auth, holderId(holder), async (account) => {
    const found = account.authenticators.find((one) => one.id === id)
    if (found === undefined) {
      throw authError('NotFound', 'AuthenticatorNotFound', 'authenticator not found')
    }
    const others = account.authenticators.filter((one) => one.id !== id)
    const after = { ...account, authenticators: others }
    if (options.force !== true) checkRemovable(found, { before: account, after }, auth)
    return {
      writes: [authenticatorCollection.remove(id), ...(await standInsOf(auth, found, after))],
      events: [eventOf('authenticator.removed', { authenticator: eventAuthenticator(found) })],
      answer: undefined,
    }
  })
}

const hasSecond = ({ authenticators }: Account): boolean =>
  authenticators.some(({ kind }) => kind === 'secondary')

function checkRemovable(
  { kind }: AuthenticatorRecord,
  { before, after }: { readonly before: Account; readonly after: Account },
  { config: { current: config } }: AuthContext,
): void {
  if (losesLastWayIn(before, after, config)) {
    throw invariantViolated(
      'RemoveLastPrimaryAuthenticator',
      'the user could not sign in without it',
    )
  }
  const isRequired = config.authentication.secondary_authentication_mode === 'required'
  if (kind === 'secondary' && isRequired && !hasSecond(after)) {
    throw invariantViolated('RemoveLastSecondaryAuthenticator', 'a second factor is required')
  }
}

/** The records that stand for a second factor: trusted devices for this one, recovery codes for all. */
async function standInsOf(
  { storage }: AuthContext,
  { id, kind, user_id: userId }: Identified<AuthenticatorRecord>,
  after: Account,
): Promise<readonly Write[]> {
  if (kind !== 'secondary') return []
  const others = after.authenticators.map((one) => one.id)
  const isOfAnother = ({ authenticator_id: factor = null }: DeviceTokenRecord): boolean =>
    factor !== null && factor !== id && others.includes(factor)
  const query = { by: 'user_id', equals: userId, limit: maxOfAKind } as const
  const devices = await deviceTokenCollection.find(storage, query)
  return [
    ...devices
      .filter(({ value }) => !isOfAnother(value))
      .map((device) => deviceTokenCollection.remove(device.id)),
    ...(hasSecond(after) ? [] : await removalsOf(storage, recoveryCodeCollection, userId)),
  ]
}
