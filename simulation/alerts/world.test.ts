import { expect, it } from 'vitest'
import { runsOf } from '../../test-support/lane.ts'
import { storyOfFailure } from '../check-seeds.ts'
import { simulationOf } from '../run.ts'
import { alertsWorld } from './world.ts'

const simulation = simulationOf(alertsWorld)

it('a seed always gives the same run', async () => {
  for (let seed = 1; seed <= runsOf(5); seed++) {
    const [one, other] = [await simulation.run(seed), await simulation.run(seed)]
    expect(one.steps).toBeGreaterThan(100)
    expect([seed, one.hash, one.steps, one.story]).toEqual([
      seed,
      other.hash,
      other.steps,
      other.story,
    ])
  }
})

it('the last message of each receiver is true, whatever fails in the processes that send', async () => {
  expect(await storyOfFailure(simulation, { from: 1_001, count: runsOf(100) })).toBe('')
}, 600_000)

it.each([1_414, 1_738])(
  'the last message is true with seed %i, which once failed',
  async (from) => {
    expect(await storyOfFailure(simulation, { from, count: 1 })).toBe('')
  },
  60_000,
)
