/** A bucket of `burst` tokens to which one is added every `intervalMs`. */
export interface RateLimit {
  readonly intervalMs: number
  readonly burst: number
}

/** Answers whether one more request fits the limit now; `now` is in milliseconds and never goes back. */
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
