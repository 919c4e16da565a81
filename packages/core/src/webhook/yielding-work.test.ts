import { expect, it } from 'vitest'
import { createManualClock } from '../testing/index.ts'
import { createYieldingWork } from './yielding-work.ts'

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function working() {
  const clock = createManualClock()
  let done = 0
  const work = createYieldingWork({ clock, work: () => done++ })
  const requests = (count: number): void => {
    for (let index = 0; index < count; index++) work.requestCame()
  }
  return { clock, work, requests, done: () => done }
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

it('waits for the first turn without a burst, and is done once', async () => {
  const { clock, work, requests, done } = working()
  requests(2)
  work.due()
  await endOfTurn()
  work.due()
  requests(2)
  await endOfTurn()
  expect(done()).toBe(0)
  requests(1)
  await endOfTurn()
  expect(done()).toBe(1)
  await clock.advance(1_000)
  await endOfTurn()
  expect(done()).toBe(1)
  work.due()
  expect(done()).toBe(2)
})

it('waits no longer than 8 ms for a burst to end', async () => {
  const { clock, work, requests, done } = working()
  requests(2)
  await endOfTurn()
  work.due()
  for (let ms = 1; ms <= 8; ms++) {
    expect(done()).toBe(0)
    requests(2)
    await clock.advance(1)
    if (ms < 8) await endOfTurn()
  }
  expect(done()).toBe(1)
  work.due()
  expect(done()).toBe(1)
})
