import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GoError } from '../../go-error.ts'
import { formatTime, timeText } from './format.ts'
import { parseTime } from './parse.ts'
import { goTime } from './time.ts'
import { fixedZone } from './zone.ts'

const rfc3339 = '2006-01-02T15:04:05Z07:00'

describe('reading a time', () => {
  it.each([
    [rfc3339, '2026-01-02T03:04:05Z', '2026-01-02 03:04:05 +0000 UTC'],
    [rfc3339, '2026-01-02T03:04:05.006Z', '2026-01-02 03:04:05.006 +0000 UTC'],
    [rfc3339, '2026-01-02T03:04:05,0000000019Z', '2026-01-02 03:04:05.000000001 +0000 UTC'],
    [rfc3339, '2026-01-02T03:04:05+00:00', '2026-01-02 03:04:05 +0000 UTC'],
    [rfc3339, '2026-01-02T03:04:05-05:30', '2026-01-02 03:04:05 -0530 -0530'],
    ['2006-01-02', '2026-02-28', '2026-02-28 00:00:00 +0000 UTC'],
    ['15:04', '03:04', '0000-01-01 03:04:00 +0000 UTC'],
    ['3:04PM', '12:30AM', '0000-01-01 00:30:00 +0000 UTC'],
    ['3:04pm', '1:30pm', '0000-01-01 13:30:00 +0000 UTC'],
    ['Mon Jan _2 2006', 'fri JAN  2 2026', '2026-01-02 00:00:00 +0000 UTC'],
    ['Monday, January 2 06', 'Friday, January 2 69', '1969-01-02 00:00:00 +0000 UTC'],
    ['2006 002', '2024 366', '2024-12-31 00:00:00 +0000 UTC'],
    ['2006-__2', '2026- 34', '2026-02-03 00:00:00 +0000 UTC'],
    ['15:04 MST', '03:04 CET', '0000-01-01 03:04:00 +0000 CET'],
    ['15:04 MST', '03:04 GMT-3', '0000-01-01 03:04:00 -0300 GMT-3'],
    ['15:04 MST', '03:04 UTC', '0000-01-01 03:04:00 +0000 UTC'],
    ['15:04 -0700 MST', '03:04 +0200 CEST', '0000-01-01 03:04:00 +0200 CEST'],
    ['15:04 -07', '03:04 -02', '0000-01-01 03:04:00 -0200 -0200'],
    ['15:04 -07:00:00', '03:04 +01:02:03', '0000-01-01 03:04:00 +0102 +0102'],
    ['05.000', '07.123', '0000-01-01 00:00:07.123 +0000 UTC'],
    ['05.999', '07', '0000-01-01 00:00:07 +0000 UTC'],
    ['05.999', '07.123456', '0000-01-01 00:00:07.123456 +0000 UTC'],
    ['2006  x', '2026 x', '2026-01-01 00:00:00 +0000 UTC'],
    ['2006 ', '2026', '2026-01-01 00:00:00 +0000 UTC'],
  ])('%j reads %j', (layout, value, text) => {
    expect(timeText(parseTime(layout, value))).toBe(text)
  })
})

describe('refusing a time', () => {
  it.each([
    ['2006-01-02', 'x', 'parsing time "x" as "2006-01-02": cannot parse "x" as "2006"'],
    [
      '2006-01-02',
      '2026/01/02',
      'parsing time "2026/01/02" as "2006-01-02": cannot parse "/01/02" as "-"',
    ],
    ['2006-01-02', '2026-13-02', 'parsing time "2026-13-02": month out of range'],
    ['2006-01-02', '2026-02-30', 'parsing time "2026-02-30": day out of range'],
    ['2006-01-02', '2026-02-00', 'parsing time "2026-02-00": day out of range'],
    ['2006-01-02', '2026-01-02 x', 'parsing time "2026-01-02 x": extra text: " x"'],
    ['15:04', '24:00', 'parsing time "24:00": hour out of range'],
    ['3PM', '13PM', 'parsing time "13PM": hour out of range'],
    ['3PM', '3pm', 'parsing time "3pm" as "3PM": cannot parse "pm" as "PM"'],
    ['04:05', '03:60', 'parsing time "03:60": second out of range'],
    ['Jan 2', 'Foo 2', 'parsing time "Foo 2" as "Jan 2": cannot parse "Foo 2" as "Jan"'],
    ['05.000', '07.12', 'parsing time "07.12" as "05.000": cannot parse ".12" as ".000"'],
    ['2006 002', '2025 366', 'parsing time "2025 366": day-of-year out of range'],
    ['2006 01 002', '2026 01 032', 'parsing time "2026 01 032": day-of-year does not match month'],
    ['2006 02 002', '2026 02 001', 'parsing time "2026 02 001": day-of-year does not match day'],
    ['-07:00', '+25:00', 'parsing time "+25:00": time zone offset hour out of range'],
    ['-07:00', '+0100', 'parsing time "+0100" as "-07:00": cannot parse "+0100" as "-07:00"'],
    ['-0700', '*0100', 'parsing time "*0100" as "-0700": cannot parse "*0100" as "-0700"'],
    ['MST', 'Xx', 'parsing time "Xx" as "MST": cannot parse "Xx" as "MST"'],
    [
      '2006',
      'é"\n',
      'parsing time "\\xc3\\xa9\\"\\x0a" as "2006": cannot parse "\\xc3\\xa9\\"\\x0a" as "2006"',
    ],
  ])('%j cannot read %j', (layout, value, message) => {
    expect(() => parseTime(layout, value)).toThrow(GoError)
    expect(() => parseTime(layout, value)).toThrow(message)
  })
})

const anyTime = fc.record({
  at: fc.integer({ min: Date.UTC(1000, 0, 1), max: Date.UTC(9998, 0, 1) }),
  nanos: fc.integer({ min: 0, max: 999_999 }),
  minutes: fc.integer({ min: -1_439, max: 1_439 }),
})
const element = fc.constantFrom(
  '2006',
  'Jan',
  '_2',
  '15',
  '03',
  '05',
  'PM',
  '-0700',
  'MST',
  '.99',
  '002',
  ' ',
  'x',
)

describe('reading and writing', () => {
  it('returns every time that is written in full', () => {
    fc.assert(
      fc.property(anyTime, ({ at, nanos, minutes }) => {
        const time = goTime(at, nanos, fixedZone('', minutes * 60))
        const layout = 'Mon 2006-002 January 2 03:04:05.000000000PM Z07:00'
        const read = parseTime(layout, formatTime(time, layout))
        expect([read.at, read.nanos, timeText(read)]).toEqual([
          at,
          nanos,
          minutes === 0 ? timeText(goTime(at, nanos)) : timeText(time),
        ])
      }),
    )
  })

  it('parses or refuses any text with any layout', () => {
    const layouts = fc.array(element, { maxLength: 6 }).map((elements) => elements.join(''))
    fc.assert(
      fc.property(layouts, fc.oneof(fc.string(), layouts), (layout, value) => {
        try {
          expect(timeText(parseTime(layout, value))).toMatch(/^-?\d{4}/)
        } catch (error) {
          expect(error).toBeInstanceOf(GoError)
        }
      }),
    )
  })
})
