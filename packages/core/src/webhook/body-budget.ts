/** How many bytes of request bodies are held at once. */
export interface BodyBudget {
  /** For one more body, which takes nothing yet. */
  open(): BodyHold
}

/** What one body takes of a budget. */
export interface BodyHold {
  /** Takes so many bytes from now on, or gives back what is more; `false` if they are not there, which changes nothing. */
  resize(bytes: number): boolean
}

/** A budget of as many bytes as `limit` says at the time; a body that is held stays held when the limit falls. */
export function createBodyBudget(limit: () => number): BodyBudget {
  let held = 0
  return {
    open() {
      let own = 0
      return {
        resize(bytes) {
          if (bytes > own && held - own + bytes > limit()) return false
          held += bytes - own
          own = bytes
          return true
        },
      }
    },
  }
}
