import { describe, expect, it } from 'vitest'
import { createManualClock } from './manual-clock.ts'

describe('createManualClock', () => {
  it('stands still until it is advanced', () => {
    const clock = createManualClock(1_000)
    expect(clock.now()).toBe(1_000)
    clock.advance(5)
    expect(clock.now()).toBe(1_005)
    clock.setTo(900)
    expect(clock.now()).toBe(900)
  })

  it('starts at a fixed instant by default', () => {
    expect(new Date(createManualClock().now()).toISOString()).toBe('2026-01-01T00:00:00.000Z')
  })

  it('fires due timers by instant, then in the order they were set', () => {
    const clock = createManualClock(0)
    const fired: string[] = []
    clock.setTimer(20, () => fired.push(`b ${clock.now()}`))
    clock.setTimer(10, () => fired.push(`a ${clock.now()}`))
    clock.setTimer(20, () => fired.push(`c ${clock.now()}`))
    clock.setTimer(21, () => fired.push('too early'))
    clock.advance(20)
    expect(fired).toEqual(['a 10', 'b 20', 'c 20'])
    expect(clock.now()).toBe(20)
    expect(clock.pendingTimers).toBe(1)
  })

  it('fires a timer set by another timer, if it is due within the same move', () => {
    const clock = createManualClock(0)
    const fired: number[] = []
    clock.setTimer(10, () => {
      clock.setTimer(5, () => fired.push(clock.now()))
      clock.setTimer(11, () => fired.push(-1))
    })
    clock.advance(20)
    expect(fired).toEqual([15])
  })

  it('does not fire a canceled timer, and fires no timer twice', () => {
    const clock = createManualClock(0)
    let fired = 0
    const cancel = clock.setTimer(1, () => fired++)
    clock.setTimer(1, () => fired++)
    cancel()
    cancel()
    clock.advance(1)
    clock.advance(1)
    expect(fired).toBe(1)
  })

  it('sets the wall clock forward and back without letting time pass', () => {
    const clock = createManualClock(1_000_000)
    const fired: string[] = []
    clock.setTimer(10, () => fired.push(`${clock.now()} ${clock.monotonic()}`))
    const before = clock.monotonic()
    clock.setWallClock(5_000_000)
    clock.setWallClock(400)
    expect([clock.now(), clock.monotonic() - before]).toEqual([400, 0])
    expect(fired).toEqual([])
    clock.advance(10)
    expect(fired).toEqual([`410 ${before + 10}`])
  })

  it('fires a timer after its duration, even if the wall clock was set back meanwhile', () => {
    const clock = createManualClock(1_000)
    let fired = 0
    clock.setTimer(10, () => fired++)
    clock.setTo(500)
    expect(fired).toBe(0)
    clock.setTo(510)
    expect(fired).toBe(1)
  })

  it('refuses an invalid duration', () => {
    const clock = createManualClock(0)
    expect(() => clock.advance(-1)).toThrow('expected')
    expect(() => clock.advance(Number.NaN)).toThrow('expected')
    expect(() => clock.advance(Number.POSITIVE_INFINITY)).toThrow('expected')
    expect(() => clock.setTo(Number.POSITIVE_INFINITY)).toThrow('expected')
    expect(() => clock.setWallClock(Number.NaN)).toThrow('expected')
  })
})
