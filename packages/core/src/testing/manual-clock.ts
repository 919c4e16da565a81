import type { Clock, Instant } from '../clock.ts'

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /**
   * Moves on by `ms` milliseconds and fires the timers that fall due, in order; each sees the instant it was due at.
   *
   * @throws {RangeError} if `ms` is negative or not finite.
   */
  advance(ms: number): void
  /**
   * Moves to an instant and fires the timers that are due there. An earlier instant is possible, as when
   * somebody corrects the clock of a machine; it fires none.
   *
   * @throws {RangeError} if `instant` is not finite.
   */
  setTo(instant: Instant): void
  /** How many timers wait. */
  readonly pendingTimers: number
}

interface Timer {
  readonly dueAt: Instant
  readonly fire: () => void
}

/** A {@link ManualClock} that starts at the given instant (default 2026-01-01T00:00:00Z). */
export function createManualClock(startAt: Instant = Date.UTC(2026, 0, 1)): ManualClock {
  let now = startAt
  /** By the instant they are due at, then by when they were set. */
  const timers: Timer[] = []

  const setTo = (instant: Instant): void => {
    if (!Number.isFinite(instant)) throw new RangeError(`instant must be finite, got ${instant}`)
    for (let next = timers[0]; next !== undefined && next.dueAt <= instant; next = timers[0]) {
      timers.shift()
      now = Math.max(now, next.dueAt)
      next.fire()
    }
    now = instant
  }

  return {
    now: () => now,
    setTimer(ms, fire) {
      const timer = { dueAt: now + Math.max(0, ms), fire }
      timers.splice(timers.findLastIndex(({ dueAt }) => dueAt <= timer.dueAt) + 1, 0, timer)
      return () => {
        const at = timers.indexOf(timer)
        if (at !== -1) timers.splice(at, 1)
      }
    },
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`ms must be 0 or more, got ${ms}`)
      setTo(now + ms)
    },
    setTo,
    get pendingTimers() {
      return timers.length
    },
  }
}
