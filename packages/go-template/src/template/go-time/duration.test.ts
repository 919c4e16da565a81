import { describe, expect, it } from 'vitest'
import {
  clampDuration,
  durationIn,
  durationText,
  roundDuration,
  truncateDuration,
} from './duration.ts'

const second = 1_000_000_000n

describe('the text of a duration', () => {
  it.each([
    [0n, '0s'],
    [1n, '1ns'],
    [1_500n, '1.5µs'],
    [-2_000_000n, '-2ms'],
    [3_600n * second, '1h0m0s'],
    [-90n * second - 500_000_000n, '-1m30.5s'],
    [820_634_522_001_994_994n, '227954h2m2.001994994s'],
    [2n ** 63n - 1n, '2562047h47m16.854775807s'],
    [-(2n ** 63n), '-2562047h47m16.854775808s'],
  ])('%s is %s', (nanos, text) => {
    expect(durationText(nanos)).toBe(text)
  })
})

describe('a duration', () => {
  it('is converted to units with a fraction', () => {
    expect(durationIn(-18_136_923_004_004_006n, second)).toBe(-18_136_923.004004005)
    expect(durationIn(5_400n * second, 3_600n * second)).toBe(1.5)
  })

  it('is truncated towards zero', () => {
    expect(truncateDuration(1_999n, 1_000n)).toBe(1_000n)
    expect(truncateDuration(-1_999n, 1_000n)).toBe(-1_000n)
    expect(truncateDuration(1_999n, 0n)).toBe(1_999n)
  })

  it('is rounded, halves away from zero', () => {
    expect(roundDuration(1_500n, 1_000n)).toBe(2_000n)
    expect(roundDuration(-1_500n, 1_000n)).toBe(-2_000n)
    expect(roundDuration(1_499n, 1_000n)).toBe(1_000n)
    expect(roundDuration(1_499n, -1n)).toBe(1_499n)
  })

  it('stays within 64 bits', () => {
    expect(roundDuration(2n ** 63n - 1n, 2n ** 62n)).toBe(2n ** 63n - 1n)
    expect(clampDuration(-(2n ** 70n))).toBe(-(2n ** 63n))
    expect(clampDuration(5n)).toBe(5n)
  })
})
