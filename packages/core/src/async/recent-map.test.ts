import { expect, it } from 'vitest'
import { createRecentMap } from './recent-map.ts'

it('keeps at least as many entries as its limit, and at most twice as many', () => {
  const map = createRecentMap<number>(3)
  for (let key = 0; key < 10; key++) map.set(String(key), key)
  const kept = Array.from({ length: 10 }, (_, key) => key).filter(
    (key) => map.get(String(key)) === key,
  )
  expect(kept.length).toBeLessThanOrEqual(6)
  expect(kept.slice(-3)).toEqual([7, 8, 9])
})

it('returns the value that was set last', () => {
  const map = createRecentMap<number>(2)
  for (const value of [1, 2, 3]) map.set('a', value)
  map.set('b', 4)
  expect(map.get('a')).toBe(3)
})
