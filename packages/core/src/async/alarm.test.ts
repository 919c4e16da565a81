import { expect, it } from 'vitest'
import { createManualClock } from '../testing/index.ts'
import { createAlarm } from './alarm.ts'

it('an alarm goes off once, at the earliest of its times', () => {
  const clock = createManualClock()
  let times = 0
  const alarm = createAlarm(clock, () => times++)
  alarm.atMost(1_000)
  alarm.atMost(250)
  alarm.atMost(500)
  clock.advance(249)
  expect(times).toBe(0)
  clock.advance(1)
  expect(times).toBe(1)
  expect(clock.pendingTimers).toBe(0)
})

it('an alarm that is stopped never goes off, whatever comes', () => {
  const clock = createManualClock()
  let times = 0
  const alarm = createAlarm(clock, () => times++)
  alarm.atMost(100)
  alarm.stop()
  alarm.atMost(100)
  clock.advance(1_000)
  expect(times).toBe(0)
})
