/** How many bytes of request bodies are held at once. */
export interface BodyBudget {
  /** For one more body, which takes nothing yet. */
  open(): BodyHold
}

/** What one body takes of a budget. */
export interface BodyHold {
  /** Takes so many bytes from now on, or gives back what is more; `false` if they are not there, which changes nothing. */
  resize(bytes: number): boolean
  /** Gives back all of them; once is enough, twice is no harm. */
  release(): void
}

/** What all holds of one budget share. */
interface Shared {
  held: number
  readonly limit: () => number
}

/** A budget of as many bytes as `limit` says at the time; a body that is held stays held when the limit falls. */
export function createBodyBudget(limit: () => number): BodyBudget {
  const shared: Shared = { held: 0, limit }
  return { open: () => new Hold(shared) }
}

/** Thousands of runs may wait, each with the hold of its body: a class, since an object of functions is made anew with all of them. */
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
