import type { Clock } from '../../../time/clock.ts'

/**
 * Measures how long values that other processes stored have been unchanged, from when this process first saw them. An instant
 * that another process stored is unreliable: its clock may be hours apart, and this one may be corrected at any time.
 */
export interface Sightings {
  /** How long this process has known the key, in ms; 0 at the first call. */
  age(key: string): number
  /** The same for a known key; 0 for another one, which is not remembered. */
  knownAge(key: string): number
  /** Whether no key is known yet, so that callers need not create one. */
  readonly isEmpty: boolean
}

/** @param limit of remembered keys; the least recently used are forgotten first. */
export function createSightings(clock: Pick<Clock, 'monotonic'>, limit: number): Sightings {
  /** Ordered by their last use. */
  const firstSeen = new Map<string, number>()
  return {
    age(key) {
      const now = clock.monotonic()
      const since = firstSeen.get(key) ?? now
      firstSeen.delete(key)
      firstSeen.set(key, since)
      for (const oldest of firstSeen.keys()) {
        if (firstSeen.size <= limit) break
        firstSeen.delete(oldest)
      }
      return now - since
    },

    knownAge(key) {
      const since = firstSeen.get(key)
      return since === undefined ? 0 : clock.monotonic() - since
    },

    get isEmpty() {
      return firstSeen.size === 0
    },
  }
}
