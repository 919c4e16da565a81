import { decodeInput } from '../../input/decode.ts'
import { deviceTokenCollection } from '../accounts/device-token-record.ts'
import { removalsOf } from '../accounts/owned-records.ts'
import type { AuthContext } from '../context.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { requestContext } from '../flows/operation-input.ts'
import { changeAccount } from '../people/change-account.ts'
import { type AccountHolder, accountEvents, holderId } from './account-holder.ts'
import { holderInput } from './account-input.ts'
import { checkOwn } from './fresh.ts'

/**
 * Revokes all trusted devices of a user: each asks for the second factor at its next login. Returns how many there were.
 *
 * @throws {GatehouseError} `UserNotFound`
 */
export async function revokeDeviceTokens(
  auth: AuthContext,
  of: AccountHolder,
  given: RequestContext = {},
): Promise<number> {
  const holder = decodeInput('holder', holderInput, of)
  const context = decodeInput('context', requestContext, given)
  if (typeof holder !== 'string') checkOwn(holder)
  const userId = holderId(holder)
  const eventOf = accountEvents(auth, holder, { ...context, name: 'revoke_device_tokens' })
  return changeAccount(auth, userId, async () => {
    const writes = await removalsOf(auth.storage, deviceTokenCollection, userId)
    const count = writes.length
    const events = count === 0 ? [] : [eventOf('device_tokens.revoked', { count })]
    return { writes, events, answer: count }
  })
}
