import { decodeInput, numberFrom } from '../input/decode.ts'
import { type InstantInput, instant as instantInput } from '../input/instant.ts'
import type { Clock } from '../time/clock.ts'

/** A clock that stands still until the test advances it. */
export interface ManualClock extends Clock {
  /**
   * Advances the time by `ms` milliseconds and fires the timers that become due, in order. Each sees the instant at which it was
   * due.
   *
   * @throws {GatehouseError} `InvalidInput` if `ms` is negative or not finite.
   */
  advance(ms: number): void
  /**
   * Advances the time to a later instant, like {@link ManualClock.advance}. An earlier instant corrects the wall clock, like
   * {@link ManualClock.setWallClock}.
   *
   * @throws {GatehouseError} `InvalidInput` if it is not an instant.
   */
  setTo(instant: InstantInput): void
  /**
   * Corrects the wall clock, forward or back, as NTP or an administrator does. No time passes, so no timer fires and
   * `monotonic()` does not change.
   *
   * @throws {GatehouseError} `InvalidInput` if it is not an instant.
   */
  setWallClock(instant: InstantInput): void
  /** The number of pending timers. */
  readonly pendingTimers: number
}

interface Timer {
  /** When the timer is due, on the scale of `monotonic()`. */
  readonly dueAt: number
  readonly fire: () => void
}

/**
 * Creates a {@link ManualClock} that starts at the given instant (default 2026-01-01T00:00:00Z).
 *
 * @throws {GatehouseError} `InvalidInput` if that is not an instant.
 */
export function createManualClock(startAt: InstantInput = Date.UTC(2026, 0, 1)): ManualClock {
  let now = decodeInput('startAt', instantInput, startAt)
  let passed = 0
  /** Sorted by due time, then by the order in which they were set. */
  const timers: Timer[] = []

  const pass = (ms: number): void => {
    now += ms
    passed += ms
  }

  const advance = (ms: number): void => {
    const until = passed + ms
    for (let next = timers[0]; next !== undefined && next.dueAt <= until; next = timers[0]) {
      timers.shift()
      pass(Math.max(0, next.dueAt - passed))
      next.fire()
    }
    pass(Math.max(0, until - passed))
  }

  return {
    now: () => now,
    monotonic: () => passed,
    setTimer(ms, fire) {
      const timer = { dueAt: passed + Math.max(0, ms), fire }
      timers.splice(timers.findLastIndex(({ dueAt }) => dueAt <= timer.dueAt) + 1, 0, timer)
      return () => {
        const at = timers.indexOf(timer)
        if (at !== -1) timers.splice(at, 1)
      }
    },
    advance: (ms) => advance(decodeInput('ms', numberFrom(0), ms)),
    setTo(given) {
      const instant = decodeInput('instant', instantInput, given)
      if (instant < now) now = instant
      else advance(instant - now)
    },
    setWallClock(instant) {
      now = decodeInput('instant', instantInput, instant)
    },
    get pendingTimers() {
      return timers.length
    },
  }
}
