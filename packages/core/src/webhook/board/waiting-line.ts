/** A member of a queue. */
export interface Waiter {
  /** Whether it waits. Only the queue sets it. */
  isWaiting: boolean
}

/** A first-in, first-out queue. Members may leave at any time, at a cost that does not grow with its length. */
export interface WaitingLine<T extends Waiter> {
  readonly size: number
  /** The first waiting member. */
  first(): T | undefined
  /** Appends a member that was never in a queue. */
  add(waiter: T): void
  /** Removes a member of this queue. */
  remove(waiter: T): void
  /** All waiting members. */
  all(): readonly T[]
}

/** The most slots of departed members to keep, besides as many as there are others. */
const maxLeft = 1_000

/** Creates an empty queue. */
export function createWaitingLine<T extends Waiter>(): WaitingLine<T> {
  // Not a map: with thousands of entries, finding its first key means skipping all deleted ones before it.
  let line: T[] = []
  let at = 0
  let size = 0

  const all = (): T[] => line.filter(({ isWaiting }) => isWaiting)

  return {
    get size() {
      return size
    },

    first() {
      while (line[at]?.isWaiting === false) at++
      return line[at]
    },

    add(waiter) {
      waiter.isWaiting = true
      size++
      line.push(waiter)
    },

    remove(waiter) {
      waiter.isWaiting = false
      size--
      if (line.length <= 2 * size + maxLeft) return
      line = all()
      at = 0
    },

    all,
  }
}
