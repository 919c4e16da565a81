import { templateFunction } from '../make-function.ts'
import { float, int64 } from '../make-value.ts'
import type { GoObject, ParameterType, TemplateFunction, Value } from '../value.ts'
import {
  clampDuration,
  durationIn,
  durationText,
  roundDuration,
  truncateDuration,
} from './duration.ts'

/** A duration as a template sees it: printed as `1h0m0s`, compared as a number of nanoseconds. */
export interface DurationValue extends GoObject {
  readonly typeName: 'time.Duration'
  readonly integer: bigint
}

/** A parameter of type `time.Duration`, which accepts a constant number of nanoseconds. */
export const durationParameter: ParameterType<DurationValue> = {
  name: 'time.Duration',
  constant: 'integer',
  fromInteger: durationValue,
  accepts: isDurationValue,
}

type Method = (nanos: bigint) => TemplateFunction

const methods: ReadonlyMap<string, Method> = new Map([
  ['Abs', constant((nanos) => durationValue(clampDuration(nanos < 0n ? -nanos : nanos)))],
  ['Hours', constant((nanos) => float(durationIn(nanos, 3_600_000_000_000n)))],
  ['Microseconds', constant((nanos) => int64(nanos / 1_000n))],
  ['Milliseconds', constant((nanos) => int64(nanos / 1_000_000n))],
  ['Minutes', constant((nanos) => float(durationIn(nanos, 60_000_000_000n)))],
  ['Nanoseconds', constant((nanos) => int64(nanos))],
  ['Round', toMultiple(roundDuration)],
  ['Seconds', constant((nanos) => float(durationIn(nanos, 1_000_000_000n)))],
  ['String', constant(durationText)],
  ['Truncate', toMultiple(truncateDuration)],
])

function constant(get: (nanos: bigint) => Value): Method {
  return (nanos) => templateFunction([], () => get(nanos))
}

function toMultiple(change: (nanos: bigint, unit: bigint) => bigint): Method {
  return (nanos) =>
    templateFunction([durationParameter], ([unit]) => durationValue(change(nanos, unit.integer)))
}

/** Creates a duration of this many nanoseconds. */
export function durationValue(nanos: bigint): DurationValue {
  return {
    kind: 'object',
    typeName: 'time.Duration',
    integer: nanos,
    method: (name) => methods.get(name)?.(nanos),
    toText: () => durationText(nanos),
    toGoSyntax: () => String(nanos),
    toJson: () => String(nanos),
    equals: (other) => isDurationValue(other) && other.integer === nanos,
  }
}

/** Whether a value is a duration. */
export function isDurationValue(value: Value): value is DurationValue {
  return typeof value === 'object' && value !== null && 'typeName' in value
    ? value.typeName === 'time.Duration'
    : false
}
