/** Tracks whether anything runs that does not wait for time to pass. */
export interface Activity {
  /** Work starts; the returned function ends it. */
  begin(): () => void
  /** Running work waits for time to pass; the returned function ends the wait. */
  pause(): () => void
  /** Resolves when nothing runs. */
  settled(): Promise<void>
}

/** Creates an idle {@link Activity}. */
export function createActivity(): Activity {
  let count = 0
  let waiting: (() => void)[] = []

  const end = (): void => {
    count--
    if (count > 0) return
    const resolved = waiting
    waiting = []
    for (const resolve of resolved) resolve()
  }

  return {
    begin() {
      count++
      return end
    },

    pause() {
      end()
      return () => {
        count++
      }
    },

    settled: () =>
      count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(() => resolve())),
  }
}
