import type { GatehouseError } from '../../errors.ts'
import { emitEvent } from '../events/outbox.ts'
import type { FlowRun } from '../flow/run.ts'
import { knownBrowser } from './known-browser.ts'
import type { BucketUse } from './limit-questions.ts'
import { weigh } from './limit-weights.ts'
import { giveBack, rateLimited, type Taken, takeTokens } from './rate-limit.ts'

/**
 * Takes the tokens that a flow needs of all buckets, or none. Returns the uses that were taken, to give back: if the bucket of a
 * user is empty, a browser that is known to that user takes from its own.
 *
 * @throws {GatehouseError} `RateLimited`
 */
export async function spendTokens(
  run: FlowRun,
  uses: readonly BucketUse[],
): Promise<readonly BucketUse[]> {
  const taken = await takeRunTokens(run, uses)
  if (taken.ok) return uses
  const { user_id: userId } = taken.use
  const browser = userId === undefined ? undefined : await knownBrowser(run, userId)
  if (browser === undefined) throw await limitReached(run, taken)
  return spendTokens(
    run,
    uses.map((use) => (use.user_id === userId ? ofBrowser(use, browser) : use)),
  )
}

/** {@link spendTokens} without the error: returns the bucket that was short. */
export function takeRunTokens(run: FlowRun, uses: readonly BucketUse[]): Promise<Taken> {
  return takeTokens(run.auth, weigh(uses, run.weights))
}

/** Counts and reports that a limit was reached. Returns the error for it. */
export async function limitReached(
  run: FlowRun,
  { use, waitMs }: Extract<Taken, { ok: false }>,
): Promise<GatehouseError> {
  run.auth.counters.limitHit(use.bucket)
  await emitBlocked(run, use)
  return rateLimited(use, waitMs)
}

/** The same limit for one browser alone. */
function ofBrowser({ user_id: _user, ...use }: BucketUse, browser: string): BucketUse {
  return { ...use, subject: [...use.subject, browser] }
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
