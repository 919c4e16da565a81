/** Who may stand in a line. */
export interface Waiter {
  /** Whether it does; the line alone says so. */
  isWaiting: boolean
}

/** Those who wait, in the order of their coming. Anybody may leave at any time, at a cost that does not grow with the line. */
export interface WaitingLine<T extends Waiter> {
  readonly size: number
  /** Who came first of those who wait. */
  first(): T | undefined
  /** Lets somebody stand at the end who has never stood in a line. */
  add(waiter: T): void
  /** Lets somebody go who stands in this line. */
  remove(waiter: T): void
  /** All who wait. */
  all(): readonly T[]
}

/** So many places of those who have left are kept at most, beside as many as there are others. */
const mostLeft = 1_000

/** Nobody waits. */
export function createWaitingLine<T extends Waiter>(): WaitingLine<T> {
  // Not a map: thousands wait, and its first key is found behind all that were deleted before it.
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
      if (line.length <= 2 * size + mostLeft) return
      line = all()
      at = 0
    },

    all,
  }
}
