import { report } from '../../document/place.ts'
import { reportType, scalarAt } from '../../document/values.ts'
import type { Decode, Place } from './place.ts'

const msOfUnit: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])
const bytesOfUnit: ReadonlyMap<string, number> = new Map([
  ['B', 1],
  ['KB', 1e3],
  ['MB', 1e6],
  ['GB', 1e9],
  ['KiB', 2 ** 10],
  ['MiB', 2 ** 20],
  ['GiB', 2 ** 30],
])

/** A number with a unit, as `1.5h`; `undefined` if the text is none. */
function measure(text: string, units: ReadonlyMap<string, number>): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([A-Za-z]+)$/.exec(text) ?? []
  const size = unit === undefined ? undefined : units.get(unit)
  return size === undefined ? undefined : Number(amount) * size
}

/** The most a timer of the platform can wait is a little more. */
const longestTimerMs = 24 * 86_400_000
const longestMs = 3_660 * 86_400_000

/** The range of a length of time. */
interface DurationOptions {
  /** In ms (default 0). */
  readonly least?: number
  /** Whether nothing waits for it with a timer, so that it may be longer than 24 days. */
  readonly isAge?: boolean
}

/** A number of seconds, or a text as `500ms`, `30s`, `10m`, `24h`, `7d`; answers ms. */
export function duration(options: DurationOptions = {}): Decode<number> {
  return (place) => {
    const ms = readDuration(place, 'a duration: a number of seconds, or a text such as 30s or 10m')
    return ms === undefined ? undefined : inRange(place, ms, options)
  }
}

/** A duration, or `none`, which is `null`. */
export function durationOrNone(options: DurationOptions = {}): Decode<number | null> {
  return (place) => {
    const scalar = scalarAt(place)
    if (scalar?.kind === 'text' && scalar.value === 'none') return null
    const ms = readDuration(place, 'a duration such as 30s or 10m, or none')
    return ms === undefined ? undefined : inRange(place, ms, options)
  }
}

function readDuration(place: Place, expected: string): number | undefined {
  const scalar = scalarAt(place)
  if (scalar?.kind === 'number') return Math.round(scalar.value * 1_000)
  if (scalar?.kind !== 'text') return reportType(place, expected)
  const ms = measure(scalar.value, msOfUnit)
  return ms === undefined ? report(place, 'bad_duration', `must be ${expected}`) : Math.round(ms)
}

function inRange(
  place: Place,
  ms: number,
  { least = 0, isAge = false }: DurationOptions,
): number | undefined {
  const [most, limit] = isAge ? [longestMs, '3660d'] : [longestTimerMs, '24d']
  if (ms >= least && ms <= most) return ms
  return report(place, 'out_of_range', `must be from ${least}ms to ${limit}`)
}

/** A number of bytes, or a text as `64KiB`, `1MiB`, `10MB`; answers bytes. */
export function size(least: number, most: number = Number.MAX_SAFE_INTEGER): Decode<number> {
  const expected = 'a size: a number of bytes, or a text such as 64KiB or 10MB'
  return (place) => {
    const scalar = scalarAt(place)
    if (scalar?.kind !== 'number' && scalar?.kind !== 'text') return reportType(place, expected)
    const bytes = scalar.kind === 'number' ? scalar.value : measure(scalar.value, bytesOfUnit)
    if (bytes === undefined) return report(place, 'bad_size', `must be ${expected}`)
    if (Number.isFinite(bytes) && !Number.isInteger(bytes)) {
      return reportType(place, 'a whole number of bytes')
    }
    if (bytes >= least && bytes <= most) return bytes
    return report(place, 'out_of_range', `must be from ${least} to ${most} bytes`)
  }
}
