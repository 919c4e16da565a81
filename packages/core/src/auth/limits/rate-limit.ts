import { sha256Hex } from '../../crypto/crypto.ts'
import type { GatehouseError } from '../../errors.ts'
import type { Instant } from '../../time/clock.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import type { BucketUse } from './limit-questions.ts'

/** Whether a token was taken of every bucket. Of the one that had none: how long until it has. */
export type Taken =
  | { readonly ok: true }
  | { readonly ok: false; readonly use: BucketUse; readonly waitMs: number }

/** Subjects are addresses of people: they stand in no key. */
function keyOf({ config }: AuthContext, { bucket, subject }: BucketUse): string {
  return `${bucket}:${sha256Hex(JSON.stringify([config.current.id, bucket, ...subject]))}`
}

/** How long a bucket takes to get one token back. */
const intervalOf = ({ period_ms, burst }: BucketUse): number => Math.floor(period_ms / burst)

/** When a bucket has room for one more use, by the instant at which it is empty: for one above its burst never. @see GCRA */
function roomAt(use: BucketUse, emptyAt: Instant): Instant {
  const { burst, weight = 1 } = use
  return weight > burst ? Number.POSITIVE_INFINITY : emptyAt - burst * intervalOf(use) + costOf(use)
}

/** How long a bucket takes to get back what one use takes. */
const costOf = (use: BucketUse): number => Math.ceil((use.weight ?? 1) * intervalOf(use))

/** A bucket as it is stored. */
interface Level {
  readonly value: { readonly empty_at: Instant } | undefined
  readonly expiresAt?: Instant | undefined
}

/**
 * The level of a bucket now. One that says far more than a full bucket can was used by a process whose clock was ahead: it counts
 * as used up now, or its owner would wait until the time of that clock. What is less than a period too much stays: while clocks
 * differ a little, each process that took it back would let the others have it again.
 */
function levelAt(use: BucketUse, stored: Level, now: Instant): Level {
  const fullMs = use.burst * intervalOf(use)
  if (stored.value === undefined || stored.value.empty_at <= now + 2 * fullMs) return stored
  const emptyAt = now + fullMs
  return { value: { empty_at: emptyAt }, expiresAt: emptyAt }
}

/**
 * Takes a token of every bucket, or of none. Exact, however many ask at once and from however many processes.
 *
 * @see ITU-T I.371, the generic cell rate algorithm
 */
export async function takeTokens(auth: AuthContext, uses: readonly BucketUse[]): Promise<Taken> {
  for (const [index, use] of uses.entries()) {
    const waitMs = await takeToken(auth, use)
    if (waitMs === 0) continue
    await giveBack(auth, uses.slice(0, index))
    return { ok: false, use, waitMs }
  }
  return { ok: true }
}

/** @returns 0 if it was taken, else in how many ms it can be. */
function takeToken(auth: AuthContext, use: BucketUse): Promise<number> {
  const now = auth.clock.now()
  return auth.queues.buckets.decide<number>(keyOf(auth, use), (value, expiresAt) => {
    const level = levelAt(use, { value, expiresAt }, now)
    const emptyAt = Math.max(level.value?.empty_at ?? now, now)
    const waitMs = roomAt(use, emptyAt) - now
    if (waitMs > 0) return { ...level, answer: waitMs }
    const next = emptyAt + costOf(use)
    return { value: { empty_at: next }, expiresAt: next, answer: 0 }
  })
}

/** Gives back tokens that were taken. */
export async function giveBack(auth: AuthContext, uses: readonly BucketUse[]): Promise<void> {
  for (const use of uses) {
    await auth.queues.buckets.decide(keyOf(auth, use), (value, expiresAt) => {
      const now = auth.clock.now()
      const level = levelAt(use, { value, expiresAt }, now)
      if (level.value === undefined) return { ...level, answer: undefined }
      const emptyAt = level.value.empty_at - costOf(use)
      if (emptyAt <= now) return { value: undefined, answer: undefined }
      return { value: { empty_at: emptyAt }, expiresAt: emptyAt, answer: undefined }
    })
  }
}

/** When a bucket has a token again; now or earlier if it has one. Takes none. */
export async function nextTokenAt(auth: AuthContext, use: BucketUse): Promise<Instant> {
  const now = auth.clock.now()
  return auth.queues.buckets.decide(keyOf(auth, use), (value, expiresAt) => {
    const level = levelAt(use, { value, expiresAt }, now)
    return { ...level, answer: roomAt(use, level.value?.empty_at ?? 0) }
  })
}

/** Something was asked for too often. */
export function rateLimited({ bucket, limit }: BucketUse, waitMs: number): GatehouseError {
  const named = limit === undefined ? {} : { rate_limit_name: limit.group, rate_limit: limit }
  return authError('TooManyRequest', 'RateLimited', 'request rate limited', {
    bucket_name: bucket,
    ...named,
    ...(Number.isFinite(waitMs)
      ? { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) }
      : {}),
  })
}
