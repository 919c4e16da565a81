import type { GatehouseError } from '../../errors.ts'
import type { Instant } from '../../time/clock.ts'
import { type EventPorts, emitEvent } from '../events/outbox.ts'
import type { FlowRun } from '../flow/run.ts'
import { type BrowserPorts, knownBrowser } from './known-browser.ts'
import type { BucketUse } from './limit-questions.ts'
import { weigh } from './limit-weights.ts'
import {
  type BucketPorts,
  giveBack,
  nextTokensAt,
  rateLimited,
  type Taken,
  takeTokens,
} from './rate-limit.ts'

/** Counts refusals. */
export interface LimitCounter {
  readonly counters: { limitHit(bucket: string): void }
}

/** What limits of flows are kept with: known browsers have their own, and refusals are counted and reported. */
export interface LimitPorts extends BucketPorts, BrowserPorts, EventPorts, LimitCounter {}

/** The tokens that a flow has taken, or the bucket that was short. */
type Spent =
  | { readonly ok: true; readonly uses: readonly BucketUse[] }
  | Extract<Taken, { ok: false }>

/**
 * Takes the tokens that a flow needs of all buckets, or none. Returns the uses that were taken, to give back: if the bucket of a
 * user is empty, a browser that is known to that user takes from its own.
 *
 * @throws {GatehouseError} `RateLimited`
 */
export async function spendTokens(
  run: FlowRun<LimitPorts>,
  uses: readonly BucketUse[],
): Promise<readonly BucketUse[]> {
  const spent = await takeRunTokens(run, uses)
  if (!spent.ok) throw await limitReached(run, spent)
  return spent.uses
}

/** {@link spendTokens} without the error: returns the bucket that was short. */
export async function takeRunTokens(
  run: FlowRun<LimitPorts>,
  uses: readonly BucketUse[],
): Promise<Spent> {
  const taken = await takeTokens(run.auth, weigh(uses, run.weights))
  if (taken.ok) return { ok: true, uses }
  const browser = await browserFor(run, taken.use)
  if (browser === undefined) return taken
  const { user_id: userId } = taken.use
  const own = uses.map((use) => (use.user_id === userId ? ofBrowser(use, browser) : use))
  return takeRunTokens(run, own)
}

/** When the flow can use each bucket again, or the one of its browser; now or earlier if it can. Takes no token. */
export async function nextRunTokensAt(
  run: FlowRun<LimitPorts>,
  uses: readonly BucketUse[],
): Promise<readonly Instant[]> {
  const shared = await nextTokensAt(run.auth, uses)
  const waiting = uses.filter((_, index) => (shared[index] ?? 0) > run.now)
  const known = waiting.find(({ user_id: userId }) => userId !== undefined)
  const browser = known && (await browserFor(run, known))
  if (browser === undefined) return shared
  const own = uses.map((use) =>
    waiting.includes(use) && use.user_id ? ofBrowser(use, browser) : use,
  )
  return nextTokensAt(run.auth, own)
}

/** The browser of the request, if it has a bucket of its own beside this one. */
const browserFor = async (
  run: FlowRun<LimitPorts>,
  { user_id: id }: BucketUse,
): Promise<string | undefined> => (id === undefined ? undefined : knownBrowser(run, id))

/** Counts and reports that a limit was reached. Returns the error for it. */
export async function limitReached(
  run: FlowRun<LimitPorts>,
  { use, waitMs }: Extract<Taken, { ok: false }>,
): Promise<GatehouseError> {
  run.auth.counters.limitHit(use.bucket)
  await emitBlocked(run, use)
  return rateLimited(use, waitMs)
}

/** The same limit for one browser alone, or for all those that are known to the user. */
function ofBrowser({ user_id: _user, ...use }: BucketUse, browser: string): BucketUse {
  return { ...use, subject: [...use.subject, use.is_joint ? 'known browsers' : browser] }
}

/** Gives back what {@link spendTokens} took. `isProven`: because the secret was right, which resets some buckets. */
export function refundTokens(
  run: FlowRun<LimitPorts>,
  uses: readonly BucketUse[],
  isProven: boolean = false,
): Promise<void> {
  const returned = weigh(uses, run.weights).map((use) =>
    isProven && use.is_reset ? { ...use, weight: use.burst } : use,
  )
  return giveBack(run.auth, returned)
}

/** Emits at most one event a period for each bucket, so that repeated requests do not fill the outbox. */
async function emitBlocked(
  run: FlowRun<LimitPorts>,
  { bucket, limit, subject, period_ms }: BucketUse,
): Promise<void> {
  if (limit === undefined || run.auth.onEvent === undefined) return
  const once = { bucket: 'RateLimitBlocked', subject: [bucket, ...subject], period_ms, burst: 1 }
  if (!(await takeTokens(run.auth, [once])).ok) return
  await emitEvent(run, 'rate_limit.blocked', { bucket_name: bucket, rate_limit: limit })
}
