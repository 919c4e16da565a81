/** Takes what is to be done in the order of its coming. */
export interface TurnBatch<T> {
  add(item: T): void
  /** Does what waits, now. */
  flush(): void
}

/**
 * Does the first of a turn of the event loop at once, and those that follow in the same turn together at its end. What costs a
 * system call, or wakes another program, then does so twice a turn, however much a busy server does in one.
 */
export function createTurnBatch<T>(handle: (items: readonly T[]) => void): TurnBatch<T> {
  let waiting: T[] = []
  let isTurnOver = true

  const flush = (): void => {
    if (waiting.length === 0) return
    const items = waiting
    waiting = []
    handle(items)
  }
  const endTurn = (): void => {
    isTurnOver = true
    flush()
  }

  return {
    add(item) {
      if (!isTurnOver) {
        waiting.push(item)
        return
      }
      isTurnOver = false
      setImmediate(endTurn)
      handle([item])
    },
    flush,
  }
}
