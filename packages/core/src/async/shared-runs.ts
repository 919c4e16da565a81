/** Never runs `work` twice at once. Calls made during a run share the next run, which starts after them. */
export function shareRuns<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined

  const start = (): Promise<T> => {
    const current = work()
    const end = (): void => {
      if (running === current) running = undefined
    }
    running = current
    current.then(end, end)
    return current
  }

  const startNext = (): Promise<T> => {
    next = undefined
    return start()
  }

  return () => {
    if (next !== undefined) return next
    if (running === undefined) return start()
    next = running.then(startNext, startNext)
    return next
  }
}
