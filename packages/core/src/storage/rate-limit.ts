import type { Instant } from '../time/clock.ts'
import type { Decide, Decision } from './decision-queue.ts'
import { number, objectOf, type RecordCheck } from './record-check.ts'

/** A burst of `runs`, refilled over a period of `per` ms. */
export interface RateLimit {
  readonly runs: number
  readonly per: number
}

/**
 * The spent part of a rate limit (a leaky bucket): each run adds `per`, each ms removes `runs`, and the capacity is `runs` ×
 * `per`. All are whole numbers, to avoid rounding.
 */
export interface SpentRate {
  readonly spent: number
  /** When it was counted. */
  readonly at: Instant
  /** The `per` at that time. */
  readonly per: number
}

/** Checks a stored {@link SpentRate}. */
export const storedRate: RecordCheck = objectOf<SpentRate>({
  spent: number,
  at: number,
  per: number,
})

/** The decision of a rate limit. */
export type RateAnswer =
  | { readonly allowed: true }
  /** How long until the next run is allowed. */
  | { readonly allowed: false; readonly retryAfterMs: number }

/** Whether a clock that is far ahead wrote the record. What it spent would not be refilled before that clock's time. */
const isFromFuture = (stored: SpentRate, { per }: RateLimit, now: Instant): boolean =>
  stored.at - now > per

/**
 * The instant of a decision: never before the stored one. Otherwise processes with different clocks would count the difference as
 * elapsed time, each time they alternate.
 */
function decidedAt(stored: SpentRate | undefined, rate: RateLimit, now: Instant): Instant {
  if (stored === undefined || isFromFuture(stored, rate, now)) return now
  return Math.max(stored.at, now)
}

/** The amount that is still spent at an instant. */
function stillSpent(stored: SpentRate | undefined, { runs, per }: RateLimit, at: Instant): number {
  if (stored === undefined) return 0
  // Another configuration may use another unit, and have less capacity.
  const spent = Math.min(Math.ceil((stored.spent * per) / stored.per), runs * per)
  return Math.max(0, spent - Math.max(0, at - stored.at) * runs)
}

/** The instant from which one run is allowed; it may have passed. */
export function allowedAt(rate: RateLimit, stored: SpentRate | undefined, now: Instant): Instant {
  if (stored === undefined) return now
  const { runs, per } = rate
  const at = isFromFuture(stored, rate, now) ? now : stored.at
  const over = stillSpent(stored, rate, at) + per - runs * per
  return at + Math.max(0, Math.ceil(over / runs))
}

/** Gives one run back. */
export const returnRate = (stored: SpentRate): SpentRate => {
  return { ...stored, spent: Math.max(0, stored.spent - stored.per) }
}

/** Takes one run from a rate limit, if one is left. Successive refusals write nothing. */
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
