import type { Instant } from '../clock.ts'
import { defineCollection, type TypedCollection } from '../collection.ts'
import type { Decide, Decision } from '../decision-queue.ts'
import { number, objectOf } from '../storage/record-check.ts'

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

/** How much is still spent by now. A clock that was set back takes nothing away. */
function stillSpent(stored: SpentRate | undefined, { runs, per }: RateLimit, now: Instant): number {
  if (stored === undefined) return 0
  // Another configuration may count in another unit, and have less room.
  const spent = Math.min(Math.ceil((stored.spent * per) / stored.per), runs * per)
  return Math.max(0, spent - Math.max(0, now - stored.at) * runs)
}

/** Takes one run from a rate, if there is one left. Writes nothing for those who are refused one after the other. */
export function spendRate(rate: RateLimit, now: Instant): Decide<SpentRate, RateAnswer> {
  const { runs, per } = rate
  const decided = <A>(spent: number, answer: A): Decision<SpentRate, A> => {
    return { value: { spent, at: now, per }, expiresAt: now + Math.ceil(spent / runs), answer }
  }
  return (stored, expiresAt) => {
    const left = stillSpent(stored, rate, now)
    const over = left + per - runs * per
    if (over <= 0) return decided(left + per, { allowed: true })
    const answer = { allowed: false, retryAfterMs: Math.ceil(over / runs) } as const
    const isUsable = stored !== undefined && stored.per === per && stored.at <= now
    return isUsable ? { value: stored, expiresAt, answer } : decided(left, answer)
  }
}
