import { decodeInput, numberFrom } from '../input/decode.ts'
import { type InstantInput, instant as instantInput } from '../input/instant.ts'
import type { Clock } from '../time/clock.ts'

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /**
   * Moves on by `ms` milliseconds and fires the timers that fall due, in order; each sees the instant it was due at.
   *
   * @throws {GatehouseError} `InvalidInput` if `ms` is negative or not finite.
   */
  advance(ms: number): void
  /**
   * Lets time pass until a later instant, like {@link ManualClock.advance}. An earlier instant is possible too: it corrects
   * the wall clock, like {@link ManualClock.setWallClock}.
   *
   * @throws {GatehouseError} `InvalidInput`
   */
  setTo(instant: InstantInput): void
  /**
   * Corrects the wall clock, forward or back, as NTP or an administrator does: no time passes, so no timer fires and
   * `monotonic()` stays.
   *
   * @throws {GatehouseError} `InvalidInput`
   */
  setWallClock(instant: InstantInput): void
  /** How many timers wait. */
  readonly pendingTimers: number
}

interface Timer {
  /** On the scale of `monotonic()`. */
  readonly dueAt: number
  readonly fire: () => void
}

/**
 * A {@link ManualClock} that starts at the given instant (default 2026-01-01T00:00:00Z).
 *
 * @throws {GatehouseError} `InvalidInput` if that is not an instant.
 */
export function createManualClock(startAt: InstantInput = Date.UTC(2026, 0, 1)): ManualClock {
  let now = decodeInput('startAt', instantInput, startAt)
  let passed = 0
  /** By when they are due, then by when they were set. */
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
