import type { TimeInterval } from '@gatehouse/client'

const names = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** The short name of a day of the week in a language. Monday is 0. */
export function shortWeekday(index: number, language: string): string {
  const format = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })
  // 3 January 2000 was a Monday.
  return format.format(new Date(Date.UTC(2000, 0, 3 + index)))
}

/** Time intervals in one line, such as `Sun 02:00–04:00 Europe/Berlin`. */
export function describeIntervals(intervals: readonly TimeInterval[], language: string): string {
  const weekday = (text: string): string => {
    const index = names.indexOf(text)
    return index < 0 ? text : shortWeekday(index, language)
  }
  return intervals
    .map(({ weekdays = [], times = [], daysOfMonth, months, years, location = 'UTC' }) =>
      [
        weekdays.map((range) => range.split(':').map(weekday).join('–')).join(', '),
        ...[daysOfMonth, months, years].map((ranges) => ranges?.join(', ') ?? ''),
        times.map(({ startTime, endTime }) => `${startTime}–${endTime}`).join(', '),
        location,
      ]
        .filter((part) => part !== '')
        .join(' '),
    )
    .join('; ')
}
