/** Work with several waiting callers. Created by {@link shareWork}. */
export interface SharedWork<T> {
  /** Whether all callers have given up: a new caller needs new work. */
  readonly isAbandoned: boolean
  /**
   * Starts the work unless it has started, and waits for its result.
   *
   * @throws the error of the work, or the reason of `signal` as soon as it is aborted.
   */
  wait(signal: AbortSignal): Promise<T>
}

/** Does work once for all callers. Aborts it when the last of them gives up. */
export function shareWork<T>(work: (signal: AbortSignal) => Promise<T>): SharedWork<T> {
  const controller = new AbortController()
  let result: Promise<T> | undefined
  let waiting = 0
  return {
    get isAbandoned() {
      return controller.signal.aborted
    },
    async wait(signal) {
      signal.throwIfAborted()
      waiting++
      result ??= work(controller.signal)
      let giveUp = (): void => undefined
      const givenUp = new Promise<never>((_, reject) => {
        giveUp = () => reject(signal.reason)
        signal.addEventListener('abort', giveUp)
      })
      try {
        return await Promise.race([result, givenUp])
      } finally {
        signal.removeEventListener('abort', giveUp)
        waiting--
        if (waiting === 0) controller.abort()
      }
    },
  }
}
