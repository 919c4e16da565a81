import { readDuration } from './durations.ts'

const day = 86_400_000

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

/**
 * The instant that a text names: a duration from `start` such as `2h`, or a time in the zone of the browser such as
 * `until 18:00`, `Monday 9:00`, `until 2026-12-24` or `2026-12-24 18:00`. `undefined` if it is none of these, or not after
 * `start`.
 */
export function readMoment(text: string, start: number, language: string): number | undefined {
  const length = readDuration(text)
  if (length !== undefined) return start + length
  const end = readTime(text.trim().toLowerCase(), start, language)
  return end !== undefined && end > start ? end : undefined
}

function readTime(text: string, start: number, language: string): number | undefined {
  const found =
    /^(?:(?:until|bis)\s+)?(?:(\d{4})-(\d\d)-(\d\d)|([\p{L}]+))?\s*(?:(\d{1,2}):(\d\d))?$/u.exec(
      text,
    )
  if (found === null) return undefined
  const [, year, month, date, name, hour, minute = '0'] = found
  if (year === undefined && name === undefined && hour === undefined) return undefined
  if (Number(hour) > 23 || Number(minute) > 59) return undefined
  const at = new Date(start)
  at.setHours(Number(hour ?? 0), Number(minute), 0, 0)
  if (year !== undefined) {
    at.setFullYear(Number(year), Number(month) - 1, Number(date))
    return at.getDate() === Number(date) ? at.getTime() : undefined
  }
  if (name === undefined) {
    if (at.getTime() <= start) at.setDate(at.getDate() + 1)
    return at.getTime()
  }
  const weekday = dayNames(language).findIndex((names) => names.includes(name))
  if (weekday < 0) return undefined
  at.setDate(at.getDate() + ((weekday - at.getDay() + 7) % 7))
  if (at.getTime() <= start) at.setDate(at.getDate() + 7)
  // A week of summer time has another length than seven days, so only the date was moved.
  return at.getTime() <= start + 8 * day ? at.getTime() : undefined
}

/** An instant as {@link readMoment} reads it, to the minute. */
export function writeMoment(at: number): string {
  const date = new Date(at)
  const two = (n: number): string => String(n).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}
