import { emitEvent } from '../events/outbox.ts'
import type { FlowRun } from '../flow/run.ts'
import type { BucketUse } from './limit-questions.ts'
import { weigh } from './limit-weights.ts'
import { giveBack, rateLimited, takeTokens } from './rate-limit.ts'

/**
 * Takes the tokens that a flow needs of all buckets, or none.
 *
 * @throws {GatehouseError} `RateLimited`
 */
export async function spendTokens(run: FlowRun, uses: readonly BucketUse[]): Promise<void> {
  const taken = await takeTokens(run.auth, weigh(uses, run.weights))
  if (taken.ok) return
  run.auth.counters.limitHit(taken.use.bucket)
  await emitBlocked(run, taken.use)
  throw rateLimited(taken.use, taken.waitMs)
}

/** Gives back what {@link spendTokens} took. */
export function refundTokens(run: FlowRun, uses: readonly BucketUse[]): Promise<void> {
  return giveBack(run.auth, weigh(uses, run.weights))
}

/** Emits at most one event a period for each bucket, so that repeated requests do not fill the outbox. */
async function emitBlocked(
  run: FlowRun,
  { bucket, limit, subject, period_ms }: BucketUse,
): Promise<void> {
  if (limit === undefined || run.auth.onEvent === undefined) return
  const once = { bucket: 'RateLimitBlocked', subject: [bucket, ...subject], period_ms, burst: 1 }
  if (!(await takeTokens(run.auth, [once])).ok) return
  await emitEvent(run, 'rate_limit.blocked', { bucket_name: bucket, rate_limit: limit })
}
