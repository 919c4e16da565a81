import { describe, expect, it } from 'vitest'
import { GoError } from '../../go-error.ts'
import { timeText } from './format.ts'
import {
  addDate,
  addDuration,
  compareTimes,
  durationBetween,
  type GoTime,
  goClock,
  goTime,
  goTimeOf,
  goZeroTime,
  isZeroTime,
  roundTime,
  truncateTime,
  unixNanos,
} from './time.ts'
import { fixedZone, loadZone, utcZone } from './zone.ts'

const hour = 3_600_000_000_000n
const time = goTime(Date.UTC(2026, 0, 2, 3, 4, 5, 6))
const late = goTime(Date.UTC(2024, 11, 31, 23, 59, 59, 999), 999_999)

const midnight = (year: number, month: number, day: number, zone = utcZone): GoTime =>
  goTimeOf({ year, month, day, hour: 0, minute: 0, second: 0, nanosecond: 0 }, zone)

describe('the clock of a time', () => {
  it('shows date and time of day, with the weekday and the day of the year', () => {
    expect(goClock(late)).toEqual({
      year: 2024,
      month: 12,
      day: 31,
      weekday: 2,
      yearDay: 366,
      hour: 23,
      minute: 59,
      second: 59,
      nanosecond: 999_999_999,
    })
  })

  it('is in the zone of the time', () => {
    const shown = goClock(goTime(time.at, 0, fixedZone('', -4 * 3_600)))
    expect([shown.year, shown.month, shown.day, shown.hour]).toEqual([2026, 1, 1, 23])
  })

  it('shows years before 100 and before 1 unchanged', () => {
    expect(goClock(midnight(99, 10, 11)).year).toBe(99)
    expect(timeText(addDate(goZeroTime, -1, 0, 0))).toBe('0000-01-01 00:00:00 +0000 UTC')
  })
})

describe('a time created from a date', () => {
  it('normalizes out-of-range values', () => {
    expect(midnight(2025, 14, 31)).toEqual(midnight(2026, 3, 3))
  })

  it('is local to the zone', () => {
    const berlin = loadZone('Europe/Berlin')
    expect(midnight(2026, 1, 2, berlin).at).toBe(Date.UTC(2026, 0, 1, 23))
    expect(midnight(2026, 7, 2, berlin).at).toBe(Date.UTC(2026, 6, 1, 22))
  })

  it('is out of range beyond the computable years', () => {
    expect(() => midnight(300_000, 1, 1)).toThrow(GoError)
    expect(() => addDate(time, Number.MAX_SAFE_INTEGER, 0, 0)).toThrow('time: out of range')
    expect(() => addDuration(time, 10n ** 30n)).toThrow('time: out of range')
  })
})

describe('arithmetic', () => {
  it('adds nanoseconds', () => {
    expect(timeText(addDuration(late, 1n))).toBe('2025-01-01 00:00:00 +0000 UTC')
    expect(timeText(addDuration(time, -86_400_000_000_001n))).toBe(
      '2026-01-01 03:04:05.005999999 +0000 UTC',
    )
  })

  it('adds years, months and days of the calendar', () => {
    expect(timeText(addDate(time, 1, 14, -40))).toBe('2028-01-22 03:04:05.006 +0000 UTC')
    const beforeChange = midnight(2026, 3, 29, loadZone('Europe/Berlin'))
    expect(timeText(addDate(beforeChange, 0, 0, 1))).toBe('2026-03-30 00:00:00 +0200 CEST')
  })

  it('computes the nanoseconds between two times, limited to 64 bits', () => {
    expect(durationBetween(addDuration(time, hour), time)).toBe(hour)
    expect(durationBetween(goZeroTime, time)).toBe(-(2n ** 63n))
    expect(durationBetween(time, goZeroTime)).toBe(2n ** 63n - 1n)
  })

  it('counts nanoseconds since the epoch', () => {
    expect(unixNanos(time)).toBe(1_767_323_045_006_000_000n)
    expect(unixNanos(goTime(-1, 999_999))).toBe(-1n)
  })

  it('truncates and rounds to multiples since the zero time', () => {
    expect(timeText(truncateTime(time, hour))).toBe('2026-01-02 03:00:00 +0000 UTC')
    expect(timeText(roundTime(time, 3_000_000_007n))).toBe(
      '2026-01-02 03:04:05.106812624 +0000 UTC',
    )
    expect(timeText(roundTime(goTime(Date.UTC(2026, 0, 2, 3, 30)), hour))).toBe(
      '2026-01-02 04:00:00 +0000 UTC',
    )
    expect([truncateTime(time, 0n), roundTime(time, -1n)]).toEqual([time, time])
  })

  it('compares instants, independent of zones', () => {
    expect(compareTimes(goTime(5, 1), goTime(5, 2))).toBeLessThan(0)
    expect(compareTimes(goTime(6), goTime(5, 2))).toBeGreaterThan(0)
    expect(compareTimes(goTime(5, 1), goTime(5, 1, loadZone('Asia/Tokyo')))).toBe(0)
  })

  it('recognizes the zero time', () => {
    expect(isZeroTime(goTime(goZeroTime.at, 0, loadZone('Asia/Tokyo')))).toBe(true)
    expect(isZeroTime(goTime(goZeroTime.at, 1))).toBe(false)
  })
})
