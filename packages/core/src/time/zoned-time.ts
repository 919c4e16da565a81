import { isZoneName } from '@gatehouse/go-template/text'
import type { Instant } from './clock.ts'

/** The fields of calendar and clock in a zone at an instant. */
export interface ZonedTime {
  readonly year: number
  /** 1 is January. */
  readonly month: number
  readonly day: number
  /** 0 is Sunday. */
  readonly weekday: number
  readonly hour: number
  readonly minute: number
}

/** Cached, because creating a formatter takes 30 µs. A configuration uses few zones. */
const formatters = new Map<string, Intl.DateTimeFormat>()
const maxFormatters = 64

/**
 * Returns the fields of calendar and clock at an instant in an IANA time zone, in `UTC`, or in `Local`, the zone of this machine.
 *
 * @throws {RangeError} if there is no such zone.
 */
export function zonedTime(at: Instant, zone: string): ZonedTime {
  const date = new Date(at + zonedOffset(at, zone))
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  }
}

/** Whether {@link zonedTime} supports the zone. Plain offsets such as `+01:00` are not zones. */
export function isTimeZone(zone: string): boolean {
  return zone === 'Local' || isZoneName(zone)
}

/**
 * The offset of a zone, as of {@link zonedTime}, from UTC at an instant, in ms.
 *
 * @throws {RangeError} if there is no such zone.
 */
export function zonedOffset(at: Instant, zone: string): number {
  if (zone === 'UTC') return 0
  if (zone === 'Local') return -new Date(at).getTimezoneOffset() * 60_000
  const fields = new Map<string, number>()
  for (const { type, value } of formatterOf(zone).formatToParts(at)) fields.set(type, Number(value))
  const field = (type: string): number => fields.get(type) ?? 0
  const shown = Date.UTC(
    field('year'),
    field('month') - 1,
    field('day'),
    field('hour'),
    field('minute'),
    field('second'),
  )
  return shown - Math.floor(at / 1_000) * 1_000
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known !== undefined) return known
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  if (formatters.size >= maxFormatters) formatters.clear()
  formatters.set(zone, formatter)
  return formatter
}
