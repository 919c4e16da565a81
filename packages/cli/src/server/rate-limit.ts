/** A token bucket of `burst` tokens, refilled by one every `intervalMs`. */
export interface RateLimit {
  readonly intervalMs: number
  readonly burst: number
}

/** Returns a function that takes a token if there is one. `now` is in milliseconds and never goes back. */
export function createRateLimiter({ intervalMs, burst }: RateLimit): (now: number) => boolean {
  let tokens = burst
  let filledAt = Number.NEGATIVE_INFINITY
  return (now) => {
    tokens = Math.min(burst, tokens + (now - filledAt) / intervalMs)
    filledAt = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
