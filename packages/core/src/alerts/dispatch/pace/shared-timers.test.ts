import { describe, expect, it } from 'vitest'
import { createManualClock, type ManualClock } from '../../../testing/index.ts'
import { createSharedTimers } from './shared-timers.ts'

function timersOfTest(): {
  clock: ManualClock
  set: (name: string, ms: number) => () => void
  fired: readonly string[]
} {
  const clock = createManualClock()
  const timers = createSharedTimers(clock)
  const fired: string[] = []
  return { clock, fired, set: (name, ms) => timers.setTimer(ms, () => fired.push(name)) }
}

describe('shared timers', () => {
  it('fire in time, whatever their durations', () => {
    const { clock, set, fired } = timersOfTest()
    set('a', 100)
    set('short', 10)
    clock.advance(50)
    expect(fired).toEqual(['short'])
    set('b', 100)
    clock.advance(49)
    expect(fired).toEqual(['short'])
    clock.advance(1)
    expect(fired).toEqual(['short', 'a'])
    clock.advance(50)
    expect(fired).toEqual(['short', 'a', 'b'])
  })

  it('do not fire once canceled, and do not affect others', () => {
    const { clock, set, fired } = timersOfTest()
    const cancel = set('a', 100)
    clock.advance(60)
    set('b', 100)
    cancel()
    clock.advance(100)
    expect(fired).toEqual(['b'])
  })

  it('can be set again while they fire, and when all were canceled', () => {
    const clock = createManualClock()
    const timers = createSharedTimers(clock)
    let count = 0
    const again = (): void => {
      count++
      if (count < 3) timers.setTimer(10, again)
    }
    timers.setTimer(10, again)
    clock.advance(10)
    clock.advance(10)
    clock.advance(10)
    expect(count).toBe(3)
    timers.setTimer(10, again)()
    clock.advance(10)
    timers.setTimer(10, again)
    clock.advance(10)
    expect(count).toBe(4)
  })
})
