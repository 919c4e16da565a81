import { GoError } from '../../go-error.ts'
import { zeroTime } from '../../text/zero-time.ts'
import { clampDuration } from './duration.ts'
import { type GoZone, utcZone } from './zone.ts'

/** An instant to the nanosecond, in a zone, as Go's `time.Time`. */
export interface GoTime {
  /** Whole milliseconds, rounded down. */
  readonly at: number
  /** Nanoseconds after `at`: 0 to 999999. */
  readonly nanos: number
  readonly zone: GoZone
}

/** The fields of calendar and clock for a {@link GoTime} in its zone. */
export interface GoClock {
  readonly year: number
  /** 1 is January. */
  readonly month: number
  readonly day: number
  /** 0 is Sunday. */
  readonly weekday: number
  /** 1 is the first of January. */
  readonly yearDay: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  /** Within the second. */
  readonly nanosecond: number
}

/** A calendar date and time of day. Out-of-range values are normalized. */
export interface GoDate {
  readonly year: number
  /** 1 is January. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly nanosecond: number
}

/** The range of `Date`, minus a day for offsets. */
const furthest = 8.64e15 - 86_400_000

/** Go's zero time: the first instant of year 1 in UTC. */
export const goZeroTime: GoTime = { at: zeroTime, nanos: 0, zone: utcZone }

/**
 * Creates a time at an instant, by default in UTC and without nanoseconds after its millisecond.
 *
 * @throws {GoError} `TimeOutOfRange` further than 270,000 years from now.
 */
export function goTime(at: number, nanos = 0, zone: GoZone = utcZone): GoTime {
  if (!(Math.abs(at) <= furthest)) {
    throw new GoError('BadRequest', 'TimeOutOfRange', 'time: out of range')
  }
  return { at, nanos, zone }
}

/** Returns the fields of calendar and clock. */
export function goClock(time: GoTime): GoClock {
  const date = new Date(time.at + time.zone.offsetAt(time.at).seconds * 1_000)
  const year = date.getUTCFullYear()
  const newYear = new Date(0).setUTCFullYear(year, 0, 1)
  return {
    year,
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    yearDay: Math.floor((date.getTime() - newYear) / 86_400_000) + 1,
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    nanosecond: date.getUTCMilliseconds() * 1_000_000 + time.nanos,
  }
}

/**
 * The time at which the clocks of a zone show a date. A local time that is skipped or repeated uses the offset before or after
 * the change.
 *
 * @throws {GoError} `TimeOutOfRange`
 * @see https://pkg.go.dev/time#Date
 */
export function goTimeOf(date: GoDate, zone: GoZone): GoTime {
  const shown = new Date(0)
  shown.setUTCFullYear(date.year, date.month - 1, date.day)
  shown.setUTCHours(date.hour, date.minute, date.second)
  const ms = Math.floor(date.nanosecond / 1_000_000)
  const asUtc = goTime(shown.getTime() + ms, date.nanosecond - ms * 1_000_000, zone)
  const guess = asUtc.at - zone.offsetAt(asUtc.at).seconds * 1_000
  return { ...asUtc, at: asUtc.at - zone.offsetAt(guess).seconds * 1_000 }
}

/** Nanoseconds since the Unix epoch. */
export function unixNanos(time: GoTime): bigint {
  return BigInt(time.at) * 1_000_000n + BigInt(time.nanos)
}

/** The time this many nanoseconds after the Unix epoch, in the zone of `time`. */
function withUnixNanos(nanos: bigint, time: GoTime): GoTime {
  const rest = ((nanos % 1_000_000n) + 1_000_000n) % 1_000_000n
  return goTime(Number((nanos - rest) / 1_000_000n), Number(rest), time.zone)
}

/**
 * Adds nanoseconds.
 *
 * @throws {GoError} `TimeOutOfRange`
 */
export function addDuration(time: GoTime, duration: bigint): GoTime {
  return withUnixNanos(unixNanos(time) + duration, time)
}

/**
 * Adds years, months and days, keeping the time of day.
 *
 * @throws {GoError} `TimeOutOfRange`
 */
export function addDate(time: GoTime, years: number, months: number, days: number): GoTime {
  const { year, month, day, ...clock } = goClock(time)
  const date = { ...clock, year: year + years, month: month + months, day: day + days }
  return goTimeOf(date, time.zone)
}

/** The nanoseconds from `earlier` to `time`, limited to 292 years either way. */
export function durationBetween(time: GoTime, earlier: GoTime): bigint {
  return clampDuration(unixNanos(time) - unixNanos(earlier))
}

/** Negative if `a` is before `b`, positive if it is after, zero at the same instant. */
export function compareTimes(a: GoTime, b: GoTime): number {
  return a.at - b.at || a.nanos - b.nanos
}

/** Whether the time is the first instant of year 1. */
export function isZeroTime(time: GoTime): boolean {
  return compareTimes(time, goZeroTime) === 0
}

/** Rounds down to a multiple of a duration since the zero time. */
export function truncateTime(time: GoTime, duration: bigint): GoTime {
  if (duration <= 0n) return time
  return addDuration(time, -sinceMultiple(time, duration))
}

/** Rounds to the nearest multiple of a duration since the zero time, halves up. */
export function roundTime(time: GoTime, duration: bigint): GoTime {
  if (duration <= 0n) return time
  const rest = sinceMultiple(time, duration)
  return addDuration(time, rest + rest < duration ? -rest : duration - rest)
}

function sinceMultiple(time: GoTime, duration: bigint): bigint {
  const rest = (unixNanos(time) - unixNanos(goZeroTime)) % duration
  return rest < 0n ? rest + duration : rest
}
