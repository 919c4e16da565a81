import { sha256Hex } from '../../crypto/crypto.ts'
import type { GatehouseError } from '../../errors.ts'
import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import type { Content, DecisionQueue } from '../../storage/decision-queue.ts'
import { number, objectOf } from '../../storage/record-check.ts'
import type { Clock, Instant } from '../../time/clock.ts'
import type { WithConfig } from '../config/config.ts'
import { authError } from '../errors.ts'
import type { BucketUse } from './limit-questions.ts'

/** The buckets of rate limits, each stored as the instant at which it is empty again. */
export const bucketCollection: TypedCollection<{ readonly empty_at: Instant }> = defineCollection({
  name: 'auth_buckets',
  check: objectOf<{ readonly empty_at: Instant }>({ empty_at: number }),
})

/** What the uses of rate limits are counted with. */
export interface BucketPorts extends WithConfig {
  readonly clock: Clock
  readonly queues: { readonly buckets: DecisionQueue<{ readonly empty_at: Instant }> }
}

/** Whether tokens of all buckets were taken. If not, the bucket that was short, and the wait until it has enough. */
export type Taken =
  | { readonly ok: true }
  | { readonly ok: false; readonly use: BucketUse; readonly waitMs: number }

/** Hashes the subjects, because they are personal addresses and must not appear in keys. */
function keyOf({ config }: WithConfig, { bucket, subject }: BucketUse): string {
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

/** A bucket as it is stored; a full one is not. */
type Level = Content<{ readonly empty_at: Instant }>

/**
 * The level of a bucket now. A level far beyond that of a used-up bucket comes from a process whose clock was ahead. It counts as
 * used up now; otherwise its subject would wait until that clock's time. A level less than one period too high is kept: if clocks
 * differ a little, processes that corrected each other would give out extra tokens.
 */
function levelAt(use: BucketUse, stored: Level, now: Instant): Level {
  const fullMs = use.burst * intervalOf(use)
  if (stored.value === undefined || stored.value.empty_at <= now + 2 * fullMs) return stored
  return emptyUntil(now + fullMs)
}

const emptyUntil = (at: Instant): Level => ({ value: { empty_at: at }, expiresAt: at })

/** The level after a use, or the wait until the use is possible. */
function levelAfter(use: BucketUse, level: Level, now: Instant): Level | number {
  const emptyAt = Math.max(level.value?.empty_at ?? now, now)
  const waitMs = roomAt(use, emptyAt) - now
  return waitMs > 0 ? waitMs : emptyUntil(emptyAt + costOf(use))
}

/** The level once the tokens of a use are given back. */
function levelWithout(use: BucketUse, level: Level, now: Instant): Level {
  if (level.value === undefined) return level
  const emptyAt = level.value.empty_at - costOf(use)
  return emptyAt <= now ? { value: undefined } : emptyUntil(emptyAt)
}

/**
 * Takes tokens of all buckets, or of none. Exact for any number of concurrent requests and processes.
 *
 * @param back uses whose tokens are given back first, in any case.
 * @see ITU-T I.371, the generic cell rate algorithm
 */
export async function takeTokens(
  auth: BucketPorts,
  uses: readonly BucketUse[],
  back: readonly BucketUse[] = [],
): Promise<Taken> {
  const keyed = (some: readonly BucketUse[]): readonly (readonly [string, BucketUse])[] =>
    some.map((use) => [keyOf(auth, use), use])
  const [returned, wanted] = [keyed(back), keyed(uses)]
  const keys = [...new Set([...returned, ...wanted].map(([key]) => key))]
  if (keys.length === 0) return { ok: true }
  return auth.queues.buckets.decideTogether<Taken>(keys, (contents) => {
    const now = auth.clock.now()
    const before = new Map(
      keys.map((key, index): [string, Level] => [key, contents[index] ?? full]),
    )
    const levelOf = (levels: ReadonlyMap<string, Level>, key: string, use: BucketUse): Level =>
      levelAt(use, levels.get(key) ?? full, now)
    for (const [key, use] of returned) {
      before.set(key, levelWithout(use, levelOf(before, key, use), now))
    }
    for (const [key, use] of wanted) before.set(key, levelOf(before, key, use))
    const after = new Map(before)
    for (const [key, use] of wanted) {
      const level = levelAfter(use, levelOf(after, key, use), now)
      if (typeof level === 'number') {
        return { contents: [...before.values()], answer: { ok: false, use, waitMs: level } }
      }
      after.set(key, level)
    }
    return { contents: [...after.values()], answer: { ok: true } }
  })
}

const full: Level = { value: undefined }

/** Gives tokens back. */
export async function giveBack(auth: BucketPorts, uses: readonly BucketUse[]): Promise<void> {
  await takeTokens(auth, [], uses)
}

/** When each bucket has a token again; now or earlier if it has one. Takes none. */
export async function nextTokensAt(
  auth: BucketPorts,
  uses: readonly BucketUse[],
): Promise<readonly Instant[]> {
  const keys = uses.map((use) => keyOf(auth, use))
  return auth.queues.buckets.decideTogether(keys, (stored) => {
    const now = auth.clock.now()
    const contents = uses.map((use, index) => levelAt(use, stored[index] ?? full, now))
    const answer = uses.map((use, index) => roomAt(use, contents[index]?.value?.empty_at ?? 0))
    return { contents, answer }
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
