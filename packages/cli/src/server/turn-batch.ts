/** Takes what is to be done in the order of its coming. */
export interface TurnBatch<T> {
  add(item: T): void
  /** Does what waits, now. */
  flush(): void
}

/**
 * Does what comes in one turn of the event loop together at its end. What costs a system call, or wakes another program, then
 * does so once a turn, however much a busy server does in one; an idle one is at the end of its turn at once.
 */
export function createTurnBatch<T>(handle: (items: readonly T[]) => void): TurnBatch<T> {
  let waiting: T[] = []

  const flush = (): void => {
    if (waiting.length === 0) return
    const items = waiting
    waiting = []
    handle(items)
  }

  return {
    add(item) {
      if (waiting.push(item) === 1) setImmediate(flush)
    },
    flush,
  }
}
