const plainText = /^[ !#-[\]-~]*$/
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u
const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
])
/** Characters that need no escape between the quotes. */
const rawText = /^[^"\n\p{Surrogate}]*$/u
const unescapes: ReadonlyMap<string, number> = new Map([
  ['a', 0x07],
  ['b', 0x08],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
  ['\\', 0x5c],
  ['"', 0x22],
])
const hexDigits: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

/**
 * Formats a text as a Go string literal in double quotes. Control and other unprintable characters become escapes, a lone
 * surrogate becomes `\ufffd`, printable Unicode stays.
 *
 * @see https://pkg.go.dev/strconv#Quote
 */
export function goQuote(text: string): string {
  if (plainText.test(text)) return `"${text}"`
  let quoted = '"'
  for (const character of text) quoted += quoteCharacter(character)
  return `${quoted}"`
}

function quoteCharacter(character: string): string {
  const short = shortEscapes.get(character)
  if (short !== undefined) return short
  if (printable.test(character)) return character
  const codePoint = character.codePointAt(0) ?? 0
  const hex = codePoint.toString(16)
  if (codePoint < 0x20 || codePoint === 0x7f) return `\\x${hex.padStart(2, '0')}`
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return '\\ufffd'
  return codePoint < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

/**
 * Parses a Go interpreted string literal, including its quotes. Returns `undefined` if it is invalid, or if its bytes (`\xHH` and
 * `\NNN` are bytes) are not UTF-8.
 *
 * @see https://go.dev/ref/spec#String_literals
 */
export function goUnquote(literal: string): string | undefined {
  if (literal.length < 2 || !literal.startsWith('"') || !literal.endsWith('"')) return undefined
  return decodeInner(literal.slice(1, -1))
}

function decodeInner(inner: string): string | undefined {
  if (!inner.includes('\\')) return rawText.test(inner) ? inner : undefined
  const encoder = new TextEncoder()
  const chunks: Uint8Array[] = []
  let at = 0
  while (at < inner.length) {
    const backslash = inner.indexOf('\\', at)
    const raw = inner.slice(at, backslash < 0 ? inner.length : backslash)
    if (!rawText.test(raw)) return undefined
    chunks.push(encoder.encode(raw))
    if (backslash < 0) break
    const found = readEscape(inner, backslash + 1)
    if (found === undefined) return undefined
    const { value, isByte, end } = found
    chunks.push(isByte ? Uint8Array.of(value) : encoder.encode(String.fromCodePoint(value)))
    at = end
  }
  return decodeUtf8(concat(chunks))
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

interface Escape {
  readonly value: number
  readonly isByte: boolean
  readonly end: number
}

/** Reads the escape whose letter is at `at`. */
function readEscape(text: string, at: number): Escape | undefined {
  const letter = text.charAt(at)
  const simple = unescapes.get(letter)
  if (simple !== undefined) return { value: simple, isByte: false, end: at + 1 }
  const width = hexDigits.get(letter)
  if (width === undefined) {
    const octal = text.slice(at, at + 3)
    if (!/^[0-3][0-7]{2}$/.test(octal)) return undefined
    return { value: Number.parseInt(octal, 8), isByte: true, end: at + 3 }
  }
  const digits = text.slice(at + 1, at + 1 + width)
  if (digits.length < width || !/^[0-9a-fA-F]+$/.test(digits)) return undefined
  const value = Number.parseInt(digits, 16)
  if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return undefined
  return { value, isByte: letter === 'x', end: at + 1 + width }
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
