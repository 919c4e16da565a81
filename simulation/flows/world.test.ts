import { expect, it } from 'vitest'
import { runsOf } from '../../test-support/lane.ts'
import { storyOfFailure } from '../check-seeds.ts'
import { simulationOf } from '../run.ts'
import { flowsWorld } from './world.ts'

const simulation = simulationOf(flowsWorld)

it('a seed always gives the same run', async () => {
  for (let seed = 1; seed <= runsOf(5); seed++) {
    const [one, other] = [await simulation.run(seed), await simulation.run(seed)]
    expect([seed, one.hash, one.steps, one.story]).toEqual([
      seed,
      other.hash,
      other.steps,
      other.story,
    ])
  }
})

it('names, codes and states are taken once, whatever fails in the processes that grant them', async () => {
  expect(await storyOfFailure(simulation, { from: 1, count: runsOf(120) })).toBe('')
}, 600_000)
