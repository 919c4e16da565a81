import { type Decode, decodeInput, flag, objectOf, optional, rawText } from '../../input/decode.ts'
import type { Account } from '../accounts/account.ts'
import type { IdentityRecord } from '../accounts/identity-record.ts'
import { identityRemovalWrites, withoutIdentity } from '../accounts/identity-removal.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import type { AuthContext } from '../context.ts'
import { identityNotFound, invariantViolated, modifyDisabled } from '../errors.ts'
import { eventIdentity } from '../events/event-records.ts'
import { removedEvent } from '../events/identity-events.ts'
import { followedAttributes } from '../flows/finish/population.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { requestFields } from '../flows/operation-input.ts'
import { loginIdKeyOf } from '../kinds/login-id/login-id-key.ts'
import { changeAccount } from '../people/change-account.ts'
import { type AccountHolder, accountEvents, holderId } from './account-holder.ts'
import { freshFields, holderInput } from './account-input.ts'
import { checkFresh, type FreshOptions } from './fresh.ts'
import { losesLastWayIn } from './ways-in.ts'

/** Options of {@link removeIdentity} and {@link removeAuthenticator}. */
export interface RemovalOptions extends RequestContext, FreshOptions {
  /** Remove it even if the configuration forbids it or the user can no longer sign in (default false). */
  readonly force?: boolean
}

const removalOptions: Decode<RemovalOptions> = objectOf<RemovalOptions>({
  ...requestFields,
  ...freshFields,
  force: optional(flag),
})

/** The arguments of an operation that removes a record of an account, checked. */
interface Removal {
  readonly holder: AccountHolder
  readonly id: string
  readonly options: RemovalOptions
}

/**
 * Checks the arguments of an operation that removes a record of an account, and that a session is fresh enough for it.
 *
 * @throws {GatehouseError} `InvalidInput`; for a session `ReauthenticationRequired`.
 */
export function decodeRemoval(
  auth: AuthContext,
  of: AccountHolder,
  recordId: string,
  how: RemovalOptions,
): Removal {
  const holder = decodeInput('holder', holderInput, of)
  const id = decodeInput('id', rawText, recordId)
  const options = decodeInput('options', removalOptions, how)
  if (typeof holder !== 'string') checkFresh(auth, holder, options)
  return { holder, id, options }
}

/**
 * Removes an identity of a user, and what depends on it alone: the verification of its address, and first factors that send codes
 * to it. The identity becomes free for others.
 *
 * @throws {GatehouseError} `IdentityNotFound`, also for one of another user; `InvariantViolated`: `IdentityModifyDisabled` if the
 * configuration has `delete_disabled`, `RemoveLastIdentity` if it is the last one or the last way to sign in; `UserNotFound`; for
 * a session `ReauthenticationRequired`.
 */
export async function removeIdentity(
  auth: AuthContext,
  of: AccountHolder,
  recordId: string,
  how: RemovalOptions = {},
): Promise<void> {
  const { holder, id, options } = decodeRemoval(auth, of, recordId, how)
  const eventOf = accountEvents(auth, holder, { ...options, name: 'remove_identity' })
  await changeAccount(auth, holderId(holder), (account) => {
    const identity = account.identities.find((one) => one.id === id)
    if (identity === undefined) throw identityNotFound()
    const after = withoutIdentity(account, identity)
    if (options.force !== true) checkRemovable(identity, { before: account, after }, auth)
    const standard_attributes = followedAttributes(account.user.standard_attributes, {
      before: account.identities,
      after: after.identities,
      fills: false,
    })
    return {
      writes: identityRemovalWrites(account, identity),
      user: { standard_attributes },
      events: [eventOf(removedEvent(identity), { identity: eventIdentity(identity) })],
      answer: undefined,
    }
  })
}

function checkRemovable(
  identity: IdentityRecord,
  { before, after }: { readonly before: Account; readonly after: Account },
  { config: { current: config } }: AuthContext,
): void {
  if (isDeleteDisabled(identity, config)) throw modifyDisabled()
  if (after.identities.length > 0 && !losesLastWayIn(before, after, config)) return
  throw invariantViolated('RemoveLastIdentity', 'the user could not sign in without it')
}

/** Whether the configuration forbids users to remove the identity. */
function isDeleteDisabled(identity: IdentityRecord, config: LoadedAuthConfig): boolean {
  if (identity.type === 'login_id') return loginIdKeyOf(identity, config)?.delete_disabled === true
  if (identity.type !== 'oauth') return false
  const { providers } = config.identity.oauth
  return providers.some(
    ({ alias, delete_disabled }) => alias === identity.provider_alias && delete_disabled,
  )
}
