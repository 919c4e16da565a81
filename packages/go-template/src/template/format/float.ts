import { type Flags, pad, padding } from './flags.ts'
import {
  binaryOf,
  exactDigits,
  type FloatDigits,
  roundDigits,
  shortestDigits,
} from './float-digits.ts'

/**
 * Formats a `float64` with a printf verb; `undefined` if the verb does not apply to floats.
 *
 * @see https://pkg.go.dev/fmt#hdr-Printing
 */
export function formatFloat(value: number, verb: string, flags: Flags): string | undefined {
  const form = verb === 'v' ? 'g' : verb === 'F' ? 'f' : verb
  if (!'beEfgGxX'.includes(form)) return undefined
  const precision = flags.precision ?? ('eEf'.includes(form) ? 6 : undefined)
  const isNegative = value < 0 || Object.is(value, -0)
  const sign = isNegative ? '-' : flags.plus ? '+' : flags.space ? ' ' : ''
  if (!Number.isFinite(value)) return formatInfinite(value, flags)
  const plain = formatPositive(Math.abs(value), form, precision)
  const number = flags.sharp && form !== 'b' ? withPoint(plain, form, flags.precision) : plain
  const { width = 0, zero, minus } = flags
  const isZeroPadded = zero && !minus && width > sign.length + number.length
  if (isZeroPadded) return sign + padding(width - sign.length - number.length, flags) + number
  return pad(sign + number, flags)
}

/** Never padded with zeros. Infinity has a sign if a width or a flag may leave room for it. */
function formatInfinite(value: number, flags: Flags): string {
  const { plus, space } = flags
  const unsigned = Number.isNaN(value) ? 'NaN' : 'Inf'
  const isSigned = plus || space || unsigned === 'Inf'
  const sign = value < 0 ? '-' : plus || !space ? '+' : ' '
  return pad(isSigned ? sign + unsigned : unsigned, { ...flags, zero: false })
}

function formatPositive(value: number, form: string, precision: number | undefined): string {
  switch (form) {
    case 'b':
      return formatBinary(value)
    case 'x':
      return formatHex(value, precision)
    case 'X':
      return formatHex(value, precision).toUpperCase()
    case 'f':
      return formatFixed(value, precision)
    case 'e':
      return formatExponent(value, precision)
    case 'E':
      return formatExponent(value, precision).toUpperCase()
    case 'G':
      return formatGeneral(value, precision).toUpperCase()
    default:
      return formatGeneral(value, precision)
  }
}

function formatFixed(value: number, precision = 0): string {
  const exact = exactDigits(value)
  return fixed(roundDigits(exact, exact.point + precision), precision)
}

function formatExponent(value: number, precision = 0): string {
  return exponential(roundDigits(exactDigits(value), precision + 1), precision)
}

/** Uses an exponent for very small numbers and for more digits before the point than the precision. */
function formatGeneral(value: number, precision: number | undefined): string {
  const isShortest = precision === undefined
  const wanted = isShortest ? 0 : Math.max(precision, 1)
  const number = isShortest ? shortestDigits(value) : roundDigits(exactDigits(value), wanted)
  const { digits, point } = number
  const isWhole = digits.length >= point
  const most = isShortest ? 6 : wanted > digits.length && isWhole ? digits.length : wanted
  const exponent = point - 1
  if (exponent < -4 || exponent >= most) {
    const shown = isShortest ? digits.length : Math.min(wanted, digits.length)
    return exponential(number, Math.max(shown - 1, 0))
  }
  return fixed(number, Math.max(digits.length - point, 0))
}

function fixed({ digits, point }: FloatDigits, precision: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0'
  if (precision === 0) return whole
  const zeros = '0'.repeat(Math.min(Math.max(-point, 0), precision))
  const fraction = zeros + digits.slice(Math.max(point, 0))
  return `${whole}.${fraction.slice(0, precision).padEnd(precision, '0')}`
}

function exponential({ digits, point }: FloatDigits, precision: number): string {
  const fraction = digits.slice(1, precision + 1).padEnd(precision, '0')
  const exponent = digits === '' ? 0 : point - 1
  const first = digits.charAt(0) || '0'
  return `${first}${fraction === '' ? '' : `.${fraction}`}e${formatPower(exponent, 2)}`
}

function formatPower(exponent: number, least: number): string {
  return (exponent < 0 ? '-' : '+') + String(Math.abs(exponent)).padStart(least, '0')
}

/** `4503599627370496p-52`. */
function formatBinary(value: number): string {
  const { mantissa, exponent } = binaryOf(value)
  return `${mantissa}p${formatPower(exponent, 1)}`
}

/** `0x1.8p+01`. */
function formatHex(value: number, precision: number | undefined): string {
  let { mantissa, exponent } = binaryOf(value)
  while (mantissa > 0n && mantissa < 1n << 52n) {
    mantissa <<= 1n
    exponent -= 1
  }
  if (precision !== undefined && precision < 13) {
    const dropped = BigInt(52 - 4 * precision)
    const half = 1n << (dropped - 1n)
    const rest = mantissa & ((1n << dropped) - 1n)
    const isOdd = ((mantissa >> dropped) & 1n) === 1n
    mantissa = (mantissa >> dropped) + (rest > half || (rest === half && isOdd) ? 1n : 0n)
    mantissa <<= dropped
  }
  // Rounding up may have produced 2.0.
  if (mantissa >= 1n << 53n) {
    mantissa >>= 1n
    exponent += 1
  }
  const all = (mantissa & ((1n << 52n) - 1n)).toString(16).padStart(13, '0')
  const fraction =
    precision === undefined
      ? all.replace(/0+$/, '')
      : all.slice(0, precision).padEnd(precision, '0')
  const power = formatPower(mantissa === 0n ? 0 : exponent + 52, 2)
  return `0x${mantissa === 0n ? 0 : 1}${fraction === '' ? '' : `.${fraction}`}p${power}`
}

/** Applies the sharp flag: always a decimal point, and trailing zeros for `%g`. */
function withPoint(number: string, form: string, precision: number | undefined): string {
  const tailAt = number.search(form === 'x' || form === 'X' ? /[pP]/ : /[eE]/)
  const tail = tailAt < 0 ? '' : number.slice(tailAt)
  const digits = tailAt < 0 ? number : number.slice(0, tailAt)
  const pointed = digits.includes('.') ? digits : `${digits}.`
  if (!'gGx'.includes(form)) return pointed + tail
  // In `0x1` Go counts the x too.
  const significant = digits === '0' ? 1 : digits.replace('.', '').replace(/^0+/, '').length
  return pointed + '0'.repeat(Math.max((precision ?? 6) - significant, 0)) + tail
}
