import { readDuration } from './durations.ts'
import type { TimeStyle, Zone } from './time-style.ts'

/** What decides how a time is read. */
export type MomentStyle = Pick<TimeStyle, 'language' | 'zone'>

/** The names of the days in a language, Sunday first, in small letters; those in English are always understood. */
function dayNames(language: string): readonly (readonly string[])[] {
  return Array.from({ length: 7 }, (_, weekday) => {
    // 2 January 2000 was a Sunday.
    const date = new Date(Date.UTC(2000, 0, 2 + weekday))
    return [language, 'en'].map((one) =>
      new Intl.DateTimeFormat(one, { weekday: 'long', timeZone: 'UTC' }).format(date).toLowerCase(),
    )
  })
}

/** The parts of an instant in a zone. */
const partsOf = (at: number, zone: Zone): readonly [number, number, number, number] => {
  const date = new Date(at)
  return zone === 'utc'
    ? [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCDay()]
    : [date.getFullYear(), date.getMonth(), date.getDate(), date.getDay()]
}

/** The instant of a day, which may be one after the end of the month, and a time of day in a zone. */
const instantOf = (
  zone: Zone,
  ...[year, month, date, hour, minute]: readonly [number, number, number, number, number]
): number =>
  zone === 'utc'
    ? Date.UTC(year, month, date, hour, minute)
    : new Date(year, month, date, hour, minute).getTime()

/**
 * The instant that a text names: a duration from `start` such as `2h`, or a time in the chosen zone such as
 * `until 18:00`, `Monday 9:00`, `until 2026-12-24` or `2026-12-24 18:00`. `undefined` if it is none of these, or not after
 * `start`.
 */
export function readMoment(text: string, start: number, style: MomentStyle): number | undefined {
  const length = readDuration(text)
  if (length !== undefined) return start + length
  const end = readTime(text.trim().toLowerCase(), start, style)
  return end !== undefined && end > start ? end : undefined
}

function readTime(
  text: string,
  start: number,
  { language, zone }: MomentStyle,
): number | undefined {
  const found =
    /^(?:(?:until|bis)\s+)?(?:(\d{4})-(\d\d)-(\d\d)|([\p{L}]+))?\s*(?:(\d{1,2}):(\d\d))?$/u.exec(
      text,
    )
  if (found === null) return undefined
  const [, year, month, date, name, hour = '0', minute = '0'] = found
  if (year === undefined && name === undefined && found[5] === undefined) return undefined
  if (Number(hour) > 23 || Number(minute) > 59) return undefined
  const time = [Number(hour), Number(minute)] as const
  if (year !== undefined) {
    const wanted = [Number(year), Number(month) - 1, Number(date)] as const
    const at = instantOf(zone, ...wanted, ...time)
    const parts = partsOf(at, zone)
    return wanted.every((part, index) => part === parts[index]) ? at : undefined
  }
  const [thisYear, thisMonth, today, weekday] = partsOf(start, zone)
  // A day of summer time has another length, so only the date is moved.
  const inDays = (days: number): number =>
    instantOf(zone, thisYear, thisMonth, today + days, ...time)
  if (name === undefined) return inDays(0) > start ? inDays(0) : inDays(1)
  const wanted = dayNames(language).findIndex((names) => names.includes(name))
  if (wanted < 0) return undefined
  const days = (wanted - weekday + 7) % 7
  return inDays(days) > start ? inDays(days) : inDays(days + 7)
}

/** An instant as {@link readMoment} reads it, to the minute. */
export function writeMoment(at: number, zone: Zone): string {
  const [year, month, date] = partsOf(at, zone)
  const time = new Date(at)
  const [hour, minute] =
    zone === 'utc'
      ? [time.getUTCHours(), time.getUTCMinutes()]
      : [time.getHours(), time.getMinutes()]
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${year}-${two(month + 1)}-${two(date)} ${two(hour)}:${two(minute)}`
}
