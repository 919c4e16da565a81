import type { Clock } from '../../../time/clock.ts'

/**
 * Measures how long things that others stored have been the same, from when this process first saw them. An instant that
 * another process stored says little, as its clock may be hours apart, and this one may be corrected at any time.
 */
export interface Sightings {
  /** For how long this process has known the key, in ms; 0 when it asks for the first time. */
  age(key: string): number
  /** The same of a key that was asked for before; 0 for another one, which is not remembered. */
  knownAge(key: string): number
  /** Whether no key was asked for yet: then nobody has to make one up. */
  readonly isEmpty: boolean
}

/** @param limit of keys that are remembered; those asked for least recently are forgotten first. */
export function createSightings(clock: Pick<Clock, 'monotonic'>, limit: number): Sightings {
  /** By when they were asked for last. */
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
