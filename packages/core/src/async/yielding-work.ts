import type { Clock, Instant } from '../time/clock.ts'
import { atEndOfTurn } from './end-of-turn.ts'

/** Options of {@link createYieldingWork}. */
export interface YieldingWorkOptions {
  readonly clock: Clock
  readonly work: () => void
}

/** Work that waits a moment while many requests come. */
export interface YieldingWork {
  /** Tells of a request that is about to be answered. */
  requestCame(): void
  /** Does the work: at once, or when the burst of requests is over. */
  due(): void
}

/** So many requests in one turn of the event loop are a burst: who sends one after the other never has more than one in it. */
const burst = 2
/** A burst is over when there was no such turn for so long. */
const quietMs = 2
/** The work waits no longer, however many requests come. */
const longestMs = 4

/** Does work at once, but of a burst of requests at its end, or after 4 ms: who waits for an answer comes first. */
export function createYieldingWork({ clock, work }: YieldingWorkOptions): YieldingWork {
  /** In this turn. */
  let came = 0
  let burstEndsAt = Number.NEGATIVE_INFINITY
  let cancelTimer: (() => void) | undefined

  const endTurn = (): void => {
    came = 0
  }

  const go = (): void => {
    cancelTimer?.()
    cancelTimer = undefined
    work()
  }

  const leftOfBurst = (now: Instant): number => {
    const leftMs = burstEndsAt - now
    // A clock that was set back meanwhile tells nothing.
    return leftMs > quietMs ? 0 : leftMs
  }

  const wait = (latest: Instant): void => {
    const now = clock.now()
    const leftMs = Math.min(leftOfBurst(now), latest - now)
    if (leftMs <= 0) go()
    else cancelTimer = clock.setTimer(leftMs, () => wait(latest))
  }

  return {
    requestCame() {
      came++
      if (came === 1) atEndOfTurn(endTurn)
      else if (came === burst) burstEndsAt = clock.now() + quietMs
    },
    due() {
      const now = clock.now()
      if (leftOfBurst(now) <= 0) go()
      else if (cancelTimer === undefined) wait(now + longestMs)
    },
  }
}
