import { parseDuration, parseGoDuration } from '@gatehouse/go-template/text'
import { describe, expect, it } from 'vitest'
import { readDuration, shortDuration } from './duration.ts'

describe('readDuration', () => {
  it.each([
    ['0', 0],
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['.5s', 500],
    ['+5m', 300_000],
    ['2d', 172_800_000],
    ['1w1d', 691_200_000],
    ['1d1.5h', 91_800_000],
    ['1us', 0.001],
    ['1m1m', 120_000],
  ])('reads %j as %d ms', (text, ms) => {
    expect(readDuration(text)).toBe(ms)
  })

  it.each(['', '90', '5 m', '-5m', '1h-30m', 's', '.s', '5x', '5M', '1e3s', `${'9'.repeat(400)}s`])(
    'refuses %j',
    (text) => {
      expect(readDuration(text)).toBeUndefined()
    },
  )

  it('reads what Prometheus and Go read, as they do', () => {
    for (const text of ['0', '5d', '1y2w3d4h5m6s7ms', '1h30m', '120h']) {
      expect(readDuration(text)).toBe(parseDuration(text))
    }
    for (const text of ['0', '1.5h', '1h1h', '300ms', '1µs', '1μs', '2ns', '+1m30s', '1.s']) {
      expect(readDuration(text)).toBeCloseTo(parseGoDuration(text), 9)
    }
  })
})

it('shortDuration writes the largest unit without a remainder', () => {
  const written = [0, 1, 1_500, 90_000, 5_400_000, 172_800_000].map(shortDuration)
  expect(written).toEqual(['0s', '1ms', '1500ms', '90s', '90m', '2d'])
})
