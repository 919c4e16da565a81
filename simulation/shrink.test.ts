import { expect, it } from 'vitest'
import { describeFailure, simulationOf, type World } from './run.ts'

/** Fails when the events 3 and 7 are both present. */
const world: World<number> = {
  name: 'numbers',
  plan: (seed) => ({ seed, events: [1, 2, 3, 4, 5, 6, 7, 8, 9] }),
  run: async ({ events }) => ({
    failures:
      events.includes(3) && events.includes(7)
        ? [{ property: 'not both', detail: `${events}` }]
        : [],
    hash: '',
    steps: 0,
    story: events.map(String),
  }),
}

it('shrinks a failed seed to the events that make it fail', async () => {
  const result = await simulationOf(world).check(5)
  if (!('outcome' in result)) throw new Error('it did not fail')
  expect(result.outcome.story).toEqual(['3', '7'])
  expect(describeFailure(result)).toBe(
    [
      'The simulation of numbers fails with seed 5: npm run simulate -- --world numbers --seed 5',
      '  not both: 3,7',
      'What happened, with 2 of 9 events:',
      '3',
      '7',
    ].join('\n'),
  )
})
