import { expect, it } from 'vitest'
import { runsOf } from '../../test-support/lane.ts'
import { storyOfFailure } from '../check-seeds.ts'
import { simulationOf } from '../run.ts'
import { webhooksWorld } from './world.ts'

const simulation = simulationOf(webhooksWorld)

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

it('runs end once, and places, keys and rates hold, whatever fails in the processes', async () => {
  expect(await storyOfFailure(simulation, { from: 1, count: runsOf(200) })).toBe('')
}, 600_000)

it.each([1_166, 114_870, 222_728])(
  'they hold with seed %i, which once failed',
  async (from) => {
    expect(await storyOfFailure(simulation, { from, count: 1 })).toBe('')
  },
  60_000,
)
