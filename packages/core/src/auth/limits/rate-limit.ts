import { sha256Hex } from '../../crypto/crypto.ts'
import type { GatehouseError } from '../../errors.ts'
import type { Instant } from '../../time/clock.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import type { BucketUse } from './limit-questions.ts'

/** Whether tokens of all buckets were taken. If not, the bucket that was short, and the wait until it has enough. */
export type Taken =
  | { readonly ok: true }
  | { readonly ok: false; readonly use: BucketUse; readonly waitMs: number }

/** Hashes the subjects, because they are personal addresses and must not appear in keys. */
function keyOf({ config }: AuthContext, { bucket, subject }: BucketUse): string {
  return `${bucket}:${sha256Hex(JSON.stringify([config.current.id, bucket, ...subject]))}`
}

/** How long a bucket takes to regain one token. */
const intervalOf = ({ period_ms, burst }: BucketUse): number => Math.floor(period_ms / burst)

/** When a bucket has room for one more use, given the instant at which it is empty; never for a use above its burst. @see GCRA */
function roomAt(use: BucketUse, emptyAt: Instant): Instant {
  const { burst, weight = 1 } = use
  return weight > burst ? Number.POSITIVE_INFINITY : emptyAt - burst * intervalOf(use) + costOf(use)
}

/** How long a bucket takes to regain the tokens of one use. */
const costOf = (use: BucketUse): number => Math.ceil((use.weight ?? 1) * intervalOf(use))

/** A bucket as it is stored. */
interface Level {
  readonly value: { readonly empty_at: Instant } | undefined
  readonly expiresAt?: Instant | undefined
}

/**
 * The level of a bucket now. A level far beyond that of a used-up bucket comes from a process whose clock was ahead. It counts as
 * used up now; otherwise its subject would wait until that clock's time. A level less than one period too high is kept: if clocks
 * differ a little, processes that corrected each other would give out extra tokens.
 */
function levelAt(use: BucketUse, stored: Level, now: Instant): Level {
  const fullMs = use.burst * intervalOf(use)
  if (stored.value === undefined || stored.value.empty_at <= now + 2 * fullMs) return stored
  const emptyAt = now + fullMs
  return { value: { empty_at: emptyAt }, expiresAt: emptyAt }
}

/**
 * Takes tokens of all buckets, or of none. Exact for any number of concurrent requests and processes.
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

/** @returns 0 if it was taken, otherwise the wait in ms. */
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

/** Gives tokens back. */
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

/** The error for a limit that was exceeded. */
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
