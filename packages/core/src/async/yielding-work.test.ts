import { expect, it } from 'vitest'
import { createManualClock } from '../testing/index.ts'
import { createYieldingWork } from './yielding-work.ts'

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function working() {
  const timers = createManualClock()
  let lateMs = 0
  const clock = { ...timers, now: () => timers.now() + lateMs }
  let done = 0
  const work = createYieldingWork({ clock, work: () => done++ })
  const requests = (count: number): void => {
    for (let index = 0; index < count; index++) work.requestCame()
  }
  /** Sets the time of day, of which timers do not know. */
  const setForward = (ms: number): void => {
    lateMs = ms
  }
  return { clock, work, requests, setForward, done: () => done }
}

it('is done at once while few requests come', async () => {
  const { work, requests, done } = working()
  work.due()
  expect(done()).toBe(1)
  for (let turn = 0; turn < 5; turn++) {
    requests(1)
    work.due()
    expect(done()).toBe(turn + 2)
    await endOfTurn()
  }
})

it('waits until there was no burst for 2 ms, and is done once', async () => {
  const { clock, work, requests, done } = working()
  requests(2)
  work.due()
  await endOfTurn()
  work.due()
  await clock.advance(1)
  requests(2)
  await endOfTurn()
  await clock.advance(1)
  requests(1)
  await endOfTurn()
  expect(done()).toBe(0)
  await clock.advance(1)
  expect(done()).toBe(1)
  await clock.advance(1_000)
  expect(done()).toBe(1)
  work.due()
  expect(done()).toBe(2)
})

it('waits no longer than 4 ms for a burst to end', async () => {
  const { clock, work, requests, done } = working()
  requests(2)
  await endOfTurn()
  work.due()
  for (let ms = 1; ms <= 4; ms++) {
    expect(done()).toBe(0)
    requests(2)
    await endOfTurn()
    await clock.advance(1)
  }
  expect(done()).toBe(1)
  work.due()
  expect(done()).toBe(1)
})

it('is done at once when the burst is over, even if its timer comes late', async () => {
  const { clock, work, requests, done, setForward } = working()
  requests(2)
  work.due()
  setForward(2)
  work.due()
  expect(done()).toBe(1)
  await clock.advance(1_000)
  expect(done()).toBe(1)
})

it('waits no longer because the clock was set back', async () => {
  const { clock, work, requests, setForward, done } = working()
  requests(2)
  work.due()
  setForward(-3_600_000)
  await clock.advance(2)
  expect(done()).toBe(1)
  work.due()
  expect(done()).toBe(2)
})
