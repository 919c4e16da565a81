import { functionFailed } from '../errors.ts'
import { intParameter, stringParameter, templateFunction } from '../make-function.ts'
import { int64 } from '../make-value.ts'
import type { GoObject, ParameterType, Run, TemplateFunction, Value } from '../value.ts'
import { durationParameter, durationValue } from './duration-value.ts'
import { formatTime, timeText } from './format.ts'
import { locationParameter, locationSyntax, locationValue } from './location.ts'
import { monthValue, weekdayValue } from './named-number.ts'
import { monthNames } from './names.ts'
import {
  addDate,
  addDuration,
  compareTimes,
  durationBetween,
  type GoClock,
  type GoTime,
  goClock,
  isZeroTime,
  roundTime,
  truncateTime,
  unixNanos,
} from './time.ts'
import { type GoZone, utcZone } from './zone.ts'

/** A time as a template sees it, with the methods of Go's `time.Time`. */
export interface TimeValue extends GoObject {
  readonly typeName: 'time.Time'
  readonly time: GoTime
}

/** A parameter of type `time.Time`. */
export const timeParameter: ParameterType<TimeValue> = {
  name: 'time.Time',
  accepts: isTimeValue,
}

type Method = (time: GoTime) => TemplateFunction

const methods: ReadonlyMap<string, Method> = new Map([
  ['Add', taking(durationParameter, (time, { integer }) => timeValue(addDuration(time, integer)))],
  ['AddDate', addDateMethod],
  ['After', taking(timeParameter, (time, other) => compareTimes(time, other.time) > 0)],
  ['Before', taking(timeParameter, (time, other) => compareTimes(time, other.time) < 0)],
  ['Compare', taking(timeParameter, (time, other) => Math.sign(compareTimes(time, other.time)))],
  ['Day', shown(({ day }) => day)],
  ['Equal', taking(timeParameter, (time, other) => compareTimes(time, other.time) === 0)],
  ['Format', formatMethod],
  ['GoString', giving(timeSyntax)],
  ['Hour', shown(({ hour }) => hour)],
  ['In', taking(locationParameter, (time, { zone }) => inZone(time, zone))],
  ['IsZero', giving(isZeroTime)],
  ['Local', giving((time) => inZone(time, utcZone))],
  ['Location', giving(({ zone }) => locationValue(zone))],
  ['Minute', shown(({ minute }) => minute)],
  ['Month', shown(({ month }) => monthValue(month))],
  ['Nanosecond', shown(({ nanosecond }) => nanosecond)],
  ['Round', taking(durationParameter, (time, { integer }) => timeValue(roundTime(time, integer)))],
  ['Second', shown(({ second }) => second)],
  ['String', giving(timeText)],
  ['Sub', taking(timeParameter, (time, other) => durationValue(durationBetween(time, other.time)))],
  [
    'Truncate',
    taking(durationParameter, (time, { integer }) => timeValue(truncateTime(time, integer))),
  ],
  ['UTC', giving((time) => inZone(time, utcZone))],
  ['Unix', giving(({ at }) => int64(Math.floor(at / 1_000)))],
  ['UnixMicro', giving((time) => int64(BigInt.asIntN(64, unixNanos(time) / 1_000n)))],
  ['UnixMilli', giving(({ at }) => int64(at))],
  // Outside the years 1678 to 2262 they do not fit into 64 bits; Go truncates them as well.
  ['UnixNano', giving((time) => int64(BigInt.asIntN(64, unixNanos(time))))],
  ['Weekday', shown(({ weekday }) => weekdayValue(weekday))],
  ['Year', shown(({ year }) => year)],
  ['YearDay', shown(({ yearDay }) => yearDay)],
])

function giving(get: (time: GoTime) => Value): Method {
  return (time) => templateFunction([], () => get(time))
}

function shown(get: (clock: GoClock) => Value): Method {
  return giving((time) => get(goClock(time)))
}

function taking<Argument extends Value>(
  parameter: ParameterType<Argument>,
  get: (time: GoTime, argument: Argument) => Value,
): Method {
  return (time) => templateFunction([parameter], ([argument]) => get(time, argument))
}

function formatMethod(time: GoTime): TemplateFunction {
  return templateFunction([stringParameter], ([layout], run) => formatInRun(time, layout, run))
}

/** Formats a time by a layout of any length, which may come from the data of a template. */
export function formatInRun(time: GoTime, layout: string, run: Run): string {
  // No element grows to more than three times its length in the layout, as `2` becomes `31`.
  run.checkLength(layout.length * 3)
  return formatTime(time, layout)
}

function addDateMethod(time: GoTime): TemplateFunction {
  return templateFunction([intParameter, intParameter, intParameter], ([years, months, days]) =>
    timeValue(addDate(time, Number(years), Number(months), Number(days))),
  )
}

function inZone({ at, nanos }: GoTime, zone: GoZone): TimeValue {
  return timeValue({ at, nanos, zone })
}

/** Creates a template value from a time. */
export function timeValue(time: GoTime): TimeValue {
  return {
    kind: 'object',
    typeName: 'time.Time',
    time,
    method: (name) => methods.get(name)?.(time),
    toText: () => timeText(time),
    toGoSyntax: () => timeSyntax(time),
    toJson: () => timeJson(time),
    equals: (other) => isTimeValue(other) && isSameTime(time, other.time),
  }
}

function isTimeValue(value: Value): value is TimeValue {
  return typeof value === 'object' && value !== null && 'typeName' in value
    ? value.typeName === 'time.Time'
    : false
}

/** Unlike the method `Equal`, the operator also compares zones. */
function isSameTime(a: GoTime, b: GoTime): boolean {
  return compareTimes(a, b) === 0 && (a.zone === b.zone || timeSyntax(a) === timeSyntax(b))
}

/** Formats a time as Go source. */
function timeSyntax(time: GoTime): string {
  const { year, month, day, hour, minute, second, nanosecond } = goClock(time)
  const clock = [hour, minute, second, nanosecond].join(', ')
  const date = `${year}, time.${monthNames[month - 1]}, ${day}`
  return `time.Date(${date}, ${clock}, ${locationSyntax(time.zone)})`
}

function timeJson(time: GoTime): string {
  const { year } = goClock(time)
  if (year < 0 || year > 9_999) {
    throw functionFailed('Time.MarshalJSON: year outside of range [0,9999]')
  }
  return `"${formatTime(time, '2006-01-02T15:04:05.999999999Z07:00')}"`
}
