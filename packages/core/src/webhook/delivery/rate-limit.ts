import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import type { Decide, Decision } from '../../storage/decision-queue.ts'
import { number, objectOf } from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'

/** So many runs at once, and as many more over a length of time, in ms. */
export interface RateLimit {
  readonly runs: number
  readonly per: number
}

/**
 * How much of a rate is spent: each run adds `per`, each ms takes `runs` away, and there is room for `runs` × `per`. All
 * are whole numbers, so that nothing is lost to rounding.
 */
export interface SpentRate {
  readonly spent: number
  /** When that was. */
  readonly at: Instant
  /** The `per` it was counted with. */
  readonly per: number
}

/** By a hash of the webhook's id. */
export const rateCollection: TypedCollection<SpentRate> = defineCollection<SpentRate>({
  name: 'webhook_rates',
  unreadable: 'skip',
  check: objectOf<SpentRate>({ spent: number, at: number, per: number }),
})

/** What came of asking for a run. */
export type RateAnswer =
  | { readonly allowed: true }
  /** How long until one is allowed. */
  | { readonly allowed: false; readonly retryAfterMs: number }

/** Whether a clock that is far ahead made a record: what it spent would not come back before that clock's time. */
const isFromFuture = (stored: SpentRate, { per }: RateLimit, now: Instant): boolean =>
  stored.at - now > per

/**
 * When a decision counts as made: never before the one that is stored. Otherwise processes whose clocks differ would take
 * the difference for time that has passed, each time that one follows the other.
 */
function decidedAt(stored: SpentRate | undefined, rate: RateLimit, now: Instant): Instant {
  if (stored === undefined || isFromFuture(stored, rate, now)) return now
  return Math.max(stored.at, now)
}

/** How much is still spent at some instant. */
function stillSpent(stored: SpentRate | undefined, { runs, per }: RateLimit, at: Instant): number {
  if (stored === undefined) return 0
  // Another configuration may count in another unit, and have less room.
  const spent = Math.min(Math.ceil((stored.spent * per) / stored.per), runs * per)
  return Math.max(0, spent - Math.max(0, at - stored.at) * runs)
}

/** Takes one run from a rate, if there is one left. Writes nothing for those who are refused one after the other. */
export function spendRate(rate: RateLimit, now: Instant): Decide<SpentRate, RateAnswer> {
  const { runs, per } = rate
  return (stored, expiresAt) => {
    const at = decidedAt(stored, rate, now)
    const decided = <A>(spent: number, answer: A): Decision<SpentRate, A> => {
      return { value: { spent, at, per }, expiresAt: at + Math.ceil(spent / runs), answer }
    }
    const left = stillSpent(stored, rate, at)
    const over = left + per - runs * per
    if (over <= 0) return decided(left + per, { allowed: true })
    const answer = { allowed: false, retryAfterMs: Math.ceil(over / runs) } as const
    const isUsable = stored !== undefined && stored.per === per && !isFromFuture(stored, rate, now)
    return isUsable ? { value: stored, expiresAt, answer } : decided(left, answer)
  }
}
