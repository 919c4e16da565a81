import type { Clock, Instant } from '../time/clock.ts'

/** Keeps what was loaded for a while. Who asks while something is loaded shares it; what fails is not kept. */
export interface TimedCache<T> {
  /** What is kept of a key if it is younger than `maxAgeMs` milliseconds; else it is loaded. */
  get(key: string, maxAgeMs: number, load: () => Promise<T>): Promise<T>
}

/** A {@link TimedCache} for at most `limit` keys; the one that was loaded first makes room. */
export function createTimedCache<T>(clock: Clock, limit: number): TimedCache<T> {
  const entries = new Map<string, { readonly value: Promise<T>; readonly loadedAt: Instant }>()
  return {
    get(key, maxAgeMs, load) {
      const now = clock.now()
      const kept = entries.get(key)
      // A clock that was set back says nothing about an age.
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
