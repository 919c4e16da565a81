import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDuration, formatGoDuration, parseDuration, parseGoDuration } from './duration.ts'

const day = 86_400_000

describe('durations in the configuration file', () => {
  it.each([
    ['0', 0],
    ['0s', 0],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['1y2w3d4h5m6s7ms', 365 * day + 17 * day + 14_706_007],
    ['1500ms', 1_500],
    ['90m', 5_400_000],
    ['292y', 292 * 365 * day],
  ])('%s is %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  it.each([
    '5',
    '5x',
    '-5s',
    '+5s',
    '1.5h',
    '30m1h',
    '1h1h',
    ' 5m',
    '5m ',
    '5 m',
    '1m\n',
    'm',
    '"',
  ])('%j is refused', (text) => {
    expect(() => parseDuration(text)).toThrow(
      expect.objectContaining({
        kind: 'BadRequest',
        reason: 'InvalidDuration',
        message: `not a valid duration string: ${JSON.stringify(text)}`,
      }),
    )
  })

  it('refuses an empty text, and more than 292 years, with their own messages', () => {
    expect(() => parseDuration('')).toThrow('empty duration string')
    expect(() => parseDuration('300y')).toThrow('duration out of range')
    expect(() => parseDuration(`${'9'.repeat(400)}s`)).toThrow('duration out of range')
  })

  it.each([
    [0, '0s'],
    [300_000, '5m'],
    [5_400_000, '1h30m'],
    [14 * day, '2w'],
    [15 * day, '15d'],
    [365 * day, '1y'],
    [366 * day, '366d'],
    [1_001, '1s1ms'],
    [-90_000, '-1m30s'],
  ])('formats %i ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })

  it('parses its own output', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 292 * 365 * day }), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBe(ms)
      }),
    )
  })
})

describe("Go's durations", () => {
  it.each([
    ['0', 0],
    ['-0', 0],
    ['1.5h', 5_400_000],
    ['300ms', 300],
    ['-1h30m', -5_400_000],
    ['+5s', 5_000],
    ['.5s', 500],
    ['1.s', 1_000],
    ['1m1m', 120_000],
    ['1µs', 0.001],
    ['1μs', 0.001],
    ['1us', 0.001],
    ['500000ns', 0.5],
  ])('%s is %d ms', (text, ms) => {
    expect(Math.abs(parseGoDuration(text) - ms)).toBe(0)
  })

  it.each([
    ['', 'time: invalid duration ""'],
    ['-', 'time: invalid duration "-"'],
    ['s', 'time: invalid duration "s"'],
    ['.s', 'time: invalid duration ".s"'],
    ['1h ', 'time: unknown unit "h " in duration "1h "'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['5', 'time: missing unit in duration "5"'],
    ['1.5.5s', 'time: missing unit in duration "1.5.5s"'],
    ['9999999h', 'time: invalid duration "9999999h"'],
  ])('%j is refused', (text, message) => {
    expect(() => parseGoDuration(text)).toThrow(
      expect.objectContaining({ reason: 'InvalidDuration', message }),
    )
  })

  it.each([
    [0, '0s'],
    [5_400_000, '1h30m0s'],
    [60_000, '1m0s'],
    [1_500, '1.5s'],
    [300, '300ms'],
    [1.5, '1.5ms'],
    [0.02, '20µs'],
    [0.000_001, '1ns'],
    [-90_000, '-1m30s'],
    [999.999_999_9, '1s'],
  ])('formats %d ms as %s', (ms, text) => {
    expect(formatGoDuration(ms)).toBe(text)
  })

  it('parses its own output', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), (ms) => {
        expect(Math.abs(parseGoDuration(formatGoDuration(ms)) - ms)).toBeLessThan(1e-3)
      }),
    )
  })

  it('parses or refuses any text', () => {
    const parts = fc.array(fc.constantFrom('1', '.', 'h', 'ms', 'µs', '-', ' ', 'x', '00'))
    fc.assert(
      fc.property(parts, (list) => {
        for (const parse of [parseDuration, parseGoDuration]) {
          try {
            expect(parse(list.join(''))).toBeTypeOf('number')
          } catch (error) {
            expect(error).toMatchObject({ reason: 'InvalidDuration' })
          }
        }
      }),
    )
  })
})
