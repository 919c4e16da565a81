import { decodeInput, rawText } from '../../input/decode.ts'
import { ownedRemovals } from '../accounts/owned-records.ts'
import type { AuthContext } from '../context.ts'
import { hostEvent } from '../events/outbox.ts'
import { changeAccount } from './change-account.ts'

/**
 * Anonymizes a user: removes everything that belongs to the user, and all attributes. The id stays, for the host's own records;
 * nobody can sign in as the user any more. The user's login IDs become free for others.
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
