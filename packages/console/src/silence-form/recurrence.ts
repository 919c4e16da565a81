import type { TimeInterval } from '@gatehouse/client'

/** What the fields of a recurrence hold. */
export interface Recurrence {
  /** English names; none: every day. */
  readonly weekdays: readonly string[]
  /** As `22:00`. */
  readonly from: string
  readonly to: string
  /** As `Europe/Berlin`. */
  readonly zone: string
  /** Intervals that the fields cannot show; they stay as they are. */
  readonly others?: readonly TimeInterval[]
}

/** The days of the week in English, Monday first. */
export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
]
/** The zone of the browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The time intervals of a recurrence; `undefined` while its times are not right. */
export function intervalsOf({
  weekdays,
  from,
  to,
  zone,
  others,
}: Recurrence): readonly TimeInterval[] | undefined {
  if (others !== undefined) return others
  const isTime = (text: string): boolean => /^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(text)
  if (!isTime(from) || !isTime(to) || from >= to) return undefined
  return [
    {
      times: [{ startTime: from, endTime: to }],
      ...(weekdays.length === 0 ? {} : { weekdays }),
      location: zone,
    },
  ]
}

/** What the fields hold at first: every night, or the intervals of a recurring silence. */
export function recurrenceOf(intervals: readonly TimeInterval[] | undefined): Recurrence {
  const first: Recurrence = { weekdays: [], from: '22:00', to: '24:00', zone: ownZone() }
  if (intervals === undefined) return first
  const [interval, ...more] = intervals
  const { times = [], weekdays: days = [], location = 'UTC', ...rest } = interval ?? {}
  const [time, ...moreTimes] = times
  const names = days.flatMap(namesOfDays)
  const isPlain = more.length === 0 && moreTimes.length === 0 && Object.keys(rest).length === 0
  if (time === undefined || !isPlain || names.includes('')) return { ...first, others: intervals }
  return { weekdays: names, from: time.startTime, to: time.endTime, zone: location }
}

/** The days of a range such as `monday:friday`; an empty name for what is none. */
function namesOfDays(range: string): readonly string[] {
  const [from = '', to = from] = range.toLowerCase().split(':')
  const [first, last] = [weekdays.indexOf(from), weekdays.indexOf(to)]
  return first < 0 || last < first ? [''] : weekdays.slice(first, last + 1)
}
