import type { Clock } from '../clock.ts'
import { atEndOfTurn } from '../end-of-turn.ts'

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
/** The work waits no longer, however many requests come. */
const longestMs = 8

/** Does work at once, but of a burst of requests at its end, or after 8 ms: who waits for an answer comes first. */
export function createYieldingWork({ clock, work }: YieldingWorkOptions): YieldingWork {
  /** In this turn. */
  let came = 0
  let wasBurst = false
  let isLooking = false
  let cancelTimer: (() => void) | undefined

  const go = (): void => {
    cancelTimer?.()
    cancelTimer = undefined
    work()
  }

  const look = (): void => {
    isLooking = false
    wasBurst = came >= burst
    came = 0
    if (wasBurst) lookLater()
    else if (cancelTimer !== undefined) go()
  }

  const lookLater = (): void => {
    if (isLooking) return
    isLooking = true
    atEndOfTurn(look)
  }

  return {
    requestCame() {
      came++
      lookLater()
    },
    due() {
      if (wasBurst || came >= burst) cancelTimer ??= clock.setTimer(longestMs, go)
      else go()
    },
  }
}
