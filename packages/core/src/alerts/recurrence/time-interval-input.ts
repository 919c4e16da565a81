import { isGatehouseError } from '../../errors.ts'
import {
  type Decode,
  exactly,
  filledText,
  listOf,
  objectOf,
  optional,
  rawText,
} from '../../input/decode.ts'
import { refuse, refuseShown } from '../../input/refusal.ts'
import {
  type NamedTimeInterval,
  parseDayOfMonthRange,
  parseLocation,
  parseMonthRange,
  parseTimeRange,
  parseWeekdayRange,
  parseYearRange,
  type TimeInterval,
} from '../routing/time-interval.ts'
import type * as wire from '../wire/types.generated.ts'

/** A time interval, as in `alertmanager.yml`. @see Alertmanager documentation, "Configuration", `<time_interval>` */
export type TimeIntervalInput = wire.TimeInterval

/** A part of a day, as `08:00` to `18:30`; the end may be `24:00`. */
type TimeRangeInput = NonNullable<TimeIntervalInput['times']>[number]

/** A time interval as it is stored: with the keys of `alertmanager.yml`. */
export interface StoredTimeInterval extends Omit<TimeIntervalInput, 'times' | 'daysOfMonth'> {
  times?: readonly { start_time: string; end_time: string }[] | undefined
  days_of_month?: readonly string[] | undefined
}

/** A text that one of the parsers accepts. */
const accepted =
  (parse: (text: string) => unknown): Decode<string> =>
  (value) => {
    const text = rawText(value)
    try {
      parse(text)
      return text
    } catch (error) {
      if (isGatehouseError(error)) return refuseShown(`a valid entry (${error.message})`, text)
      throw error
    }
  }

const timeRange: Decode<TimeRangeInput> = (value) => {
  const range = exactly<TimeRangeInput>({ startTime: rawText, endTime: rawText })(value)
  accepted(() => parseTimeRange(range.startTime, range.endTime))(
    `${range.startTime} to ${range.endTime}`,
  )
  return range
}

const maxEntries = 100

/** A list that is not longer than needed. */
const shortList =
  <T>(decode: Decode<T>): Decode<T[]> =>
  (value) =>
    Array.isArray(value) && value.length > maxEntries
      ? refuse(`a list of at most ${maxEntries}`, value)
      : listOf(decode)(value)

const all = (parse: (text: string) => unknown): Decode<string[] | undefined> =>
  optional(shortList(accepted(parse)))

const entry = exactly<TimeIntervalInput>({
  name: optional(filledText),
  times: optional(shortList(timeRange)),
  weekdays: all(parseWeekdayRange),
  daysOfMonth: all(parseDayOfMonthRange),
  months: all(parseMonthRange),
  years: all(parseYearRange),
  location: optional(accepted(parseLocation)),
})

/** Time intervals of a request. */
export const timeIntervalsInput: Decode<readonly TimeIntervalInput[]> = shortList((value) => {
  const given = entry(value)
  const members = Object.values(given).filter((member) => member !== undefined)
  return given.name !== undefined && members.length > 1
    ? refuse('either a name or an interval', value)
    : given
})

const storedEntry = objectOf<StoredTimeInterval>({
  name: optional(filledText),
  times: optional(
    listOf(
      objectOf<{ start_time: string; end_time: string }>({
        start_time: rawText,
        end_time: rawText,
      }),
    ),
  ),
  weekdays: optional(listOf(rawText)),
  days_of_month: optional(listOf(rawText)),
  months: optional(listOf(rawText)),
  years: optional(listOf(rawText)),
  location: optional(rawText),
})

/** Time intervals of a record. */
export const storedTimeIntervalsInput: Decode<readonly TimeIntervalInput[]> = (value) =>
  timeIntervalsInput(fromStored(listOf(storedEntry)(value)))

/** Time intervals in the form in which they are stored. */
export const toStored = (given: readonly TimeIntervalInput[]): readonly StoredTimeInterval[] =>
  given.map(({ times, daysOfMonth, ...rest }) => ({
    ...rest,
    ...(times && {
      times: times.map((one) => ({ start_time: one.startTime, end_time: one.endTime })),
    }),
    ...(daysOfMonth && { days_of_month: daysOfMonth }),
  }))

/** The time intervals of a record. */
export const fromStored = (stored: readonly StoredTimeInterval[]): readonly TimeIntervalInput[] =>
  stored.map(({ times, days_of_month: daysOfMonth, ...rest }) => ({
    ...rest,
    ...(times && {
      times: times.map((one) => ({ startTime: one.start_time, endTime: one.end_time })),
    }),
    ...(daysOfMonth && { daysOfMonth }),
  }))

/** The first name that the configuration does not have. */
export function unknownName(
  given: readonly TimeIntervalInput[],
  named: readonly NamedTimeInterval[],
): string | undefined {
  const names = new Set(named.map(({ name }) => name))
  return given.flatMap(({ name }) => name ?? []).find((name) => !names.has(name))
}

/**
 * The intervals that were written so. An empty list matches every time, as in the configuration.
 *
 * @param named those of the configuration. A name that it does not have any more never holds.
 */
export function toTimeIntervals(
  given: readonly TimeIntervalInput[],
  named: readonly NamedTimeInterval[],
): readonly TimeInterval[] {
  return given.flatMap((one) =>
    one.name === undefined
      ? toTimeInterval(one)
      : named.filter(({ name }) => name === one.name).flatMap((found) => found.time_intervals),
  )
}

function toTimeInterval({
  times,
  weekdays,
  daysOfMonth,
  months,
  years,
  location,
}: TimeIntervalInput): TimeInterval {
  const ranges = times?.map((one) => parseTimeRange(one.startTime, one.endTime)) ?? []
  const days = weekdays?.map(parseWeekdayRange) ?? []
  const inDays = daysOfMonth?.map(parseDayOfMonthRange) ?? []
  const inMonths = months?.map(parseMonthRange) ?? []
  const inYears = years?.map(parseYearRange) ?? []
  return {
    ...(ranges.length > 0 && { times: ranges }),
    ...(days.length > 0 && { weekdays: days }),
    ...(inDays.length > 0 && { days_of_month: inDays }),
    ...(inMonths.length > 0 && { months: inMonths }),
    ...(inYears.length > 0 && { years: inYears }),
    ...(location !== undefined && { location: parseLocation(location) }),
  }
}
