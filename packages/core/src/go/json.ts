import { findJsonValue, isNestedDeeply } from './json-scanner.ts'

const needsEscape = /["\\<>&\u2028\u2029]|[^ -\uffff]/
const escaped = new RegExp(needsEscape, 'g')
const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, '0')
  return shortEscapes.get(character) ?? `\\u${code}`
}

/**
 * A text as JSON in the way of Go: `<`, `>`, `&`, U+2028 and U+2029 escaped too, so that it may stand in
 * HTML and in scripts. Half a surrogate pair becomes U+FFFD.
 *
 * @see https://pkg.go.dev/encoding/json#Marshal
 */
export function goJsonString(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return needsEscape.test(whole) ? `"${whole.replace(escaped, escapeCharacter)}"` : `"${whole}"`
}

/**
 * A value as JSON in the way of Go. For values of our own making: it recurses as deep as they are nested.
 * Properties that are `undefined` are left out.
 */
export function goJson(value: unknown): string {
  if (typeof value === 'string') return goJsonString(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([key, member]) => `${goJsonString(key)}:${goJson(member)}`).join(',')}}`
}

/** Escapes whose halves are looked at one by one: the test keeps all other texts from it. */
const surrogateEscape = /\\u[dD][89a-fA-F]/
const escapes =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[dD][89a-fA-F][\da-fA-F]{2}|.)/gs

/** An escaped half of a surrogate pair as Go reads it; a pair and every other escape stay as they are. */
const replaceHalf = (found: string): string => (found.length === 6 ? '\\ufffd' : found)

/**
 * Reads the first JSON value of a text and ignores what stands behind it, as Go's decoder does. Half a
 * surrogate pair becomes U+FFFD. A text of nothing but blanks has no value and answers `undefined`.
 *
 * Takes linear time; values are nested at most 10,000 deep.
 *
 * @throws {GatehouseError} `InvalidJson`, with the text of Go's parser.
 * @see https://pkg.go.dev/encoding/json#Decoder.Decode
 */
export function decodeJson(text: string): unknown {
  const whole = surrogateEscape.test(text) ? text.replace(escapes, replaceHalf) : text
  // The platform's parser is fast, but takes any depth; each level costs it memory.
  if (!isNestedDeeply(whole)) {
    try {
      return JSON.parse(whole)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }
  const found = findJsonValue(whole)
  return found === undefined ? undefined : JSON.parse(whole.slice(found.start, found.end))
}
