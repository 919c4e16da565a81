import { goQuote } from '../../text/quote.ts'
import { functionFailed } from '../errors.ts'
import { formatFloat } from '../format/float.ts'
import { floatOf, integerOf, typeNameOf } from '../read-value.ts'
import type { Value } from '../value.ts'
import { durationIn } from './duration.ts'
import { isDurationValue } from './duration-value.ts'

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const infinity = /^([+-]?)inf(?:inity)?$/i
/** Each is a thousandth of the previous one. */
const prefixes = ['m', 'u', 'n', 'p', 'f', 'a', 'z', 'y']

/**
 * Formats seconds for people: `1d 2h 3m 4s`, `12.34ms`. Accepts a number, its text, or a duration.
 *
 * @throws {GoError} `TemplateFunction` for any other value.
 * @see Prometheus documentation, "Template reference", `humanizeDuration`
 */
export function humanizeDuration(value: Value): string {
  const seconds = secondsOf(value)
  if (!Number.isFinite(seconds)) return fourDigits(seconds)
  const length = Math.abs(seconds)
  if (length < 1) return belowSecond(seconds)
  const sign = seconds < 0 ? '-' : ''
  return sign + (length < 60 ? `${fourDigits(length)}s` : inWholeSeconds(Math.trunc(length)))
}

function secondsOf(value: Value): number {
  if (isDurationValue(value)) return durationIn(value.integer, 1_000_000_000n)
  if (typeof value === 'string') return parseFloatText(value)
  const type = typeNameOf(value)
  const number = integerOf(value) ?? floatOf(value)
  const isKnown = ['float64', 'int', 'int64', 'uint64'].includes(type)
  if (number === undefined || !isKnown) throw functionFailed(`can't convert ${type} to float`)
  return Number(number)
}

function parseFloatText(text: string): number {
  if (/^nan$/i.test(text)) return Number.NaN
  const [isInfinity, sign] = infinity.exec(text) ?? []
  if (isInfinity !== undefined) return sign === '-' ? -Infinity : Infinity
  const refuse = (problem: string): Error =>
    functionFailed(`strconv.ParseFloat: parsing ${goQuote(text)}: ${problem}`)
  if (!decimal.test(text)) throw refuse('invalid syntax')
  const number = Number(text)
  if (!Number.isFinite(number)) throw refuse('value out of range')
  return number
}

function inWholeSeconds(length: number): string {
  const days = Math.floor(length / 86_400)
  const hours = Math.floor(length / 3_600) % 24
  const minutes = Math.floor(length / 60) % 60
  const rest = `${minutes}m ${length % 60}s`
  if (days > 0) return `${BigInt(days)}d ${hours}h ${rest}`
  return hours > 0 ? `${hours}h ${rest}` : rest
}

function belowSecond(seconds: number): string {
  if (seconds === 0) return '0s'
  let value = seconds
  let prefix = ''
  for (const smaller of prefixes) {
    if (Math.abs(value) >= 1) break
    prefix = smaller
    value *= 1_000
  }
  return `${fourDigits(value)}${prefix}s`
}

/** Rounds to four significant digits, without trailing zeros. */
function fourDigits(value: number): string {
  return formatFloat(value, 'g', { precision: 4 }) ?? ''
}
