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
 * Formats a text as JSON like Go: also escapes `<`, `>`, `&`, U+2028 and U+2029, so that it may stand in HTML and in scripts. A
 * lone surrogate becomes U+FFFD.
 *
 * @see https://pkg.go.dev/encoding/json#Marshal
 */
export function goJsonString(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return needsEscape.test(whole) ? `"${whole.replace(escaped, escapeCharacter)}"` : `"${whole}"`
}

/** JSON that {@link goJson} writes as it is, with every digit of its numbers. */
export class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/**
 * Formats a value as JSON like Go. Only for values that we create, because it recurses to their depth. Integers may
 * be bigints. Properties that are `undefined` are left out.
 */
export function goJson(value: unknown): string {
  if (typeof value === 'string') return goJsonString(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (value instanceof RawJson) return value.text
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([key, member]) => `${goJsonString(key)}:${goJson(member)}`).join(',')}}`
}

/** Finds texts whose surrogate escapes must be checked one by one; others are left alone. */
const surrogateEscape = /\\u[dD][89a-fA-F]/
const escapes =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[dD][89a-fA-F][\da-fA-F]{2}|.)/gs

/** Replaces a lone escaped surrogate, as Go does. Pairs and other escapes stay unchanged. */
const replaceHalf = (found: string): string => (found.length === 6 ? '\\ufffd' : found)

/**
 * Parses the first JSON value of a text and ignores what follows, as Go's decoder does. A lone surrogate becomes U+FFFD. For a
 * text of only white space it returns `undefined`.
 *
 * Takes linear time; values are nested at most 10,000 deep.
 *
 * @throws {GoError} `InvalidJson`, with the text of Go's parser.
 * @see https://pkg.go.dev/encoding/json#Decoder.Decode
 */
export function decodeJson(text: string): unknown {
  const whole = surrogateEscape.test(text) ? text.replace(escapes, replaceHalf) : text
  // The platform's parser is fast, but accepts any depth, and each level costs it memory.
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
