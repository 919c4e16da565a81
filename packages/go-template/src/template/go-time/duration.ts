import { formatGoDuration } from '../../text/duration.ts'

// A Go duration is a 64-bit number of nanoseconds. Here it is a bigint, because a number is exact only up to 104 days.
const longest = 2n ** 63n - 1n
const shortest = -(2n ** 63n)

const nanosPerSecond = 1_000_000_000n

/** The nearest duration that fits into 64 bits. */
export function clampDuration(nanos: bigint): bigint {
  if (nanos > longest) return longest
  return nanos < shortest ? shortest : nanos
}

/**
 * Formats a duration as `1h0m0.5s`, `300ms` or `0s`.
 *
 * @see https://pkg.go.dev/time#Duration.String
 */
export function durationText(nanos: bigint): string {
  const length = nanos < 0n ? -nanos : nanos
  const sign = nanos < 0n ? '-' : ''
  if (length < nanosPerSecond) return sign + formatGoDuration(Number(length) / 1e6)
  const whole = formatGoDuration(Number(length / nanosPerSecond) * 1_000)
  const fraction = length % nanosPerSecond
  if (fraction === 0n) return sign + whole
  const digits = String(fraction).padStart(9, '0').replace(/0+$/, '')
  return `${sign}${whole.slice(0, -1)}.${digits}s`
}

/** Converts a duration to units of this many nanoseconds, with a fraction. */
export function durationIn(nanos: bigint, unit: bigint): number {
  return Number(nanos / unit) + Number(nanos % unit) / Number(unit)
}

/** Truncates a duration to a multiple of `unit`, towards zero. Returns it unchanged if `unit` is not positive. */
export function truncateDuration(nanos: bigint, unit: bigint): bigint {
  return unit <= 0n ? nanos : nanos - (nanos % unit)
}

/** Rounds a duration to a multiple of `unit`, halves away from zero. Returns it unchanged if `unit` is not positive. */
export function roundDuration(nanos: bigint, unit: bigint): bigint {
  if (unit <= 0n) return nanos
  const rest = nanos % unit
  const size = rest < 0n ? -rest : rest
  if (size + size < unit) return nanos - rest
  return clampDuration(nanos < 0n ? nanos - rest - unit : nanos - rest + unit)
}
