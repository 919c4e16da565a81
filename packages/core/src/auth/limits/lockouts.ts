import { decodeInput, rawText } from '../../input/decode.ts'
import type { Instant } from '../../time/clock.ts'
import { lockoutCollection } from '../collections.ts'
import type { AuthContext } from '../context.ts'

/** The failed attempts against a user. */
export interface Lockout {
  /** The number of failed attempts. */
  readonly attempts: number
  /** The end of the lock, of the whole account or of an address; `null` without a lock. */
  readonly locked_until: Instant | null
}

/** The failed attempts against a user. */
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
