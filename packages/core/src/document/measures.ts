import { parsed, type Report, type Schema, wrongType } from './schema.ts'

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

/** A number with a unit, such as `1.5h`; `undefined` for any other text. */
function measure(text: string, units: ReadonlyMap<string, number>): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([A-Za-z]+)$/.exec(text) ?? []
  const size = unit === undefined ? undefined : units.get(unit)
  return size === undefined ? undefined : Number(amount) * size
}

const amountWith = (units: ReadonlyMap<string, number>): string =>
  `^[0-9]+(\\.[0-9]+)?(${[...units.keys()].join('|')})$`

/** Slightly less than the longest timer of the platform. */
const longestTimerMs = 24 * 86_400_000
const longestMs = 3_660 * 86_400_000

/** The range of a duration. */
interface DurationOptions {
  /** In ms (default 0). */
  readonly least?: number
  /** Whether the duration may be longer than 24 days, because no timer waits for it. */
  readonly isAge?: boolean
}

/** A number of seconds, or a text such as `500ms`, `30s`, `10m`, `24h`, `7d`, in ms. */
export function duration(options: DurationOptions = {}): Schema<number> {
  const expected = 'a duration: a number of seconds, or a text such as 30s or 10m'
  const json = { type: ['number', 'string'], minimum: 0, pattern: amountWith(msOfUnit) }
  return parsed(json, (given, report) => readDuration(given, expected, options, report))
}

/** A duration, or `none`, which is `undefined`. */
export function durationOrNone(options: DurationOptions = {}): Schema<number | undefined> {
  const expected = 'a duration such as 30s or 10m, or none'
  const pattern = `^none$|${amountWith(msOfUnit)}`
  return parsed({ type: ['number', 'string'], minimum: 0, pattern }, (given, report) =>
    given === 'none' ? undefined : readDuration(given, expected, options, report),
  )
}

function readDuration(
  given: unknown,
  expected: string,
  { least = 0, isAge = false }: DurationOptions,
  report: Report<'bad_duration'>,
): number | undefined {
  if (typeof given !== 'number' && typeof given !== 'string') {
    return report('wrong_type', wrongType(given, expected))
  }
  const written = typeof given === 'number' ? given * 1_000 : measure(given, msOfUnit)
  if (written === undefined) return report('bad_duration', `must be ${expected}`)
  const ms = Math.round(written)
  const [most, limit] = isAge ? [longestMs, '3660d'] : [longestTimerMs, '24d']
  if (ms >= least && ms <= most) return ms
  return report('out_of_range', `must be from ${least}ms to ${limit}`)
}

/** A number of bytes, or a text such as `64KiB`, `1MiB`, `10MB`, in bytes. */
export function size(least: number, most: number = Number.MAX_SAFE_INTEGER): Schema<number> {
  const expected = 'a size: a number of bytes, or a text such as 64KiB or 10MB'
  const json = { type: ['integer', 'string'], minimum: least, pattern: amountWith(bytesOfUnit) }
  return parsed(json, (given, report) => {
    if (typeof given !== 'number' && typeof given !== 'string') {
      return report('wrong_type', wrongType(given, expected))
    }
    const bytes = typeof given === 'number' ? given : measure(given, bytesOfUnit)
    if (bytes === undefined) return report('bad_size', `must be ${expected}`)
    if (Number.isFinite(bytes) && !Number.isInteger(bytes)) {
      return report('wrong_type', 'must be a whole number of bytes')
    }
    if (bytes >= least && bytes <= most) return bytes
    return report('out_of_range', `must be from ${least} to ${most} bytes`)
  })
}
