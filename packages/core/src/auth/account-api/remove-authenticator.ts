import { decodeInput, rawText } from '../../input/decode.ts'
import type { Write } from '../../storage/storage.ts'
import { removalsOf } from '../accounts/owned-records.ts'
import type { Account, AuthenticatorRecord } from '../accounts/records.ts'
import {
  authenticatorCollection,
  deviceTokenCollection,
  recoveryCodeCollection,
} from '../collections.ts'
import type { AuthContext } from '../context.ts'
import { authError, invariantViolated } from '../errors.ts'
import { eventAuthenticator } from '../events/event-records.ts'
import { changeAccount } from '../users/change-account.ts'
import { type AccountHolder, accountEvents, holderId } from './account-holder.ts'
import { holderInput } from './account-input.ts'
import { checkFresh } from './fresh.ts'
import { type RemovalOptions, removalOptions } from './remove-identity.ts'
import { losesLastWayIn } from './ways-in.ts'

/**
 * Removes an authenticator of a user. With the last second factor, the recovery codes and trusted devices are removed too, since
 * they stand in for it.
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
  const holder = decodeInput('holder', holderInput, of)
  const id = decodeInput('id', rawText, recordId)
  const options = decodeInput('options', removalOptions, how)
  if (typeof holder !== 'string') checkFresh(auth, holder, options)
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

/** The records that are useless without a second factor. */
async function standInsOf(
  { storage }: AuthContext,
  { kind, user_id: userId }: AuthenticatorRecord,
  after: Account,
): Promise<readonly Write[]> {
  if (kind !== 'secondary' || hasSecond(after)) return []
  return [
    ...(await removalsOf(storage, recoveryCodeCollection, userId)),
    ...(await removalsOf(storage, deviceTokenCollection, userId)),
  ]
}
