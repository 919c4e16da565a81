import { describe, expect, it } from 'vitest'
import { allowedAt, type RateLimit, returnRate, type SpentRate, spendRate } from './rate-limit.ts'

/** Calls the limit repeatedly, and keeps the stored state between calls. */
function createAsker(rate: RateLimit) {
  let stored: SpentRate | undefined
  let expiresAt: number | undefined
  return (now: number, by: RateLimit = rate): number | true => {
    const live = expiresAt !== undefined && expiresAt <= now ? undefined : stored
    const decision = spendRate(by, now)(live, live && expiresAt)
    stored = decision.value
    expiresAt = decision.expiresAt
    return decision.answer.allowed || decision.answer.retryAfterMs
  }
}

const start = Date.UTC(2026, 0, 1)

describe('a rate limit', () => {
  it('allows this many runs at once, and no more', () => {
    const ask = createAsker({ runs: 3, per: 1_000 })
    expect([ask(start), ask(start), ask(start)]).toEqual([true, true, true])
    expect(ask(start)).toBe(334)
  })

  it('allows one more exactly when the returned time is over', () => {
    const ask = createAsker({ runs: 3, per: 1_000 })
    for (let run = 0; run < 3; run++) ask(start)
    expect(ask(start + 333)).toBe(1)
    expect(ask(start + 334)).toBe(true)
    expect(ask(start + 334)).toBe(333)
  })

  it('allows exactly the configured rate over a long time', () => {
    const ask = createAsker({ runs: 7, per: 1_000 })
    let allowed = 0
    for (let ms = 0; ms < 60_000; ms++) if (ask(start + ms) === true) allowed++
    expect(allowed).toBe(7 + 7 * 60 - 1) // the initial burst, and the refill until just before the end
  })

  it('allows a full burst again after its period', () => {
    const ask = createAsker({ runs: 2, per: 500 })
    for (const now of [start, start, start + 500, start + 500]) expect(ask(now)).toBe(true)
    expect(ask(start + 500)).toBe(250)
  })

  it('leaves the stored state unchanged when it refuses', () => {
    const stored = { spent: 2_000, at: start, per: 1_000 }
    const decision = spendRate({ runs: 2, per: 1_000 }, start + 10)(stored, start + 1_000)
    expect(decision).toEqual({
      value: stored,
      expiresAt: start + 1_000,
      answer: { allowed: false, retryAfterMs: 490 },
    })
    expect(decision.value).toBe(stored)
  })

  it('does not wait for a clock that was set back', () => {
    const ask = createAsker({ runs: 1, per: 1_000 })
    expect(ask(start)).toBe(true)
    expect(ask(start - 3_600_000)).toBe(1_000)
    expect(ask(start - 3_600_000 + 1_000)).toBe(true)
  })

  it('allows no more to processes with different clocks', () => {
    const ask = createAsker({ runs: 3, per: 15_000 })
    let allowed = 0
    for (let ms = 0; ms < 60_000; ms += 500) {
      if (ask(start + ms) === true) allowed++
      if (ask(start + ms - 5_000) === true) allowed++
    }
    expect(allowed).toBe(3 + 11)
  })

  it('waits at most its period for a clock that was an hour ahead', () => {
    const ask = createAsker({ runs: 3, per: 15_000 })
    for (let run = 0; run < 3; run++) ask(start + 3_600_000)
    expect(ask(start)).toBe(5_000)
    expect(ask(start + 5_000)).toBe(true)
  })

  it('keeps the spent amount when another rate is configured', () => {
    const ask = createAsker({ runs: 4, per: 1_000 })
    for (let run = 0; run < 4; run++) ask(start)
    const more = { runs: 6, per: 6_000 }
    expect([ask(start, more), ask(start, more), ask(start, more)]).toEqual([true, true, 1_000])
    const fewer = { runs: 1, per: 100 }
    expect(ask(start, fewer)).toBe(100)
    expect(ask(start + 100, fewer)).toBe(true)
  })

  it('names the instant from which one more is allowed', () => {
    const rate = { runs: 3, per: 1_000 }
    expect(allowedAt(rate, undefined, start)).toBe(start)
    const { value } = spendRate(rate, start)(undefined, undefined)
    expect(allowedAt(rate, value, start + 5)).toBe(start)
    const full = { spent: 3_000, at: start, per: 1_000 }
    expect(allowedAt(rate, full, start + 5)).toBe(start + 334)
    expect(allowedAt(rate, full, start + 5_000)).toBe(start + 334)
    expect(allowedAt(rate, full, start - 3_600_000)).toBe(start - 3_600_000 + 334)
  })

  it('allows a run that was given back', () => {
    const rate = { runs: 2, per: 1_000 }
    const full = { spent: 2_000, at: start, per: 1_000 }
    expect(spendRate(rate, start)(returnRate(full), undefined).answer).toEqual({ allowed: true })
    expect(returnRate({ spent: 400, at: start, per: 1_000 }).spent).toBe(0)
  })
})
