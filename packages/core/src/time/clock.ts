/** A point in time: milliseconds since the Unix epoch. */
export type Instant = number

/** Where time comes from. Tests pass the manual clock of `@gatehouse/core/testing`. */
export interface Clock {
  /** The current instant, in milliseconds since the Unix epoch. */
  now(): Instant
  /**
   * Milliseconds since some instant of the past, for measuring how much time has passed. Correcting the wall clock, which
   * {@link Clock.now} shows, does not change it, in either direction.
   */
  monotonic(): number
  /**
   * Calls `fire` once after `ms` milliseconds; the answered function cancels it. A pending timer does
   * not keep the process alive.
   */
  setTimer(ms: number, fire: () => void): () => void
}

/** setTimeout() fires at once when given more than this. */
const longestTimeoutMs = 2 ** 31 - 1

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
        () => (leftMs > longestTimeoutMs ? arm() : fire()),
        Math.min(leftMs, longestTimeoutMs),
      )
      timeout.unref()
    }
    arm()
    return () => clearTimeout(timeout)
  },
}
