/** Limits the total bytes of request bodies held in memory. */
export interface BodyBudget {
  /** Opens a hold for one more body, of 0 bytes. */
  open(): BodyHold
}

/** The share of one body in the budget. */
export interface BodyHold {
  /** Sets the size of the hold; returns `false`, and changes nothing, if the budget is exhausted. */
  resize(bytes: number): boolean
  /** Releases all bytes. Calling it again has no effect. */
  release(): void
}

/** The state that all holds of a budget share. */
interface Shared {
  held: number
  readonly limit: () => number
}

/** Creates a budget with the limit that `limit` returns at the time. A lower limit keeps existing holds. */
export function createBodyBudget(limit: () => number): BodyBudget {
  const shared: Shared = { held: 0, limit }
  return { open: () => new Hold(shared) }
}

/** Thousands of runs may wait, each with a hold. A class, because an object literal would create its functions for each. */
class Hold implements BodyHold {
  readonly #shared: Shared
  #own = 0

  constructor(shared: Shared) {
    this.#shared = shared
  }

  resize(bytes: number): boolean {
    const shared = this.#shared
    const held = shared.held - this.#own + bytes
    if (bytes > this.#own && held > shared.limit()) return false
    shared.held = held
    this.#own = bytes
    return true
  }

  release(): void {
    this.resize(0)
  }
}
