import { decodeInput, rawText } from '../../input/decode.ts'
import { ownedRemovals } from '../accounts/owned-records.ts'
import type { AuthContext } from '../context.ts'
import { hostEvent } from '../events/outbox.ts'
import { changeAccount } from './change-account.ts'
import type { UserEnd } from './delete-user.ts'

/**
 * Anonymizes a user: removes everything that belongs to the user, and all attributes. The id stays, for the host's own records;
 * nobody can sign in as the user any more. The user's login IDs become free for others.
 *
 * @throws {GatehouseError} `UserNotFound`
 * @see Authgear, user anonymization
 */
export async function anonymizeUser(auth: AuthContext, id: string): Promise<void> {
  const end: UserEnd = { triggeredBy: 'admin_api', isDue: () => true }
  await makeAnonymous(auth, decodeInput('id', rawText, id), end)
}

/** {@link anonymizeUser} if the user is still due. */
export async function makeAnonymous(
  auth: AuthContext,
  userId: string,
  { triggeredBy, isDue }: UserEnd,
): Promise<void> {
  const ended = await changeAccount(auth, userId, async ({ user }) => {
    if (!isDue(user)) return { writes: [], answer: undefined }
    const apps = await auth.bridge.current?.apps?.end(auth.storage, userId)
    const payload = { user: { id: userId } }
    return {
      writes: [...(await ownedRemovals(auth.storage, userId)), ...(apps?.writes ?? [])],
      user: {
        is_anonymized: true,
        anonymize_at: null,
        disable_reason: null,
        last_login_at: null,
        standard_attributes: {},
        custom_attributes: {},
      },
      events: [hostEvent(auth, 'user.anonymized', payload, userId, triggeredBy)],
      answer: apps,
    }
  })
  await ended?.clear()
}
