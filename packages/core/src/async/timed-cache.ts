import type { Clock, Instant } from '../time/clock.ts'

/** Caches loaded values for a time. Calls made while a value loads share it; failures are not cached. */
export interface TimedCache<T> {
  /** Returns the cached value of a key if it is younger than `maxAgeMs` milliseconds, else loads it. */
  get(key: string, maxAgeMs: number, load: () => Promise<T>): Promise<T>
}

/** Creates a {@link TimedCache} for at most `limit` keys; the oldest is dropped first. */
export function createTimedCache<T>(clock: Clock, limit: number): TimedCache<T> {
  const entries = new Map<string, { readonly value: Promise<T>; readonly loadedAt: Instant }>()
  return {
    get(key, maxAgeMs, load) {
      const now = clock.now()
      const kept = entries.get(key)
      // If the clock was set back, the age is unknown.
      if (kept !== undefined && kept.loadedAt <= now && now - kept.loadedAt < maxAgeMs) {
        return kept.value
      }
      const value = load()
      const entry = { value, loadedAt: now }
      entries.delete(key)
      entries.set(key, entry)
      value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key)
      })
      const [oldest] = entries.keys()
      if (entries.size > limit && oldest !== undefined) entries.delete(oldest)
      return value
    },
  }
}
