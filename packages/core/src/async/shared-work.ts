/** Work that several wait for. Made by {@link shareWork}. */
export interface SharedWork<T> {
  /** Whether all who waited have given up: whoever comes now needs other work. */
  readonly isAbandoned: boolean
  /**
   * Starts the work, unless somebody has, and waits for its result.
   *
   * @throws what the work failed with, or the reason of `signal` as soon as that is aborted.
   */
  wait(signal: AbortSignal): Promise<T>
}

/** Does work once for all who wait for it; when the last of them gives up before it is done, it is ended. */
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
