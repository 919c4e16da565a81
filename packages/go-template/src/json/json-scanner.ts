import { GoError } from '../go-error.ts'
import { goQuote } from '../text/quote.ts'

/** The greatest nesting of a value, as in Go. */
const deepest = 10_000

/** The position of a JSON value in a text. */
export interface JsonPlace {
  readonly start: number
  readonly end: number
}

const invalidJson = (message: string): GoError => new GoError('BadRequest', 'InvalidJson', message)

const unexpectedEnd = (): GoError => invalidJson('unexpected EOF')

/** Go's scanner works on bytes, so for a character outside ASCII it names the first byte. */
function quoteFirstByte(character: string): string {
  const [byte = 0] = new TextEncoder().encode(character)
  if (character === "'") return "'\\''"
  if (character === '"') return `'"'`
  return `'${goQuote(String.fromCharCode(byte)).slice(1, -1)}'`
}

function invalidCharacter(text: string, at: number, context: string): GoError {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
  return invalidJson(`invalid character ${quoteFirstByte(character)} ${context}`)
}

/**
 * Whether a text may be nested too deeply for JSON.parse: it has more than 10,000 opening brackets, inside and outside of
 * strings.
 */
export function isNestedDeeply(text: string): boolean {
  if (text.length <= deepest) return false
  let count = 0
  for (const bracket of '[{') {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      count += 1
      if (count > deepest) return true
    }
  }
  return false
}

const blanks = /[ \t\r\n]*/y
const plainText = /[ !#-[\]-\uffff]*/y
const digits = /\d*/y
const literals: ReadonlyMap<string, string> = new Map([
  ['t', 'true'],
  ['f', 'false'],
  ['n', 'null'],
])

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  pattern.test(text)
  return pattern.lastIndex
}

/** The end of the string whose opening quote is before `at`. */
function endOfString(text: string, at: number): number {
  for (let next = skip(plainText, text, at); ; next = skip(plainText, text, next)) {
    if (next >= text.length) throw unexpectedEnd()
    const character = text.charAt(next)
    if (character === '"') return next + 1
    if (character !== '\\') throw invalidCharacter(text, next, 'in string literal')
    next = endOfEscape(text, next + 1)
  }
}

function endOfEscape(text: string, at: number): number {
  if (at >= text.length) throw unexpectedEnd()
  const letter = text.charAt(at)
  if (letter !== 'u') {
    if ('"\\/bfnrt'.includes(letter)) return at + 1
    throw invalidCharacter(text, at, 'in string escape code')
  }
  for (let next = at + 1; next < at + 5; next++) {
    if (next >= text.length) throw unexpectedEnd()
    if (!/[\da-fA-F]/.test(text.charAt(next))) {
      throw invalidCharacter(text, next, 'in \\u hexadecimal character escape')
    }
  }
  return at + 5
}

/** The end of digits; at least one is required. */
function endOfDigits(text: string, at: number, context: string): number {
  const end = skip(digits, text, at)
  if (end > at) return end
  if (at >= text.length) throw unexpectedEnd()
  throw invalidCharacter(text, at, context)
}

function endOfNumber(text: string, start: number): number {
  const first = text.charAt(start) === '-' ? start + 1 : start
  let at = text.charAt(first) === '0' ? first + 1 : endOfDigits(text, first, 'in numeric literal')
  if (text.charAt(at) === '.') {
    at = endOfDigits(text, at + 1, 'after decimal point in numeric literal')
  }
  if (/[eE]/.test(text.charAt(at))) {
    const sign = /[+-]/.test(text.charAt(at + 1)) ? 1 : 0
    at = endOfDigits(text, at + 1 + sign, 'in exponent of numeric literal')
  }
  return at
}

function endOfLiteral(text: string, start: number, literal: string): number {
  for (let index = 1; index < literal.length; index++) {
    const at = start + index
    if (at >= text.length) throw unexpectedEnd()
    if (text.charAt(at) !== literal.charAt(index)) {
      const context = `in literal ${literal} (expecting '${literal.charAt(index)}')`
      throw invalidCharacter(text, at, context)
    }
  }
  return start + literal.length
}

/** The end of the string, number or literal that starts at `at`. */
function endOfScalar(text: string, at: number): number {
  const first = text.charAt(at)
  if (first === '"') return endOfString(text, at + 1)
  if (/[-\d]/.test(first)) return endOfNumber(text, at)
  const literal = literals.get(first)
  if (literal !== undefined) return endOfLiteral(text, at, literal)
  throw invalidCharacter(text, at, 'looking for beginning of value')
}

/** The end of an object key that starts at `at`, and of the colon after it. */
function endOfKey(text: string, at: number): number {
  if (at >= text.length) throw unexpectedEnd()
  if (text.charAt(at) !== '"') {
    throw invalidCharacter(text, at, 'looking for beginning of object key string')
  }
  const colon = skip(blanks, text, endOfString(text, at + 1))
  if (colon >= text.length) throw unexpectedEnd()
  if (text.charAt(colon) !== ':') throw invalidCharacter(text, colon, 'after object key')
  return colon + 1
}

/**
 * Finds the first JSON value of a text, whatever follows; `undefined` if there is only white space. Reads every character once
 * and does not recurse.
 *
 * @throws {GoError} `InvalidJson`, with the text of Go's scanner.
 */
export function findJsonValue(text: string): JsonPlace | undefined {
  const start = skip(blanks, text, 0)
  if (start >= text.length) return undefined
  /** The open brackets. */
  const open: ('{' | '[')[] = []
  let at = start
  for (;;) {
    at = skip(blanks, text, at)
    if (at >= text.length) throw unexpectedEnd()
    const first = text.charAt(at)
    if (first === '{' || first === '[') {
      open.push(first)
      if (open.length > deepest) throw invalidJson('exceeded max depth')
      at = skip(blanks, text, at + 1)
      if (text.charAt(at) !== (first === '{' ? '}' : ']')) {
        if (first === '{') at = endOfKey(text, at)
        continue
      }
    } else {
      at = endOfScalar(text, at)
    }
    // A value has ended, or `at` is the bracket of an empty one.
    for (;;) {
      const bracket = open.at(-1)
      if (bracket === undefined) return { start, end: at }
      at = skip(blanks, text, at)
      if (at >= text.length) throw unexpectedEnd()
      const next = text.charAt(at)
      if (next === ',') {
        at = skip(blanks, text, at + 1)
        if (bracket === '{') at = endOfKey(text, at)
        break
      }
      if (next !== (bracket === '{' ? '}' : ']')) {
        const where = bracket === '{' ? 'after object key:value pair' : 'after array element'
        throw invalidCharacter(text, at, where)
      }
      open.pop()
      at += 1
    }
  }
}
