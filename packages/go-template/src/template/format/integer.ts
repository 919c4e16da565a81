import { goQuote } from '../../text/quote.ts'
import { describeCharacter, formatCodePoint, isPrintable } from '../code-point.ts'
import { type Flags, pad } from './flags.ts'
import { asciiOnly } from './text.ts'

const bases: ReadonlyMap<string, number> = new Map([
  ['v', 10],
  ['d', 10],
  ['b', 2],
  ['o', 8],
  ['O', 8],
  ['x', 16],
  ['X', 16],
])

/**
 * Formats a whole number with a printf verb; `undefined` if the verb does not apply to whole numbers.
 *
 * @see https://pkg.go.dev/fmt#hdr-Printing
 */
export function formatInteger(
  value: number | bigint,
  verb: string,
  flags: Flags,
): string | undefined {
  const base = bases.get(verb)
  if (base !== undefined) return formatDigits(value, base, verb, flags)
  switch (verb) {
    case 'c':
      return pad(characterOf(value), flags)
    case 'q':
      return pad(quoteCharacter(characterOf(value), flags), flags)
    case 'U':
      return formatUnicode(value, flags)
    default:
      return undefined
  }
}

function formatDigits(value: number | bigint, base: number, verb: string, flags: Flags): string {
  const { width, precision, zero, minus, plus, space } = flags
  const isNegative = value < 0
  // Only padding.
  if (precision === 0 && BigInt(value) === 0n) return ' '.repeat(width ?? 0)
  const sign = isNegative ? '-' : plus ? '+' : space ? ' ' : ''
  let least = precision ?? 0
  if (precision === undefined && zero && !minus && width !== undefined) {
    least = width - (sign === '' ? 0 : 1)
  }
  const digits = (isNegative ? -value : value).toString(base).padStart(least, '0')
  const cased = verb === 'X' ? digits.toUpperCase() : digits
  return pad(sign + prefixOf(cased, verb, flags) + cased, { ...flags, zero: false })
}

function prefixOf(digits: string, verb: string, { sharp }: Flags): string {
  if (verb === 'O') return '0o'
  if (!sharp) return ''
  switch (verb) {
    case 'b':
      return '0b'
    case 'o':
      return digits.startsWith('0') ? '' : '0'
    case 'x':
      return '0x'
    case 'X':
      return '0X'
    default:
      return ''
  }
}

/** The character of a code point; U+FFFD for other numbers. */
function characterOf(value: number | bigint): string {
  const isCodePoint = value >= 0 && value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff)
  return isCodePoint ? String.fromCodePoint(Number(value)) : '\ufffd'
}

function quoteCharacter(character: string, { plus }: Flags): string {
  if (character === "'") return "'\\''"
  const inner = character === '"' ? character : goQuote(character).slice(1, -1)
  return `'${plus ? asciiOnly(inner) : inner}'`
}

/** Formats as `U+0040`; with a sharp flag as `U+0040 '@'`. */
function formatUnicode(value: number | bigint, flags: Flags): string {
  const { precision = 0, sharp } = flags
  const unsigned = BigInt.asUintN(64, BigInt(value))
  const name = formatCodePoint(unsigned).slice(2).padStart(precision, '0')
  const character = sharp && unsigned <= 0x10ffffn ? characterOf(unsigned) : ''
  const shown = character !== '' && isPrintable(character) ? describeCharacter(character) : ''
  return pad(`U+${name}${shown.slice(shown.indexOf(' '))}`, { ...flags, zero: false })
}
