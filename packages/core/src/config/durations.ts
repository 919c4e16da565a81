import {
  formatGoDuration as formatGo,
  formatDuration as formatPrometheus,
  parseGoDuration as parseGo,
  parseDuration as parsePrometheus,
} from '@gatehouse/go-template/text'
import { type Decode, decodeInput, rawText } from '../input/decode.ts'
import { refuseShown } from '../input/refusal.ts'

const milliseconds: Decode<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value)
    ? value
    : refuseShown('a number of milliseconds', value)

/**
 * Parses a duration of the configuration file, such as `1h30m` or `0`, to milliseconds. Units are `y w d h m s ms` in this order,
 * each at most once, with whole numbers.
 *
 * @throws {GatehouseError} `InvalidDuration`
 * @see Prometheus documentation, "Configuration", `<duration>`
 */
export function parseDuration(text: string): number {
  return parsePrometheus(decodeInput('text', rawText, text))
}

/**
 * Formats milliseconds for {@link parseDuration}, in the largest exact units: weeks and years only without a remainder. Zero is
 * `0s`; fractions of a millisecond are dropped.
 */
export function formatDuration(ms: number): string {
  return formatPrometheus(decodeInput('ms', milliseconds, ms))
}

/**
 * Parses a duration in Go's own syntax, such as `1.5h`, `300ms` or `-1h30m`, to milliseconds, with a fraction if necessary.
 *
 * @throws {GatehouseError} `InvalidDuration`
 * @see https://pkg.go.dev/time#ParseDuration
 */
export function parseGoDuration(text: string): number {
  return parseGo(decodeInput('text', rawText, text))
}

/**
 * Formats milliseconds as Go does: `1h30m0s`, `1.5s`, `300ms`, `20µs`, `0s`. Rounds to nanoseconds.
 *
 * @see https://pkg.go.dev/time#Duration.String
 */
export function formatGoDuration(ms: number): string {
  return formatGo(decodeInput('ms', milliseconds, ms))
}
