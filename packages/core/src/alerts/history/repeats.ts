import type { Instant } from '../../time/clock.ts'

/** Keeps what is said again and again from being noted each time. */
export interface Repeats {
  /** Whether this was not noted of the key just now: something else was, or it is long ago. It counts as noted then. */
  isNews(key: string, content: string, now: Instant): boolean
  /** Whether nothing is noted that could be forgotten. */
  readonly isEmpty: boolean
  /** What is said of the key next is news. */
  forget(key: string): void
}

/** Options of {@link createRepeats}. */
export interface RepeatsOptions {
  /** For so long the same is no news, in ms. */
  forMs: number
  /** Of so many keys it is known what was noted; of others everything is news. */
  maxKeys: number
}

/** Nothing noted yet. */
export function createRepeats({ forMs, maxKeys }: RepeatsOptions): Repeats {
  /** By when they were noted. */
  const noted = new Map<string, { readonly content: string; readonly at: Instant }>()

  const dropOld = (now: Instant): void => {
    for (const [key, { at }] of noted) {
      if (at + forMs > now && noted.size <= maxKeys) return
      noted.delete(key)
    }
  }

  return {
    isNews(key, content, now) {
      const last = noted.get(key)
      if (last?.content === content && last.at + forMs > now) return false
      noted.delete(key)
      noted.set(key, { content, at: now })
      dropOld(now)
      return true
    },

    get isEmpty() {
      return noted.size === 0
    },

    forget(key) {
      noted.delete(key)
    },
  }
}
