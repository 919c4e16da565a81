import { GoError } from '../go-error.ts'
import { checkNumber, checkText } from './arguments.ts'
import { goQuote } from './quote.ts'

const prometheusUnits: readonly (readonly [unit: string, ms: number])[] = [
  ['y', 365 * 86_400_000],
  ['w', 7 * 86_400_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
]
const prometheusDuration =
  /^(?:(\d+)y)?(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/

/** Go keeps a duration as nanoseconds in 64 bits: about 292 years. */
const maxMs = 9_223_372_036_854

function invalidDuration(message: string): GoError {
  return new GoError('BadRequest', 'InvalidDuration', message)
}

/**
 * Parses a duration of the configuration file, such as `1h30m` or `0`, to milliseconds. Units are `y w d h m s ms` in this order,
 * each at most once, with whole numbers.
 *
 * @throws {GoError} `InvalidDuration`
 * @see Prometheus documentation, "Configuration", `<duration>`
 */
export function parseDuration(text: string): number {
  checkText('text', text)
  if (text === '0') return 0
  if (text === '') throw invalidDuration('empty duration string')
  const parts = prometheusDuration.exec(text)
  if (parts === null) throw invalidDuration(`not a valid duration string: ${goQuote(text)}`)
  let totalMs = 0
  for (const [i, [, unitMs]] of prometheusUnits.entries()) {
    const amount = parts[i + 1]
    if (amount !== undefined) totalMs += Number(amount) * unitMs
  }
  if (totalMs > maxMs) throw invalidDuration('duration out of range')
  return totalMs
}

/**
 * Formats milliseconds for {@link parseDuration}, in the largest exact units: weeks and years only without a remainder. Zero is
 * `0s`; fractions of a millisecond are dropped.
 */
export function formatDuration(ms: number): string {
  checkNumber('ms', ms)
  let rest = Math.trunc(Math.abs(ms))
  if (rest === 0) return '0s'
  let text = ms < 0 ? '-' : ''
  for (const [unit, unitMs] of prometheusUnits) {
    const exactOnly = unit === 'y' || unit === 'w'
    if (rest < unitMs || (exactOnly && rest % unitMs !== 0)) continue
    text += `${Math.floor(rest / unitMs)}${unit}`
    rest %= unitMs
  }
  return text
}

const goUnits: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
])
const goPart = /(\d*)(\.\d*)?([^\d.]*)/y

/**
 * Parses a duration in Go's own syntax, such as `1.5h`, `300ms` or `-1h30m`, to milliseconds, with a fraction if necessary.
 *
 * @throws {GoError} `InvalidDuration`
 * @see https://pkg.go.dev/time#ParseDuration
 */
export function parseGoDuration(text: string): number {
  checkText('text', text)
  const unsigned = /^[+-]/.test(text) ? text.slice(1) : text
  if (unsigned === '0') return 0
  const invalid = (): GoError => invalidDuration(`time: invalid duration ${goQuote(text)}`)
  if (unsigned === '') throw invalid()
  let totalMs = 0
  let at = 0
  while (at < unsigned.length) {
    goPart.lastIndex = at
    const [part = '', whole = '', fraction = '', unit = ''] = goPart.exec(unsigned) ?? []
    if (whole === '' && fraction.length < 2) throw invalid()
    if (unit === '') throw invalidDuration(`time: missing unit in duration ${goQuote(text)}`)
    const unitMs = goUnits.get(unit)
    if (unitMs === undefined) {
      throw invalidDuration(`time: unknown unit ${goQuote(unit)} in duration ${goQuote(text)}`)
    }
    totalMs += Number(whole) * unitMs
    if (fraction.length > 1) totalMs += Number(`0${fraction}`) * unitMs
    if (totalMs > maxMs) throw invalid()
    at += part.length
  }
  return text.startsWith('-') ? -totalMs : totalMs
}

/**
 * Formats milliseconds as Go does: `1h30m0s`, `1.5s`, `300ms`, `20µs`, `0s`. Rounds to nanoseconds.
 *
 * @see https://pkg.go.dev/time#Duration.String
 */
export function formatGoDuration(ms: number): string {
  checkNumber('ms', ms)
  if (ms < 0) return `-${formatGoDuration(-ms)}`
  const wholeSeconds = Math.floor(ms / 1_000)
  const nanoseconds = Math.round((ms - wholeSeconds * 1_000) * 1e6)
  if (nanoseconds === 1e9) return formatGoDuration((wholeSeconds + 1) * 1_000)
  if (wholeSeconds === 0) return formatBelowSecond(nanoseconds)
  const hours = Math.floor(wholeSeconds / 3_600)
  const minutes = Math.floor(wholeSeconds / 60) % 60
  const seconds = `${wholeSeconds % 60}${decimals(nanoseconds, 9)}s`
  if (hours > 0) return `${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${minutes}m${seconds}` : seconds
}

function formatBelowSecond(nanoseconds: number): string {
  if (nanoseconds === 0) return '0s'
  if (nanoseconds < 1_000) return `${nanoseconds}ns`
  const [digits, unit]: readonly [number, string] = nanoseconds < 1e6 ? [3, 'µs'] : [6, 'ms']
  const size = 10 ** digits
  return `${Math.floor(nanoseconds / size)}${decimals(nanoseconds % size, digits)}${unit}`
}

function decimals(fraction: number, digits: number): string {
  return fraction === 0 ? '' : `.${String(fraction).padStart(digits, '0').replace(/0+$/, '')}`
}
