import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isGatehouseError } from '../../errors.ts'
import {
  containsInstant,
  parseDayOfMonthRange,
  parseLocation,
  parseMonthRange,
  parseTimeRange,
  parseWeekdayRange,
  parseYearRange,
  type TimeInterval,
} from './time-interval.ts'

const parsers = {
  weekdays: parseWeekdayRange,
  days_of_month: parseDayOfMonthRange,
  months: parseMonthRange,
  years: parseYearRange,
  location: parseLocation,
}

function failure(attempt: () => unknown): string | null {
  try {
    attempt()
    return null
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    expect(error).toMatchObject({ kind: 'BadRequest', reason: 'InvalidTimeInterval' })
    return error.message
  }
}

describe('the recorded entries', () => {
  interface Vector {
    name: string
    error: string | null
  }
  const url = new URL('../../../vectors/alerts/config-check.json', import.meta.url)
  const cases: Vector[] = JSON.parse(readFileSync(url, 'utf8')).cases

  const entries = cases.flatMap(({ name, error }) => {
    const [, field, entry] = /^ti (\w+): \[?'([^']*)'\]?$/.exec(name) ?? []
    return field === undefined || entry === undefined ? [] : [{ name, error, field, entry }]
  })
  it.each(entries)('$name', ({ field, entry, error }) => {
    const parse = Object.entries(parsers).find(([name]) => name === field)?.[1]
    if (parse === undefined) throw new Error(`no parser for ${field}`)
    expect(failure(() => parse(entry))).toBe(error)
  })

  const times = cases.filter(({ name }) => name.startsWith('ti times'))
  it.each(times)('$name', ({ name, error }) => {
    const [start, end] = ['start_time', 'end_time'].map(
      (key) => new RegExp(`${key}: '([^']*)'`).exec(name)?.[1],
    )
    expect(failure(() => parseTimeRange(start, end))).toBe(error)
  })

  it('are all covered', () => {
    expect(entries).toHaveLength(27)
    expect(times).toHaveLength(6)
  })
})

describe('an entry', () => {
  it.each([
    [parseWeekdayRange, 'Monday:Friday', { begin: 1, end: 5 }],
    [parseWeekdayRange, 'sunday', { begin: 0, end: 0 }],
    [parseDayOfMonthRange, '1:-1', { begin: 1, end: -1 }],
    [parseDayOfMonthRange, '-3:-1', { begin: -3, end: -1 }],
    [parseDayOfMonthRange, '+5', { begin: 5, end: 5 }],
    [parseMonthRange, 'January:3', { begin: 1, end: 3 }],
    [parseYearRange, '2024:2026', { begin: 2024, end: 2026 }],
  ])('%o decodes %j', (parse, text, range) => {
    expect(parse(text)).toEqual(range)
  })

  it.each([
    [parseMonthRange, '14:13', 'end month 13 is before start month 14'],
    [parseMonthRange, 'constructor', 'constructor is not a valid month'],
    [parseWeekdayRange, '__proto__', '__proto__ is not a valid weekday'],
    [parseWeekdayRange, '', ' is not a valid weekday'],
    [parseWeekdayRange, 'monday:', ' is not a valid weekday'],
    [parseYearRange, '', 'strconv.Atoi: parsing "": invalid syntax'],
    [parseYearRange, '2024:', 'strconv.Atoi: parsing "": invalid syntax'],
    [parseYearRange, '1e3', 'strconv.Atoi: parsing "1e3": invalid syntax'],
    [parseDayOfMonthRange, '1:2:3', "couldn't parse range 1:2:3, invalid format"],
    [parseLocation, '+01:00', 'unknown time zone +01:00'],
    [parseLocation, '../etc/passwd', 'unknown time zone ../etc/passwd'],
  ])('%o refuses %j', (parse, text, message) => {
    expect(failure(() => parse(text))).toBe(message)
  })

  it('of times is in minutes, to the end of the day', () => {
    expect(parseTimeRange('18:30', '24:00')).toEqual({ startMinute: 1_110, endMinute: 1_440 })
    expect(failure(() => parseTimeRange('24:00', '24:00'))).toBe(
      'start time cannot be equal or greater than end time',
    )
    expect(failure(() => parseTimeRange('08:00', '08:60'))).toBe(
      "couldn't parse timestamp 08:60, invalid format",
    )
    expect(failure(() => parseTimeRange('', '08:00'))).toBe(
      'both start and end times must be provided',
    )
  })

  it('may be any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const parse of Object.values(parsers)) failure(() => parse(text))
        failure(() => parseTimeRange(text, text))
      }),
    )
  })
})

describe('an instant', () => {
  const holds = (interval: TimeInterval, time: string): boolean =>
    containsInstant([interval], Date.parse(time))

  it('is in no interval of an empty list, and in an element without fields', () => {
    expect(containsInstant([], 0)).toBe(false)
    expect(containsInstant([{}], 0)).toBe(true)
    expect(containsInstant([{ times: [] }], 0)).toBe(false)
    expect(containsInstant([{ times: [] }, {}], 0)).toBe(true)
  })

  it('at the start of a time range is in it, at its end is not', () => {
    const interval = { times: [parseTimeRange('09:00', '17:00')] }
    expect(holds(interval, '2026-01-02T08:59:59.999Z')).toBe(false)
    expect(holds(interval, '2026-01-02T09:00:00Z')).toBe(true)
    expect(holds(interval, '2026-01-02T16:59:59.999Z')).toBe(true)
    expect(holds(interval, '2026-01-02T17:00:00Z')).toBe(false)
    expect(holds({ times: [parseTimeRange('18:00', '24:00')] }, '2026-01-02T23:59:59Z')).toBe(true)
  })

  it('must match every field, with any entry of each', () => {
    const interval = {
      weekdays: [parseWeekdayRange('monday:wednesday'), parseWeekdayRange('friday')],
      months: [parseMonthRange('january')],
      years: [parseYearRange('2026:2027')],
    }
    expect(holds(interval, '2026-01-02T12:00:00Z')).toBe(true)
    expect(holds(interval, '2026-01-01T12:00:00Z')).toBe(false)
    expect(holds(interval, '2026-02-06T12:00:00Z')).toBe(false)
    expect(holds(interval, '2028-01-07T12:00:00Z')).toBe(false)
  })

  it.each([
    ['-1', '2024-02-29', true],
    ['-1', '2023-02-28', true],
    ['-1', '2024-02-28', false],
    ['-3:-1', '2026-04-28', true],
    ['-3:-1', '2026-04-27', false],
    ['29:31', '2026-02-28', false],
    ['28:31', '2026-02-28', true],
    ['15:-1', '2026-04-30', true],
    ['-31:-1', '2026-02-01', true],
    ['-31:-30', '2026-02-01', false],
  ])('days_of_month %s on %s: %s', (range, date, expected) => {
    expect(holds({ days_of_month: [parseDayOfMonthRange(range)] }, `${date}T12:00:00Z`)).toBe(
      expected,
    )
  })

  it('is evaluated in the time zone of the location', () => {
    const night = { times: [parseTimeRange('22:00', '24:00')], location: 'Asia/Kathmandu' }
    expect(holds(night, '2026-01-02T16:14:59Z')).toBe(false)
    expect(holds(night, '2026-01-02T16:15:00Z')).toBe(true)
    const newYear = { years: [parseYearRange('2027')], weekdays: [parseWeekdayRange('friday')] }
    expect(holds({ ...newYear, location: 'Pacific/Auckland' }, '2026-12-31T11:00:00Z')).toBe(true)
    expect(holds({ ...newYear, location: 'Pacific/Auckland' }, '2026-12-31T10:59:59Z')).toBe(false)
    expect(holds({ ...newYear, location: 'America/New_York' }, '2027-01-01T04:59:59Z')).toBe(false)
  })

  it('in an hour that the clock skips is in no interval of that hour; in an hour that occurs twice, both times', () => {
    const times = [parseTimeRange('02:00', '03:00')]
    const berlin = { times, location: 'Europe/Berlin' }
    const minutesIn = (day: string): number => {
      let count = 0
      const start = Date.parse(`${day}T00:00:00+01:00`)
      for (let minute = 0; minute < 25 * 60; minute++) {
        if (containsInstant([berlin], start + minute * 60_000)) count++
      }
      return count
    }
    expect(minutesIn('2026-03-29')).toBe(0)
    expect(minutesIn('2026-10-25')).toBe(120)
    expect(minutesIn('2026-06-15')).toBe(60)
  })

  it('in Local is evaluated in the time zone of the machine', () => {
    const at = Date.UTC(2026, 5, 15, 12, 34)
    const local = new Date(at)
    const minute = local.getHours() * 60 + local.getMinutes()
    const times = [{ startMinute: minute, endMinute: minute + 1 }]
    expect(containsInstant([{ times, location: 'Local' }], at)).toBe(true)
    expect(containsInstant([{ times, location: 'Local' }], at + 60_000)).toBe(false)
  })
})
