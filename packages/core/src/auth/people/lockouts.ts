import { decodeInput, rawText } from '../../input/decode.ts'
import type { Instant } from '../../time/clock.ts'
import { lockoutCollection } from '../accounts/lockout-record.ts'
import type { LockoutConfig } from '../config/config.ts'
import type { AuthContext } from '../context.ts'
import { isAddress } from '../limits/lockout.ts'

/** The failed attempts against a user. */
export interface Lockout {
  /** The number of failed attempts. */
  readonly attempts: number
  /** Whether locks are for the whole account or for single addresses, as configured; `null` if there is no lockout. */
  readonly lockout_type: LockoutConfig['lockout_type'] | null
  /** The end of the last lock, of the whole account or of an address; `null` without a lock. */
  readonly locked_until: Instant | null
  /** The locked IP addresses; empty if the whole account is locked. */
  readonly addresses: readonly { readonly ip: string; readonly locked_until: Instant }[]
}

/** The failed attempts against a user. */
export async function getLockout(auth: AuthContext, userId: string): Promise<Lockout> {
  const record = await lockoutCollection.get(auth.storage, decodeInput('userId', rawText, userId))
  const now = auth.clock.now()
  const locks = Object.entries(record?.value.locked_until ?? {}).filter(([, until]) => now < until)
  return {
    attempts: record?.value.total ?? 0,
    lockout_type: auth.config.current.authentication.lockout?.lockout_type ?? null,
    locked_until: locks.reduce<Instant | null>(
      (last, [, until]) => Math.max(last ?? 0, until),
      null,
    ),
    addresses: locks.flatMap(([ip, locked_until]) => (isAddress(ip) ? [{ ip, locked_until }] : [])),
  }
}

/** Forgets the failed attempts against a user, and ends their locks. */
export async function resetLockout(auth: AuthContext, userId: string): Promise<void> {
  const id = decodeInput('userId', rawText, userId)
  await auth.queues.lockouts.decide(id, () => ({ value: undefined, answer: undefined }))
}
