import { decodeInput, rawText } from '../../input/decode.ts'
import type { Instant } from '../../time/clock.ts'
import { lockoutCollection } from '../collections.ts'
import type { AuthContext } from '../context.ts'

/** How failed attempts stand against a user. */
export interface Lockout {
  /** How many have failed. */
  readonly attempts: number
  /** Until when nobody can sign in as the user, or nobody from an address; `null` if that is possible. */
  readonly locked_until: Instant | null
}

/** How failed attempts stand against a user. */
export async function getLockout(auth: AuthContext, userId: string): Promise<Lockout> {
  const record = await lockoutCollection.get(auth.storage, decodeInput('userId', rawText, userId))
  const now = auth.clock.now()
  const locks = Object.values(record?.value.locked_until ?? {}).filter((until) => now < until)
  return {
    attempts: record?.value.total ?? 0,
    locked_until: locks.length === 0 ? null : Math.max(...locks),
  }
}

/** Forgets the failed attempts against a user, and ends their locks. */
export async function resetLockout(auth: AuthContext, userId: string): Promise<void> {
  const id = decodeInput('userId', rawText, userId)
  await auth.queues.lockouts.decide(id, () => ({ value: undefined, answer: undefined }))
}
