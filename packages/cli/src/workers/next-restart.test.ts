import { expect, it } from 'vitest'
import { nextRestart } from './next-restart.ts'

it.each([
  ['waits twice the first delay after its first early end', 0, 9_999, 1, 200],
  ['waits twice as long after each further one', 3, 0, 4, 1_600],
  ['never waits for more than 10 s', 99, 0, 100, 10_000],
  ['waits the first delay after it ran for 10 s', 99, 10_000, 0, 100],
])('a worker %s', (_, before, livedMs, earlyEnds, delayMs) => {
  expect(nextRestart(before, livedMs)).toEqual({ earlyEnds, delayMs })
})
