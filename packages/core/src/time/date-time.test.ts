import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDateTime, parseDateTime, parsePlainUtc } from './date-time.ts'

const at = Date.UTC(2026, 0, 2, 3, 4, 5)

describe('accepts', () => {
  it.each([
    ['2026-01-02T03:04:05Z', { at }],
    ['2026-01-02T03:04:05.5Z', { at: at + 500 }],
    ['2026-01-02T03:04:05,5Z', { at: at + 500 }],
    ['2026-01-02T03:04:05.123456789Z', { at: at + 123, text: '2026-01-02T03:04:05.123456789Z' }],
    ['2026-01-02T03:04:05.1230000000001Z', { at: at + 123 }],
    ['2026-01-02T05:04:05+02:00', { at, text: '2026-01-02T05:04:05+02:00' }],
    ['2026-01-01T21:34:05.25-05:30', { at: at + 250, text: '2026-01-01T21:34:05.25-05:30' }],
    ['2026-01-02T03:04:05+00:00', { at }],
    ['2026-01-02T03:04:05-00:00', { at }],
    ['2026-01-02T05:04:05.000+0200', { at, text: '2026-01-02T05:04:05+02:00' }],
    ['2026-01-02T05:04:05.000001+0200', { at, text: '2026-01-02T05:04:05.000001+02:00' }],
    ['2026-01-02T03:04:05', { at }],
    ['2026-01-02T03:04:05.25', { at: at + 250 }],
    ['2026-01-02T03:04Z', { at: at - 5_000 }],
    ['2026-01-02T03:04', { at: at - 5_000 }],
    ['2026-01-02 03:04:05', { at }],
    ['2026-01-02', { at: Date.UTC(2026, 0, 2) }],
    ['2024-02-29', { at: Date.UTC(2024, 1, 29) }],
    ['', { at: 0 }],
    ['0099-01-01', { at: -59_042_995_200_000 }],
    ['9999-12-31T23:59:59.999Z', { at: 253_402_300_799_999 }],
  ])('%j', (text, expected) => {
    expect(parseDateTime(text)).toEqual(expected)
  })

  it.each(['0001-01-01T00:00:00Z', '0001-01-01T02:00:00+02:00', '0001-01-01'])(
    "returns undefined for Go's zero time %s",
    (text) => {
      expect(parseDateTime(text)).toBeUndefined()
    },
  )

  it('accepts the moment after the zero time', () => {
    expect(parseDateTime('0001-01-01T00:00:00.000000001Z')).toEqual({
      at: -62_135_596_800_000,
      text: '0001-01-01T00:00:00.000000001Z',
    })
  })
})

describe('refuses', () => {
  const as = 'as "2006-01-02 15:04:05": cannot parse'
  it.each([
    ['bogus', `"bogus" ${as} "bogus" as "2006"`],
    ['2026-01-02T03:04:05+0200', `"2026-01-02T03:04:05+0200" ${as} "T03:04:05+0200" as " "`],
    ['2026-01-02T03:04:05z', `"2026-01-02T03:04:05z" ${as} "T03:04:05z" as " "`],
    ['2026-02-30T03:04:05Z', `"2026-02-30T03:04:05Z" ${as} "T03:04:05Z" as " "`],
    ['2026-01-02T24:00:00Z', `"2026-01-02T24:00:00Z" ${as} "T24:00:00Z" as " "`],
    ['10000-01-01T00:00:00Z', `"10000-01-01T00:00:00Z" ${as} "0-01-01T00:00:00Z" as "-"`],
    [' 2026-01-02', `" 2026-01-02" ${as} " 2026-01-02" as "2006"`],
    ['2026-01-02 ', `"2026-01-02 " ${as} "" as "15"`],
    ['2026-1-02', `"2026-1-02" ${as} "1-02" as "01"`],
    ['2026-13-02T00:00:00Z', '"2026-13-02T00:00:00Z": month out of range'],
    ['2026-02-30', '"2026-02-30": day out of range'],
    ['2026-02-30 01:02:03', '"2026-02-30 01:02:03": day out of range'],
    ['2026-01-02 24:00:00', '"2026-01-02 24:00:00": hour out of range'],
    ['2026-01-02 03:04:05Z', '"2026-01-02 03:04:05Z": extra text: "Z"'],
    ['é"\\', `"\\xc3\\xa9\\"\\\\" ${as} "\\xc3\\xa9\\"\\\\" as "2006"`],
  ])('%j', (text, message) => {
    expect(() => parseDateTime(text)).toThrow(
      expect.objectContaining({
        kind: 'BadRequest',
        reason: 'InvalidTime',
        message: `parsing time ${message}`,
      }),
    )
  })

  it.each([
    '2026-01-02t03:04:05Z',
    '2026-01-02T03:04:60Z',
    '2026-01-02T03:60:00Z',
    '2026-01-02T03:04:05.Z',
    '2026-01-02T03:04+01:00',
    '2026-01-02T03:04:05+24:00',
    '2026-01-02T03:04:05+01:60',
    '2026-01-02T03:04:05.12+0200',
    '2026-01-02T03Z',
    '2026-01-02T03:04:05Z\n',
    '1767323045',
    '+2026-01-02T03:04:05Z',
  ])('%j', (text) => {
    expect(() => parseDateTime(text)).toThrow(expect.objectContaining({ reason: 'InvalidTime' }))
  })

  it('parses or refuses any text', () => {
    const parts = fc.constantFrom(
      '2026',
      '-',
      '01',
      '30',
      'T',
      ' ',
      ':',
      '.',
      ',',
      'Z',
      '+',
      '12',
      '9',
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 14 }), (list) => {
        try {
          parseDateTime(list.join(''))
        } catch (error) {
          expect(error).toMatchObject({ reason: 'InvalidTime' })
        }
      }),
    )
  })
})

describe('formatting', () => {
  it.each([
    [at + 123.9, undefined, '2026-01-02T03:04:05.123Z'],
    [at + 123, '2026-01-02T05:04:05.123999+02:00', '2026-01-02T05:04:05.123+02:00'],
    [at, '2026-01-02T03:04:05.0001Z', '2026-01-02T03:04:05.000Z'],
    [at, '2026-01-01T21:34:05-05:30', '2026-01-01T21:34:05.000-05:30'],
    [-62_135_596_800_000, undefined, '0001-01-01T00:00:00.000Z'],
    [Date.UTC(10_000, 0, 1), undefined, '10000-01-01T00:00:00.000Z'],
  ])('%d beside %j', (instant, text, expected) => {
    expect(formatDateTime(instant, text)).toBe(expected)
  })

  it('parses back to the millisecond, with the original offset', () => {
    const instant = fc.integer({ min: Date.UTC(1970, 0, 2), max: Date.UTC(9999, 11, 30) })
    const offset = fc.integer({ min: -(24 * 60 - 1), max: 24 * 60 - 1 }).map((minutes) => {
      const [hour, minute] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
      const digits = [hour, minute].map((number) => String(number).padStart(2, '0')).join(':')
      return `${minutes < 0 ? '-' : '+'}${digits}`
    })
    fc.assert(
      fc.property(instant, offset, (written, suffix) => {
        const text = formatDateTime(written, `2026-01-01T00:00:00${suffix}`)
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)$/)
        const read = parseDateTime(text)
        expect(read?.at).toBe(written)
        expect(formatDateTime(read?.at ?? 0, read?.text)).toBe(text)
      }),
    )
  })
})

describe('a plain time in UTC', () => {
  it("agrees with the platform's parser, for every year", () => {
    const instant = fc.integer({
      min: Date.UTC(1, 0),
      max: Date.UTC(9999, 11, 31, 23, 59, 59, 999),
    })
    fc.assert(
      fc.property(instant, (at) => {
        expect(parsePlainUtc(new Date(at).toISOString())).toBe(at)
      }),
    )
  })

  it('refuses a day or time that does not exist', () => {
    const number = (max: number) => fc.integer({ min: 0, max })
    const two = (value: number): string => String(value).padStart(2, '0')
    fc.assert(
      fc.property(
        fc.constantFrom(1900, 2000, 2023, 2024),
        fc.tuple(number(13), number(32), number(24), number(60), number(60)),
        (year, [month, day, hour, minute, second]) => {
          const text = `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}Z`
          const at = Date.UTC(year, month - 1, day, hour, minute, second)
          const isPossible = new Date(at).toISOString().startsWith(text.slice(0, 19))
          expect(parsePlainUtc(text)).toBe(isPossible ? at : undefined)
        },
      ),
    )
  })

  it.each(['2026-01-02T03:04:05.1234Z', '2026-01-02T03:04:05+00:00', '2026-01-02', ' ', 'x'])(
    'refuses %j',
    (text) => {
      expect(parsePlainUtc(text)).toBeUndefined()
    },
  )
})
