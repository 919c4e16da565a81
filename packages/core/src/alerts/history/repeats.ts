import type { Instant } from '../../time/clock.ts'

/** Detects repeated content, so that it is not recorded each time. */
export interface Repeats {
  /** Whether the key's last recorded content differs or is long ago. Records this content if so. */
  isNews(key: string, content: string, now: Instant): boolean
  /** Whether there is nothing to forget. */
  readonly isEmpty: boolean
  /** Makes the next content of the key news. */
  forget(key: string): void
}

/** Options of {@link createRepeats}. */
export interface RepeatsOptions {
  /** How long repeated content is not news, in ms. */
  forMs: number
  /** The most keys that are remembered; the content of other keys is always news. */
  maxKeys: number
}

/** Creates an empty {@link Repeats}. */
export function createRepeats({ forMs, maxKeys }: RepeatsOptions): Repeats {
  /** Ordered by the time of their last record. */
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
