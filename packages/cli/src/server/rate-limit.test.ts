import { describe, expect, it } from 'vitest'
import { createRateLimiter } from './rate-limit.ts'

describe('createRateLimiter()', () => {
  it('accepts a burst at once, then one request per interval', () => {
    const fits = createRateLimiter({ intervalMs: 100, burst: 3 })
    expect([0, 0, 0, 0].map(fits)).toEqual([true, true, true, false])
    expect([99, 100, 150, 200].map(fits)).toEqual([false, true, false, true])
  })

  it('never saves up more than a burst', () => {
    const fits = createRateLimiter({ intervalMs: 100, burst: 2 })
    fits(0)
    expect([1_000_000, 1_000_000, 1_000_000].map(fits)).toEqual([true, true, false])
  })
})
