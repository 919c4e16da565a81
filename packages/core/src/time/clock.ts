/** A point in time: milliseconds since the Unix epoch. */
export type Instant = number

/** The source of time. Tests pass the manual clock of `@gatehouse/core/testing`. */
export interface Clock {
  /** The current instant, in milliseconds since the Unix epoch. */
  now(): Instant
  /**
   * Milliseconds since some past instant, for measuring elapsed time. Not affected, in either direction, by corrections of the
   * wall clock, which {@link Clock.now} returns.
   */
  monotonic(): number
  /**
   * Calls `fire` once after `ms` milliseconds. Returns a function that cancels the timer. A pending timer does not keep the
   * process alive.
   */
  setTimer(ms: number, fire: () => void): () => void
}

/** setTimeout() fires at once for longer delays. */
const maxTimeoutMs = 2 ** 31 - 1

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(ms, fire) {
    const dueAt = performance.now() + ms
    let timeout: NodeJS.Timeout
    const arm = (): void => {
      const leftMs = Math.max(0, dueAt - performance.now())
      timeout = setTimeout(
        () => (leftMs > maxTimeoutMs ? arm() : fire()),
        Math.min(leftMs, maxTimeoutMs),
      )
      timeout.unref()
    }
    arm()
    return () => clearTimeout(timeout)
  },
}
