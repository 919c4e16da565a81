import type { Instant } from '../../clock.ts'
import { passwordOf } from '../authenticators/password.ts'
import { authenticatorCollection } from '../collections.ts'
import type { AuthContext } from '../context.ts'
import type { PasswordAuthenticator } from '../records.ts'
import { changeAccount } from '../users/change-account.ts'
import { hashChecked } from '../users/create-user.ts'
import { changedAt, historyWrites } from './password-writes.ts'

/** Options of {@link setPassword}. */
export interface SetPasswordOptions {
  /** From then on it must be changed at sign-in; for one that is handed out. */
  readonly expireAfter?: Instant
  /** Since when the user has it, in ms since the Unix epoch; its age is counted from then on (default now). */
  readonly updatedAt?: Instant
}

/**
 * Gives a user a primary password.
 *
 * @throws {GatehouseError} `UserNotFound`, `PasswordPolicyViolated`
 */
export async function setPassword(
  auth: AuthContext,
  userId: string,
  password: string,
  { expireAfter, updatedAt }: SetPasswordOptions = {},
): Promise<void> {
  const hash = await hashChecked(auth, password)
  await changeAccount(auth, userId, async (account) => {
    const stored = passwordOf(account, 'primary')
    const updated_at = changedAt(stored, updatedAt ?? auth.clock.now())
    const record: PasswordAuthenticator = {
      type: 'password',
      kind: 'primary',
      user_id: userId,
      created_at: stored?.created_at ?? updated_at,
      updated_at,
      hash,
      expire_after: expireAfter ?? null,
    }
    return {
      writes: [
        authenticatorCollection.write(stored?.id ?? auth.ids.random(), record),
        ...(await historyWrites({ auth }, userId, hash, updated_at)),
      ],
      answer: undefined,
    }
  })
}
