import { type GoTimeField, layoutParts } from './layout.ts'
import { monthNames, weekdayNames } from './names.ts'
import { type GoClock, type GoTime, goClock } from './time.ts'
import type { GoZoneOffset } from './zone.ts'

/** Formats one field of a time. `text` is the field in the layout. */
type FieldWriter = (clock: GoClock, offset: GoZoneOffset, text: string) => string

const writers: Readonly<Record<GoTimeField, FieldWriter>> = {
  longYear: ({ year }) => padded(year, 4),
  year: ({ year }) => padded(Math.max(year, 0) % 100, 2),
  longMonth: ({ month }) => monthNames[month - 1] ?? '',
  month: ({ month }) => monthNames[month - 1]?.slice(0, 3) ?? '',
  numMonth: ({ month }) => String(month),
  zeroMonth: ({ month }) => padded(month, 2),
  longWeekday: ({ weekday }) => weekdayNames[weekday] ?? '',
  weekday: ({ weekday }) => weekdayNames[weekday]?.slice(0, 3) ?? '',
  day: ({ day }) => String(day),
  underDay: ({ day }) => String(day).padStart(2),
  zeroDay: ({ day }) => padded(day, 2),
  underYearDay: ({ yearDay }) => String(yearDay).padStart(3),
  zeroYearDay: ({ yearDay }) => padded(yearDay, 3),
  hour: ({ hour }) => padded(hour, 2),
  hour12: ({ hour }) => String(hour % 12 || 12),
  zeroHour12: ({ hour }) => padded(hour % 12 || 12, 2),
  minute: ({ minute }) => String(minute),
  zeroMinute: ({ minute }) => padded(minute, 2),
  second: ({ second }) => String(second),
  zeroSecond: ({ second }) => padded(second, 2),
  PM: ({ hour }) => (hour >= 12 ? 'PM' : 'AM'),
  pm: ({ hour }) => (hour >= 12 ? 'pm' : 'am'),
  zone: (_, offset) => offset.abbreviation || offsetText('-0700', offset),
  offset: (_, offset, text) => offsetText(text, offset),
  fraction: ({ nanosecond }, _, text) => fractionText(text, nanosecond),
}

/**
 * Formats a time by a layout.
 *
 * @see https://pkg.go.dev/time#Time.Format
 */
export function formatTime(time: GoTime, layout: string): string {
  const clock = goClock(time)
  const offset = time.zone.offsetAt(time.at)
  return layoutParts(layout)
    .map(({ prefix, field, text }) => {
      return field === undefined ? prefix : prefix + writers[field](clock, offset, text)
    })
    .join('')
}

/** Formats a time as Go prints it: `2026-01-02 03:04:05.006 +0000 UTC`. */
export function timeText(time: GoTime): string {
  return formatTime(time, '2006-01-02 15:04:05.999999999 -0700 MST')
}

/** Formats an offset by a layout element such as `-07:00` or `Z0700`. */
function offsetText(layout: string, { seconds }: GoZoneOffset): string {
  if (seconds === 0 && layout.startsWith('Z')) return 'Z'
  // Go takes the sign from whole minutes: half a minute west of UTC is `+00:00:-30`.
  const minutes = Math.trunc(seconds / 60)
  const length = Math.abs(minutes)
  const shown = [padded(Math.floor(length / 60), 2)]
  if (layout.length > 3) shown.push(padded(length % 60, 2))
  if (layout.length > 6) shown.push(padded((minutes < 0 ? -seconds : seconds) % 60, 2))
  return (minutes < 0 ? '-' : '+') + shown.join(layout.includes(':') ? ':' : '')
}

/** `.000` keeps its digits. `,999` drops trailing zeros, and the separator if no digit remains. */
function fractionText(layout: string, nanosecond: number): string {
  const separator = layout.charAt(0)
  const digits = padded(nanosecond, 9).slice(0, layout.length - 1)
  if (layout.charAt(1) === '0') return separator + digits
  const trimmed = digits.replace(/0+$/, '')
  return trimmed === '' ? '' : separator + trimmed
}

function padded(value: number, width: number): string {
  return (value < 0 ? '-' : '') + String(Math.abs(value)).padStart(width, '0')
}
