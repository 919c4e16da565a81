import { describe, expect, it } from 'vitest'
import { decodeInput } from './decode.ts'
import { givenInstant, instant } from './instant.ts'

const read = (value: unknown) => decodeInput('at', instant, value)

describe('an instant', () => {
  it('accepts milliseconds, a Date and RFC 3339 text', () => {
    const at = Date.UTC(2026, 10, 23, 23)
    for (const value of [
      at,
      at + 0.9,
      new Date(at),
      '2026-11-23T23:00:00Z',
      '2026-11-23t23:00:00.000z',
      '2026-11-24T01:30:00+02:30',
    ]) {
      expect(read(value)).toBe(at)
    }
  })

  it('keeps the offset and the fraction of a text', () => {
    expect(decodeInput('at', givenInstant, '2026-01-01T01:00:00.123456+01:00')).toEqual({
      at: Date.UTC(2026, 0, 1) + 123,
      text: '2026-01-01T01:00:00.123456+01:00',
    })
  })

  it.each([
    [1e18, '1000000000000000000'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [-1e15, '-1000000000000000'],
    ['', '""'],
    ['2026-11-23', '"2026-11-23"'],
    ['2026-02-30T00:00:00Z', '"2026-02-30T00:00:00Z"'],
    ['yesterday', '"yesterday"'],
    [new Date(Number.NaN), 'an invalid Date'],
    [null, 'null'],
    [10n, 'a bigint'],
  ])('refuses %s', (value, given) => {
    expect(() => read(value)).toThrow(
      expect.objectContaining({
        reason: 'InvalidInput',
        info: expect.objectContaining({ path: 'at', given }),
      }),
    )
  })

  it('refuses an object that only claims to be a Date', () => {
    const fake = { [Symbol.toStringTag]: 'Date' }
    expect(() => read(fake)).toThrow('at: expected a readable value, got one that throws')
  })

  it('formats in RFC 3339 at both ends of the accepted range', () => {
    for (const value of ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z']) {
      expect(new Date(read(value)).toISOString()).toBe(new Date(value).toISOString())
      expect(() => read(read(value) + (value.startsWith('9') ? 1 : -1))).toThrow('years 1 to 9999')
    }
  })
})
