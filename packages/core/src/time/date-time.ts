import { zeroTime } from '@gatehouse/go-template/text'
import type { Instant } from './clock.ts'
import { goTimeError } from './time-error.ts'

/** A point in time as it was written. */
export interface DateTime {
  /** The instant, truncated to whole milliseconds. */
  readonly at: Instant
  /** The instant in RFC 3339 with its own offset and up to nine fraction digits, if `at` in UTC would lose information. */
  readonly text?: string
}

const dateTime =
  /^(\d{4})-(\d\d)-(\d\d)(?:([T ])(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|[+-]\d\d:?\d\d)?)?$/
/** The format that Prometheus and most other clients send. */
const plainUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/
const offsetAtEnd = /([+-])(\d\d):?(\d\d)$/

/**
 * Parses a time as the alert API does: RFC 3339; the same without an offset (UTC), without seconds (UTC), or with an offset like
 * `+0200` (only after 3 or 6 fraction digits); `2026-01-02 03:04:05`; `2026-01-02`. The empty text is the Unix epoch. Go's zero
 * time, `0001-01-01T00:00:00Z`, means no time and returns `undefined`.
 *
 * @throws {GatehouseError} `InvalidTime`, with the text of Go's parser
 * @see Alertmanager API v2, format `date-time`
 * @see RFC 3339, section 5.6
 */
export function parseDateTime(text: string): DateTime | undefined {
  if (text === '') return { at: 0 }
  const plain = parsePlainUtc(text)
  if (plain !== undefined) return plain === zeroTime ? undefined : { at: plain }
  const parts = dateTime.exec(text)
  if (parts === null) throw goTimeError(text)
  const [, year, month, day, separator, hour, minute, second, fraction = '', offset = ''] = parts
  if (!isKnownForm(separator, second, fraction, offset)) throw goTimeError(text)
  const offsetMinutes = parseOffset(offset)
  const local = new Date(0)
  local.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  local.setUTCHours(Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0))
  const canonical = `${year}-${month}-${day}T${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}`
  // Date normalizes an impossible date or hour, so that its text differs.
  const isPossible = local.toISOString().startsWith(canonical)
  if (!isPossible || offsetMinutes === undefined) throw goTimeError(text)
  const nanoseconds = fraction.slice(0, 9).padEnd(9, '0')
  const at = local.getTime() - offsetMinutes * 60_000 + Number(nanoseconds.slice(0, 3))
  const isExact = nanoseconds.endsWith('000000')
  if (at === zeroTime && isExact) return undefined
  if (offsetMinutes === 0 && isExact) return { at }
  const digits = nanoseconds.replace(/0+$/, '')
  return {
    at,
    text: canonical + (digits === '' ? '' : `.${digits}`) + formatOffset(offsetMinutes),
  }
}

/**
 * Parses a time in UTC with at most three fraction digits, which most clients send, ten times as fast as {@link parseDateTime}.
 * Returns `undefined` for any other text, and for an impossible time.
 */
export function parsePlainUtc(text: string): Instant | undefined {
  if (!plainUtc.test(text)) return undefined
  const year = numberAt(text, 0) * 100 + numberAt(text, 2)
  const month = numberAt(text, 5)
  const day = numberAt(text, 8)
  const hour = numberAt(text, 11)
  const minute = numberAt(text, 14)
  const second = numberAt(text, 17)
  const isPossible =
    month >= 1 && month <= 12 && day >= 1 && hour <= 23 && minute <= 59 && second <= 59
  if (!isPossible || day > daysIn(year, month)) return undefined
  let ms = 0
  for (let i = 20, unit = 100; i < text.length - 1; i++, unit /= 10) ms += digitAt(text, i) * unit
  const seconds = (daysBefore(year, month) + day - 1) * 86_400 + hour * 3_600 + minute * 60 + second
  return seconds * 1_000 + ms
}

const digitAt = (text: string, index: number): number => text.charCodeAt(index) - 48

const numberAt = (text: string, index: number): number =>
  digitAt(text, index) * 10 + digitAt(text, index + 1)

function daysIn(year: number, month: number): number {
  if (month !== 2) return 30 + ((month + (month >> 3)) & 1)
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** The days from the Unix epoch to the first of the month, in a Gregorian calendar whose year starts in March. */
function daysBefore(year: number, month: number): number {
  const marchYear = month > 2 ? year : year - 1
  const marchMonth = month > 2 ? month - 3 : month + 9
  const leapDays =
    Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400)
  return marchYear * 365 + leapDays + Math.floor((153 * marchMonth + 2) / 5) - 719_468
}

function isKnownForm(
  separator: string | undefined,
  second: string | undefined,
  fraction: string,
  offset: string,
): boolean {
  if (separator === undefined) return true
  if (separator === ' ') return second !== undefined && offset === ''
  if (second === undefined) return offset === '' || offset === 'Z'
  const withoutColon = offset.length === 5
  return !withoutColon || fraction.length === 3 || fraction.length === 6
}

/** The minutes east of UTC; `undefined` for an offset of a day or more. */
function parseOffset(offset: string): number | undefined {
  const [, sign, hours, minutes] = offsetAtEnd.exec(offset) ?? []
  if (sign === undefined) return 0
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined
  const total = Number(hours) * 60 + Number(minutes)
  return sign === '-' ? -total : total
}

function formatOffset(minutes: number): string {
  if (minutes === 0) return 'Z'
  const hours = String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${hours}:${String(Math.abs(minutes) % 60).padStart(2, '0')}`
}

/**
 * Formats an instant in RFC 3339 with exactly three fraction digits, in the offset of `text` (from {@link parseDateTime}), or in
 * UTC without `text`.
 */
export function formatDateTime(at: Instant, text?: string): string {
  const offsetMinutes = text === undefined ? 0 : (parseOffset(text) ?? 0)
  const written = new Date(at + offsetMinutes * 60_000).toISOString()
  // Above year 9999 toISOString() writes `+010000`, Go writes `10000`.
  const local = written.startsWith('+') ? written.replace(/^\+0*/, '') : written
  return offsetMinutes === 0 ? local : local.slice(0, -1) + formatOffset(offsetMinutes)
}
