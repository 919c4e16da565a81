import type { NumberNode } from '../node.ts'

/** The types that can represent a number constant. */
type NumberConstant = Pick<NumberNode, 'integer' | 'unsigned' | 'float'>

const greatest = 2n ** 63n - 1n
const least = -(2n ** 63n)
const greatestUnsigned = 2n ** 64n - 1n

/** The longest constant to read. */
const longest = 400

const integerPattern = /^([+-]?)(?:(0[xX][\da-fA-F]+)|(0[bB][01]+)|0[oO]?([0-7]+)|(0|[1-9]\d*))$/
const floatPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const hexFloatPattern = /^([+-]?)0[xX]([\da-fA-F]*)(?:\.([\da-fA-F]*))?[pP]([+-]?\d+)$/

/**
 * Parses a number constant in any of Go's forms except the complex ones.
 *
 * @throws {SyntaxError} with Go's text.
 * @see https://go.dev/ref/spec#Integer_literals
 */
export function parseNumber(text: string): NumberConstant {
  const digits = text.length > longest ? undefined : withoutUnderscores(text)
  const integer = digits === undefined ? undefined : parseInteger(digits)
  if (integer !== undefined && integer >= least && integer <= greatestUnsigned) {
    return { ...asIntegers(integer, text), float: Number(integer) }
  }
  const float = digits === undefined ? undefined : parseFloating(digits)
  const isFloat = float !== undefined && Number.isFinite(float)
  if (isFloat && !/[.eEpP]/.test(text)) throw new SyntaxError(`integer overflow: "${text}"`)
  if (!isFloat) throw new SyntaxError(`illegal number syntax: "${text}"`)
  return { ...(Number.isInteger(float) ? asIntegers(BigInt(float), text) : {}), float }
}

function asIntegers(value: bigint, text: string): Pick<NumberNode, 'integer' | 'unsigned'> {
  const isSigned = /^[+-]/.test(text) && value !== 0n
  return {
    ...(value >= least && value <= greatest ? { integer: value } : {}),
    ...(!isSigned && value >= 0n && value <= greatestUnsigned ? { unsigned: value } : {}),
  }
}

/** Removes the underscores between digits; `undefined` if one is elsewhere. */
function withoutUnderscores(text: string): string | undefined {
  if (!text.includes('_')) return text
  const unsigned = text.replace(/^[+-]/, '')
  const isHex = /^0[xX]/.test(unsigned)
  // The prefix counts as a digit.
  const number = unsigned.replace(/^0[xXoObB]/, '0')
  const isMisplaced = isHex
    ? /(?:^|[^\da-fA-F])_|_(?![\da-fA-F])/.test(number)
    : /(?:^|\D)_|_(?!\d)/.test(number)
  return isMisplaced ? undefined : text.replaceAll('_', '')
}

function parseInteger(text: string): bigint | undefined {
  const [, sign, hex, binary, octal, decimal] = integerPattern.exec(text) ?? []
  const digits = hex ?? binary ?? decimal ?? (octal === undefined ? undefined : `0o${octal}`)
  if (digits === undefined) return undefined
  const value = BigInt(digits)
  return sign === '-' ? -value : value
}

function parseFloating(text: string): number | undefined {
  if (floatPattern.test(text)) return Number(text)
  const [, sign, whole = '', fraction = '', exponent] = hexFloatPattern.exec(text) ?? []
  const digits = whole + fraction
  if (exponent === undefined || digits === '') return undefined
  const value = Number(`0x${digits}`) * 2 ** (Number(exponent) - 4 * fraction.length)
  return sign === '-' ? -value : value
}

const simpleEscapes: ReadonlyMap<string, number> = new Map([
  ['a', 0x07],
  ['b', 0x08],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
  ['\\', 0x5c],
  ["'", 0x27],
])
const codeEscape = /^(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-3][0-7]{2}))/

/**
 * Parses a character constant, including its quotes, to its code point.
 *
 * @throws {SyntaxError} with Go's text.
 * @see https://go.dev/ref/spec#Rune_literals
 */
export function parseCharacter(text: string): NumberConstant {
  const inner = text.slice(1)
  const { codePoint, length } = inner.startsWith('\\') ? readEscape(inner) : readPlain(inner)
  if (inner.slice(length) !== "'") {
    throw new SyntaxError(`malformed character constant: ${text}`)
  }
  return { integer: BigInt(codePoint), unsigned: BigInt(codePoint), float: codePoint }
}

interface Character {
  readonly codePoint: number
  /** The length of the text that it consumed. */
  readonly length: number
}

function readPlain(text: string): Character {
  if (text.startsWith("'")) throw new SyntaxError('invalid syntax')
  const codePoint = text.codePointAt(0) ?? 0
  return { codePoint, length: codePoint > 0xffff ? 2 : 1 }
}

function readEscape(text: string): Character {
  const simple = simpleEscapes.get(text.charAt(1))
  if (simple !== undefined) return { codePoint: simple, length: 2 }
  const [all, x, u, long, octal] = codeEscape.exec(text.slice(1)) ?? []
  const codePoint = Number.parseInt(x ?? u ?? long ?? octal ?? '', octal === undefined ? 16 : 8)
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff
  if (all === undefined || isSurrogate || codePoint > 0x10ffff)
    throw new SyntaxError('invalid syntax')
  return { codePoint, length: 1 + all.length }
}
