/** How many bytes of request bodies are held at once. */
export interface BodyBudget {
  /** Takes so many bytes for the caller, who gives them back by the answered function; `undefined` if they are not there. */
  reserve(bytes: number): (() => void) | undefined
}

/** A budget of as many bytes as `limit` says at the time; a body that is held stays held when the limit falls. */
export function createBodyBudget(limit: () => number): BodyBudget {
  let held = 0
  return {
    reserve(bytes) {
      if (held + bytes > limit()) return undefined
      held += bytes
      let isHeld = true
      return () => {
        if (isHeld) held -= bytes
        isHeld = false
      }
    },
  }
}
