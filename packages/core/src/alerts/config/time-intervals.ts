import {
  block,
  type ConfigKind,
  decodeWith,
  isNull,
  listOf,
  parsed,
  problemCount,
  text,
} from '@gatehouse/go-template/yaml'
import {
  type InclusiveRange,
  type NamedTimeInterval,
  parseDayOfMonthRange,
  parseLocation,
  parseMonthRange,
  parseTimeRange,
  parseWeekdayRange,
  parseYearRange,
  type TimeInterval,
  type TimeRange,
} from '../routing/time-interval.ts'

interface WrittenTimeRange {
  readonly start_time: string
  readonly end_time: string
}

const timeRangeBlock = block<WrittenTimeRange>({
  typeName: 'timeinterval.yamlTimeRange',
  fields: { start_time: { kind: text }, end_time: { kind: text } },
  check({ start_time, end_time }, _report, place) {
    decodeWith(place, () => parseTimeRange(start_time, end_time), undefined)
  },
})

const emptyTimeRange: TimeRange = { startMinute: 0, endMinute: 0 }

const timeRange: ConfigKind<TimeRange> = {
  typeName: 'timeinterval.TimeRange',
  zero: emptyTimeRange,
  decode(place) {
    const before = problemCount(place.decoding)
    const { start_time, end_time } = timeRangeBlock.decode(place)
    const failed = problemCount(place.decoding) > before
    return failed ? emptyTimeRange : parseTimeRange(start_time, end_time)
  },
  encode: ({ startMinute, endMinute }) =>
    timeRangeBlock.encode({ start_time: clockTime(startMinute), end_time: clockTime(endMinute) }),
}

function clockTime(minute: number): string {
  const twoDigits = (part: number): string => String(part).padStart(2, '0')
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`
}

function range(
  parse: (written: string) => InclusiveRange,
  nameOf: (member: number) => string = String,
): ConfigKind<InclusiveRange> {
  return parsed<InclusiveRange>({
    zero: { begin: 0, end: 0 },
    parse,
    encode: ({ begin, end }) => (begin === end ? nameOf(begin) : `${nameOf(begin)}:${nameOf(end)}`),
  })
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** A list that means no condition if it is empty. */
function condition<T>(kind: ConfigKind<T>, typeName: string): ConfigKind<readonly T[] | undefined> {
  const list = listOf(kind, typeName)
  return {
    typeName,
    zero: undefined,
    decode(place) {
      const items = list.decode(place)
      return items.length === 0 ? undefined : items
    },
    encode: (items) => list.encode(items ?? []),
  }
}

const timeInterval = block<TimeInterval>({
  typeName: 'timeinterval.TimeInterval',
  fields: {
    times: { kind: condition(timeRange, '[]timeinterval.TimeRange') },
    weekdays: {
      kind: condition(
        range(parseWeekdayRange, (day) => weekdays[day] ?? ''),
        '[]timeinterval.WeekdayRange',
      ),
      inFlow: true,
    },
    days_of_month: {
      kind: condition(range(parseDayOfMonthRange), '[]timeinterval.DayOfMonthRange'),
      inFlow: true,
    },
    months: { kind: condition(range(parseMonthRange), '[]timeinterval.MonthRange'), inFlow: true },
    years: { kind: condition(range(parseYearRange), '[]timeinterval.YearRange'), inFlow: true },
    location: {
      kind: {
        typeName: 'string',
        zero: undefined,
        isOptional: true,
        decode(place) {
          if (isNull(place.node)) return undefined
          return decodeWith(place, () => parseLocation(text.decode(place)), undefined)
        },
        encode: (location) => location,
      },
      inFlow: true,
    },
  },
})

function namedTimeInterval(
  key: 'time_intervals' | 'mute_time_intervals',
): ConfigKind<NamedTimeInterval> {
  return block<NamedTimeInterval>({
    typeName: 'config.plain',
    fields: {
      name: { kind: text, print: 'always' },
      time_intervals: {
        kind: listOf(timeInterval, '[]timeinterval.TimeInterval'),
        print: 'always',
      },
    },
    check({ name }, report) {
      const what = key === 'time_intervals' ? 'time interval' : 'mute time interval'
      if (name === '') report(`missing name in ${what}`)
    },
  })
}

/** The two lists of named time intervals; the first is the old name of the second. */
export const timeIntervalLists: {
  readonly mute_time_intervals: ConfigKind<readonly NamedTimeInterval[]>
  readonly time_intervals: ConfigKind<readonly NamedTimeInterval[]>
} = {
  mute_time_intervals: listOf(
    namedTimeInterval('mute_time_intervals'),
    '[]config.MuteTimeInterval',
    'missing name in mute time interval',
  ),
  time_intervals: listOf(
    namedTimeInterval('time_intervals'),
    '[]config.TimeInterval',
    'missing name in time interval',
  ),
}
