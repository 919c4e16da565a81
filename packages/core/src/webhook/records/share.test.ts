import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fairShare } from './share.ts'

it('leaves small owners all of theirs, and divides the rest', () => {
  expect(fairShare([], 500)).toBe(500)
  expect(fairShare([1000], 500)).toBe(500)
  expect(fairShare([1000, 3], 500)).toBe(497)
  expect(fairShare([1000, 3, 900], 500)).toBe(248)
  expect(fairShare([1, 1, 1], 2)).toBe(0)
  expect(fairShare([5, 5], 0)).toBe(0)
})

it('keeps at most the limit of any owners, and all if there is room', () => {
  const counts = fc.array(fc.nat(1_000), { maxLength: 20 })
  fc.assert(
    fc.property(counts, fc.nat(2_000), (given, limit) => {
      const share = fairShare(given, limit)
      const kept = given.reduce((sum, count) => sum + Math.min(count, share), 0)
      expect(kept).toBeLessThanOrEqual(limit)
      const total = given.reduce((sum, count) => sum + count, 0)
      if (total <= limit) expect(kept).toBe(total)
    }),
  )
})
