import { goQuote } from '@gatehouse/go-template/text'
import { GatehouseError } from '../../errors.ts'
import type { Instant } from '../../time/clock.ts'
import { isTimeZone, type ZonedTime, zonedTime } from '../../time/zoned-time.ts'

/** Whole numbers from `begin` to `end`, both inclusive. */
export interface InclusiveRange {
  readonly begin: number
  readonly end: number
}

/** A part of a day, in minutes since midnight: the start is inclusive, the end exclusive. */
export interface TimeRange {
  readonly startMinute: number
  readonly endMinute: number
}

/**
 * A set of instants: those that match every present field with one of its entries.
 *
 * @see Alertmanager documentation, "Configuration", `<time_interval>`
 */
export interface TimeInterval {
  readonly times?: readonly TimeRange[]
  /** 0 is Sunday. */
  readonly weekdays?: readonly InclusiveRange[]
  /** From 1, or from -1 for the last day of the month backwards. */
  readonly days_of_month?: readonly InclusiveRange[]
  /** 1 is January. */
  readonly months?: readonly InclusiveRange[]
  readonly years?: readonly InclusiveRange[]
  /** An IANA time zone, `UTC` or `Local` (default `UTC`). */
  readonly location?: string
}

/** A time interval with its name, which routes refer to. */
export interface NamedTimeInterval {
  readonly name: string
  /** An instant is in the interval if it is in one of these. */
  readonly time_intervals: readonly TimeInterval[]
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const clockTime = /^(?:([01]\d|2[0-3]):([0-5]\d)|24:00)$/
const shortestMonth = 28

/** Whether an instant is in one of the intervals; false for an empty list. */
export function containsInstant(intervals: readonly TimeInterval[], at: Instant): boolean {
  return intervals.some((interval) => {
    const time = zonedTime(at, interval.location ?? 'UTC')
    const minute = time.hour * 60 + time.minute
    return (
      holds(interval.times, (range) => minute >= range.startMinute && minute < range.endMinute) &&
      isOnDay(interval, time)
    )
  })
}

/** Whether an interval has a part of a day of its calendar, which is given as the instant at which the day begins in UTC. */
export function containsDay(interval: TimeInterval, date: Instant): boolean {
  return isOnDay(interval, zonedTime(date, 'UTC'))
}

function isOnDay(interval: TimeInterval, time: ZonedTime): boolean {
  return (
    holds(interval.weekdays, (range) => isWithin(time.weekday, range)) &&
    holds(interval.days_of_month, (range) => isWithinMonth(time, range)) &&
    holds(interval.months, (range) => isWithin(time.month, range)) &&
    holds(interval.years, (range) => isWithin(time.year, range))
  )
}

function holds<T>(entries: readonly T[] | undefined, test: (entry: T) => boolean): boolean {
  return entries === undefined || entries.some(test)
}

function isWithin(value: number, { begin, end }: InclusiveRange): boolean {
  return value >= begin && value <= end
}

/** Negative days count back from the end of the month. An entry that starts after the last day never matches. */
function isWithinMonth(time: ZonedTime, { begin, end }: InclusiveRange): boolean {
  const days = new Date(Date.UTC(time.year, time.month, 0)).getUTCDate()
  const fromStart = (day: number): number => (day < 0 ? days + day + 1 : day)
  return isWithin(time.day, { begin: fromStart(begin), end: fromStart(end) })
}

function invalidTimeInterval(message: string): GatehouseError {
  return new GatehouseError('BadRequest', 'InvalidTimeInterval', message)
}

/**
 * Parses an entry of `times`: `HH:MM` to `HH:MM`, where the end may be `24:00`.
 *
 * @throws {GatehouseError} `InvalidTimeInterval`
 */
export function parseTimeRange(
  startTime: string | undefined,
  endTime: string | undefined,
): TimeRange {
  if (!startTime || !endTime) {
    throw invalidTimeInterval('both start and end times must be provided')
  }
  const startMinute = parseClockTime(startTime)
  const endMinute = parseClockTime(endTime)
  if (startMinute >= endMinute) {
    throw invalidTimeInterval('start time cannot be equal or greater than end time')
  }
  return { startMinute, endMinute }
}

function parseClockTime(text: string): number {
  const parts = clockTime.exec(text)
  if (parts === null) throw invalidTimeInterval(`couldn't parse timestamp ${text}, invalid format`)
  const [, hour = '24', minute = '0'] = parts
  return Number(hour) * 60 + Number(minute)
}

/**
 * Parses an entry of `weekdays`, such as `monday:friday` or `sunday`.
 *
 * @throws {GatehouseError} `InvalidTimeInterval`
 */
export function parseWeekdayRange(text: string): InclusiveRange {
  const range = parseRange(text, (name) => {
    const weekday = weekdays.indexOf(name)
    if (weekday < 0) throw invalidTimeInterval(`${name} is not a valid weekday`)
    return weekday
  })
  if (range.begin > range.end) throw invalidTimeInterval('start day cannot be before end day')
  return range
}

/**
 * Parses an entry of `days_of_month`, such as `1:5` or `-3:-1`, where -1 is the last day.
 *
 * @throws {GatehouseError} `InvalidTimeInterval`
 */
export function parseDayOfMonthRange(text: string): InclusiveRange {
  const range = parseRange(text, parseInteger)
  const { begin, end } = range
  for (const day of [begin, end]) {
    if (day === 0 || Math.abs(day) > 31) {
      throw invalidTimeInterval(`${day} is not a valid day of the month: out of range`)
    }
  }
  if (begin < 0 && end > 0) {
    throw invalidTimeInterval('end day must be negative if start day is negative')
  }
  const inShortestMonth = (day: number): number => (day < 0 ? shortestMonth + day + 1 : day)
  if (inShortestMonth(begin) > inShortestMonth(end)) {
    throw invalidTimeInterval(`end day ${end} is always before start day ${begin}`)
  }
  return range
}

/**
 * Parses an entry of `months`, by name or number, such as `january:march` or `12`.
 *
 * @throws {GatehouseError} `InvalidTimeInterval`
 */
export function parseMonthRange(text: string): InclusiveRange {
  const range = parseRange(text, (name) => {
    const month = months.indexOf(name)
    if (month >= 0) return month + 1
    const number = readInteger(name)
    if (number === undefined) throw invalidTimeInterval(`${name} is not a valid month`)
    return number
  })
  if (range.begin > range.end) {
    const nameOf = (month: number): string => months[month - 1] ?? String(month)
    throw invalidTimeInterval(
      `end month ${nameOf(range.end)} is before start month ${nameOf(range.begin)}`,
    )
  }
  return range
}

/**
 * Parses an entry of `years`, such as `2024:2026` or `2030`.
 *
 * @throws {GatehouseError} `InvalidTimeInterval`
 */
export function parseYearRange(text: string): InclusiveRange {
  const range = parseRange(text, parseInteger)
  if (range.begin > range.end) {
    throw invalidTimeInterval(`end year ${range.end} is before start year ${range.begin}`)
  }
  return range
}

/**
 * Parses `location`: an IANA time zone, `UTC` (also for the empty text) or `Local`.
 *
 * @throws {GatehouseError} `InvalidTimeInterval`
 */
export function parseLocation(text: string): string {
  if (text === '') return 'UTC'
  if (!isTimeZone(text)) throw invalidTimeInterval(`unknown time zone ${text}`)
  return text
}

function parseRange(text: string, parseMember: (text: string) => number): InclusiveRange {
  const lower = text.toLowerCase()
  const [begin = '', end = begin, ...rest] = lower.split(':')
  if (rest.length > 0) throw invalidTimeInterval(`couldn't parse range ${lower}, invalid format`)
  return { begin: parseMember(begin), end: parseMember(end) }
}

function parseInteger(text: string): number {
  const number = readInteger(text)
  if (number === undefined) {
    throw invalidTimeInterval(`strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`)
  }
  return number
}

function readInteger(text: string): number | undefined {
  return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined
}
