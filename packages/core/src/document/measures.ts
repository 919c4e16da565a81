import { durationPattern, readDuration, shortDuration } from '../time/duration.ts'
import { parsed, type Report, type Schema, wrongType } from './schema.ts'

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
const maxTimerMs = 24 * 86_400_000
/** Nearly the longest duration of Go, 292 years. */
const maxAgeMs = 106_751 * 86_400_000

/** The range of a duration, and whether its unit may be absent. */
interface DurationOptions {
  /** In ms (default 0). */
  readonly least?: number
  /** In ms (default 24 days, the longest that a timer can wait, or 292 years for an age). */
  readonly most?: number
  /** Whether no timer waits for it. */
  readonly isAge?: boolean
  /** Whether a number without a unit counts as seconds. */
  readonly takesSeconds?: boolean
}

/** A duration such as `90s`, `1h30m`, `1.5h` or `2d`, in ms. */
export function duration(options: DurationOptions = {}): Schema<number> {
  const { least = 0, takesSeconds = false } = options
  const json = takesSeconds
    ? { type: ['number', 'string'], minimum: least / 1_000, pattern: durationPattern }
    : { type: 'string', pattern: durationPattern }
  return parsed(json, (given, report) => decodeDuration(given, options, report))
}

/** A duration, a number of seconds, or `none`, which is `undefined`. */
export function durationOrNone(options: DurationOptions = {}): Schema<number | undefined> {
  const json = { type: ['number', 'string'], minimum: 0, pattern: `^none$|${durationPattern}` }
  return parsed(json, (given, report) =>
    given === 'none'
      ? undefined
      : decodeDuration(given, { ...options, takesSeconds: true }, report, ', or none'),
  )
}

function decodeDuration(
  given: unknown,
  options: DurationOptions,
  report: Report<'bad_duration'>,
  or = '',
): number | undefined {
  const { least = 0, isAge = false, takesSeconds = false } = options
  const { most = isAge ? maxAgeMs : maxTimerMs } = options
  const isNumber = typeof given === 'number'
  const seconds = takesSeconds ? ' or a number of seconds' : ''
  const expected = `a duration with a unit, such as 90s${seconds}${or}`
  const isOfType = typeof given === 'string' || (isNumber && takesSeconds)
  if (!isOfType) return report('wrong_type', wrongType(given, expected))
  const written = isNumber ? given * 1_000 : readDuration(given)
  if (written === undefined) return report('bad_duration', `must be ${expected}`)
  const ms = Math.round(written)
  if (ms >= least && ms <= most) return ms
  return report('out_of_range', `must be from ${shortDuration(least)} to ${shortDuration(most)}`)
}

/** A number of bytes, or a size such as `64KiB`, `1MiB`, `10MB`, in bytes. */
export function size(least: number, most: number = Number.MAX_SAFE_INTEGER): Schema<number> {
  const expected = 'a size such as 64KiB or 10MB, or a number of bytes'
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
