import { retryOnConflict } from '../storage.ts'
import { mostOfAKind } from './accounts.ts'
import { authenticatorCollection, userCollection } from './collections.ts'
import type { AuthContext } from './context.ts'
import { hashChecked } from './create-user.ts'
import { userNotFound } from './errors.ts'
import { historyWrites } from './fact-writes.ts'
import type { PasswordAuthenticator } from './records.ts'

/** Options of {@link setPassword}. */
export interface SetPasswordOptions {
  /** From then on it must be changed at sign-in; for one that is handed out. */
  readonly expireAfter?: number
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
  { expireAfter }: SetPasswordOptions = {},
): Promise<void> {
  const { storage, clock, ids } = auth
  const hash = await hashChecked(auth, password)
  await retryOnConflict(async () => {
    const user = await userCollection.get(storage, userId)
    if (user === undefined) throw userNotFound({})
    const found = await authenticatorCollection.find(storage, {
      by: 'user_id',
      equals: userId,
      limit: mostOfAKind,
    })
    const stored = found.find(({ value }) => value.type === 'password' && value.kind === 'primary')
    const now = clock.now()
    const record: PasswordAuthenticator = {
      type: 'password',
      kind: 'primary',
      user_id: userId,
      created_at: stored?.value.created_at ?? now,
      updated_at: now,
      hash,
      expire_after: expireAfter ?? null,
    }
    await storage.commit([
      { collection: userCollection, id: userId, check: user.version },
      authenticatorCollection.write(stored?.id ?? ids.random(), record, {
        if: stored?.version ?? 'absent',
      }),
      ...(await historyWrites({ auth }, userId, hash)),
    ])
  })
}
