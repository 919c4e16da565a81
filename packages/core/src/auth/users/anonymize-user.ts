import { decodeInput, rawText } from '../../input/decode.ts'
import { ownedRemovals } from '../accounts/owned-records.ts'
import type { AuthContext } from '../context.ts'
import { hostEvent } from '../events/outbox.ts'
import { changeAccount } from './change-account.ts'

/**
 * Forgets who a user is: all that belongs to them goes, and what is known of them. What stays is the id, for what the host keeps under
 * it, and that nobody signs in by it any more. Their login IDs can be taken by others from then on.
 *
 * @throws {GatehouseError} `UserNotFound`
 * @see Authgear, user anonymization
 */
export async function anonymizeUser(auth: AuthContext, id: string): Promise<void> {
  const userId = decodeInput('id', rawText, id)
  await changeAccount(auth, userId, async () => ({
    writes: await ownedRemovals(auth.storage, userId),
    user: {
      is_anonymized: true,
      anonymize_at: null,
      disable_reason: null,
      last_login_at: null,
      standard_attributes: {},
      custom_attributes: {},
    },
    events: [hostEvent(auth, 'user.anonymized', { user: { id: userId } }, userId)],
    answer: undefined,
  }))
}
