import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { groupCollection } from '../dispatch/group/group.ts'
import type { NotifyResult } from '../receivers/notifier.ts'
import {
  createDispatchWorld,
  type DispatchProcess,
  type DispatchWorld,
} from './start-dispatcher.fixture.ts'

const sent: NotifyResult = { outcome: 'sent' }

let world: DispatchWorld
beforeEach(() => {
  world = createDispatchWorld()
})
afterEach(() => world.end())

const notified = () => world.notifications.map(({ at, by, reason }) => [at, by, reason])

/** Runs everything that does not wait for a response from a receiver. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
}

/** Makes a group of one alert due, and returns a function that answers the attempt its receiver is waiting in. */
async function startSlowFlush(on: DispatchProcess): Promise<(result: NotifyResult) => void> {
  let answer = (_result: NotifyResult): void => {}
  world.answers.push(() => new Promise((resolve) => (answer = resolve)))
  await world.post(on, ['A/1'])
  await world.pass(29.75)
  world.clock.advance(250)
  await turns()
  expect(world.notifications).toHaveLength(1)
  return answer
}

describe('a slow flush', () => {
  it('is left alone by others: its claim is in the log, and also in the group once renewed', async () => {
    const answer = await startSlowFlush(world.start({ name: 'a' }))
    world.start({ name: 'b' })
    const areClaimed = async () => {
      const stored = await groupCollection.find(world.storage, { by: 'id', limit: 2 })
      return stored.map(({ value }) => value.claim !== undefined)
    }
    expect(await areClaimed()).toEqual([false])
    for (let quarter = 0; quarter < 4 * 40; quarter++) {
      world.clock.advance(250)
      await turns()
    }
    expect(await areClaimed()).toEqual([true])
    answer(sent)
    await world.pass(10)
    expect(await areClaimed()).toEqual([false])
    expect(notified()).toHaveLength(1)
  })
})

describe('a flush of a process that is gone', () => {
  it('is taken over by a running one, once its claim has expired', async () => {
    const processes = [world.start({ name: 'a' }), world.start({ name: 'b' })]
    await startSlowFlush(processes[0] ?? world.start())
    const sender = world.notifications[0]?.by
    processes.find((_, index) => 'ab'[index] === sender)?.crash()
    await world.pass(60)
    const [first, second] = world.notifications.map(({ at }) => at)
    expect([first, world.notifications.length]).toEqual([30, 2])
    // Counted from the moment when the other process saw the claim.
    expect(second).toBeGreaterThanOrEqual(45)
    expect(second).toBeLessThan(46)
    expect(world.notifications[1]?.by).not.toBe(sender)
  })

  it('is flushed once, and the group keeps its schedule', async () => {
    const a = world.start({ name: 'a' })
    await startSlowFlush(a)
    a.crash()
    const b = world.start({ name: 'b' })
    const startedAt = world.clock.now() - 30_000
    await world.pass(640)
    expect(b.decisions.map(({ at, outcome }) => [(at - startedAt) / 1_000, outcome])).toEqual([
      [45, 'sent'],
      [330, 'deduplicated'],
      [630, 'deduplicated'],
    ])
  })
})

describe('while the storage is unavailable', () => {
  it('sent notifications are kept, and logged when it is back', async () => {
    const one = world.start()
    const answer = await startSlowFlush(one)
    one.reach('away')
    answer(sent)
    await turns()
    await world.pass(40)
    one.reach('there')
    await world.pass(600)
    expect(notified()).toEqual([[30, 'one', 'first notification']])
    await world.post(one, ['A/2'])
    await world.pass(300)
    expect(notified().at(-1)).toEqual([930, 'one', 'new alerts added'])
  })

  it('no other process sends them again', async () => {
    const processes = [world.start({ name: 'a' }), world.start({ name: 'b' })]
    const answer = await startSlowFlush(processes[0] ?? world.start())
    for (const process of processes) process.reach('away')
    answer(sent)
    await turns()
    await world.pass(10)
    for (const process of processes) process.reach('there')
    await world.pass(600)
    expect(world.notifications).toHaveLength(1)
  })

  it('it is retried a few times a second, also while a group is due', async () => {
    const one = world.start()
    await world.post(one, ['A/1'])
    await world.pass(1)
    one.reach('away')
    await world.pass(60)
    const reads = vi.spyOn(one.alerts.storage, 'changes')
    for (let ms = 0; ms < 1_000; ms++) {
      world.clock.advance(1)
      await one.dispatcher.settled()
    }
    expect(reads.mock.calls.length).toBeGreaterThan(4)
    expect(reads.mock.calls.length).toBeLessThan(20)
  })

  it('due groups are notified as soon as it is back', async () => {
    const one = world.start()
    await world.post(one, ['A/1'])
    await world.pass(1)
    one.reach('away')
    await world.pass(60)
    one.reach('there')
    await world.pass(2)
    expect(world.notifications).toHaveLength(1)
    expect(world.notifications[0]?.at).toBeLessThanOrEqual(62)
  })

  it('a claim that was committed without a confirmation belongs to its process', async () => {
    const one = world.start()
    await world.post(one, ['A/1'])
    await world.pass(29.75)
    one.reach('unanswered')
    await world.pass(0.25)
    expect(world.notifications).toEqual([])
    one.reach('there')
    await world.pass(2)
    expect(world.notifications).toHaveLength(1)
    await world.pass(600)
    expect(world.notifications).toHaveLength(1)
  })

  it('a flush whose end was committed without a confirmation has ended', async () => {
    const one = world.start()
    const answer = await startSlowFlush(one)
    one.reach('unanswered')
    answer(sent)
    await turns()
    one.reach('there')
    await world.pass(700)
    expect(world.notifications).toHaveLength(1)
    const outcomes = one.decisions.map(({ outcome }) => outcome)
    expect(outcomes).toEqual(['sent', 'deduplicated', 'deduplicated'])
  })

  it('the dispatcher can be stopped', async () => {
    const one = world.start()
    const answer = await startSlowFlush(one)
    one.reach('away')
    answer(sent)
    await turns()
    const stopped = one.dispatcher.stop()
    world.clock.advance(5_000)
    await stopped
    expect(one.decisions.map(({ outcome }) => outcome)).toEqual(['sent'])
  })
})
