import { expect, it } from 'vitest'
import { createManualClock } from '../../../testing/index.ts'
import { createActivity } from './activity.ts'
import { createLooks, type Looks } from './looks.ts'

function createWorld(look: (looks: Looks) => Promise<void> = async () => {}) {
  const clock = createManualClock()
  const activity = createActivity()
  const world = { clock, activity, times: 0, errors: [] as unknown[] }
  const looks: Looks = createLooks({
    clock,
    activity,
    look() {
      world.times++
      return look(looks)
    },
    onError: (error) => world.errors.push(error),
    restMs: (hasFailed) => (hasFailed ? 250 : 1_000),
  })
  return { ...world, world, looks }
}

it('looks when it is woken, and again after a rest', async () => {
  const { world, clock, activity, looks } = createWorld()
  expect(world.times).toBe(0)
  looks.wake()
  await activity.settled()
  clock.advance(1_000)
  await activity.settled()
  expect(world.times).toBe(2)
  expect(clock.pendingTimers).toBe(1)
})

it('looks once more if it is woken during a look, however often', async () => {
  const { world, activity, looks } = createWorld(async (own) => {
    await Promise.resolve()
    if (world.times > 1) return
    own.wake()
    own.wake()
  })
  looks.wake()
  await activity.settled()
  expect(world.times).toBe(2)
})

it('looks again soon after a failure', async () => {
  const { world, clock, activity, looks } = createWorld(() => Promise.reject(new Error('away')))
  looks.wake()
  await activity.settled()
  clock.advance(250)
  await activity.settled()
  expect(world).toMatchObject({ times: 2, errors: [new Error('away'), new Error('away')] })
})

it('ends with the look that is in progress', async () => {
  let end = (): void => {}
  const { world, clock, looks } = createWorld(() => new Promise((resolve) => (end = resolve)))
  looks.wake()
  looks.wake()
  const stopped = looks.stop()
  expect(looks.isStopped).toBe(true)
  end()
  await stopped
  looks.wake()
  expect(world.times).toBe(1)
  expect(clock.pendingTimers).toBe(0)
})
