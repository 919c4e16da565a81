/** Whether anything is going on that does not wait for time to pass. */
export interface Activity {
  /** Something begins; the answer ends it. */
  begin(): () => void
  /** What goes on waits for time to pass; the answer ends the waiting. */
  pause(): () => void
  /** Resolves when nothing goes on. */
  settled(): Promise<void>
}

/** Nothing goes on yet. */
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
