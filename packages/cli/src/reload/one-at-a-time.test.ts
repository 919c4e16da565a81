import { expect, it } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

it('runs once more for all callers that came while it ran', async () => {
  const ends: (() => void)[] = []
  const ask = oneAtATime(() => new Promise((resolve) => ends.push(resolve)))
  const first = ask()
  const later = [ask(), ask()]
  expect(ends).toHaveLength(1)
  ends[0]?.()
  await first
  await expect.poll(() => ends.length).toBe(2)
  ends[1]?.()
  await Promise.all(later)
  const afterwards = ask()
  expect(ends).toHaveLength(3)
  ends[2]?.()
  await afterwards
})
