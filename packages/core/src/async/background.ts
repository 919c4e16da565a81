/** Work that nobody waits for until the end. */
export interface Background {
  add(work: Promise<unknown>): void
  /** Resolves when no work is left, including what was added meanwhile. */
  settled(): Promise<void>
}

/** Creates a {@link Background} without work. A failure goes to `onError`, and ends only the work that failed. */
export function createBackground(onError: (error: unknown) => void): Background {
  const working = new Set<Promise<void>>()
  return {
    add(work) {
      const settled = work.then(() => {}, onError).finally(() => working.delete(settled))
      working.add(settled)
    },
    async settled() {
      while (working.size > 0) await Promise.all(working)
    },
  }
}
