/** Runs `work` at most once at a time. Calls during a run share one more run after it. `work` must not throw. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const run = (): Promise<void> => {
    running = work().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    if (running === undefined) return run()
    next ??= running.then(() => {
      next = undefined
      return run()
    })
    return next
  }
}
