/**
 * Shares one run of `work` among all calls made before the next microtask. The run starts after the calls, so no call gets a
 * result from before it.
 */
export function oneForAll(work: () => Promise<unknown>): () => Promise<unknown> {
  let next: Promise<unknown> | undefined
  const begin = (): Promise<unknown> => {
    next = undefined
    return work()
  }
  return () => {
    next ??= Promise.resolve().then(begin)
    return next
  }
}
