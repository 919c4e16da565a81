import type { Matcher } from '../types.ts'

/** What a text of matchers lacks, and where: positions are indexes of the text, `to` exclusive. */
export interface MatchersProblem {
  readonly expected: 'name' | 'operator' | 'value' | 'comma' | 'brace' | 'end'
  readonly from: number
  readonly to: number
}

/** The matchers of a text, or the first problem in it. */
export type ReadMatchers =
  | { readonly matchers: readonly Matcher[]; readonly problem?: never }
  | { readonly matchers?: never; readonly problem: MatchersProblem }

const text = /\s*(?:("(?:[^"\\\n]|\\[\s\S])*")|([^\s{}!=~,\\"'`]+))/uy
const operator = /\s*(=~|=|!=|!~)/uy
const mark = /\s*([{},]|$)/uy
const plainName = /^[^\s{}!=~,\\"'`]+$/u

/**
 * Reads matchers in Alertmanager's UTF-8 grammar, with or without braces: `{team="db",severity=~"critical|page"}`. Whether a
 * regular expression is valid is the server's to say.
 *
 * @see Alertmanager documentation, "Configuration", `<matcher>`
 */
export function readMatchers(input: string): ReadMatchers {
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(input) ?? undefined
    if (found !== undefined) at = pattern.lastIndex
    return found
  }
  const takeMark = (wanted: string): boolean => {
    const before = at
    if (take(mark)?.[1] === wanted) return true
    at = before
    return false
  }
  const takeText = (): string | undefined => {
    const found = take(text)
    return found?.[1] === undefined ? found?.[2] : unquote(found[1])
  }
  const problem = (expected: MatchersProblem['expected']): ReadMatchers => {
    const rest = input.slice(at)
    const from = at + (rest.length - rest.trimStart().length)
    const length = /^(?:[^\s,{}]+|[\s\S])/u.exec(input.slice(from))?.[0].length ?? 0
    return { problem: { expected, from, to: from + length } }
  }

  const isOpened = takeMark('{')
  const isAtEnd = (): boolean =>
    takeMark('') || (isOpened && input.slice(at).trimStart()[0] === '}')
  const matchers: Matcher[] = []
  while (!isAtEnd()) {
    if (matchers.length > 0 && !takeMark(',')) return problem('comma')
    if (matchers.length > 0 && isAtEnd()) break
    const name = takeText()
    if (name === undefined) return problem('name')
    const sign = take(operator)?.[1]
    if (sign === undefined) return problem('operator')
    const value = takeText()
    if (value === undefined) return problem('value')
    matchers.push({ name, value, isRegex: sign.endsWith('~'), isEqual: sign.startsWith('=') })
  }
  if (isOpened && !takeMark('}')) return problem('brace')
  return takeMark('') ? { matchers } : problem('end')
}

/** The text of a matcher, as `filter` of a query takes it: `team="db"`. */
export function formatMatcher({ name, value, isRegex, isEqual }: Matcher): string {
  const sign = isRegex ? (isEqual ? '=~' : '!~') : isEqual ? '=' : '!='
  return `${plainName.test(name) ? name : quote(name)}${sign}${quote(value)}`
}

function quote(value: string): string {
  return `"${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
}

const escaped =
  /((?:\\x[\dA-Fa-f]{2}|\\[0-3][0-7]{2})+)|\\(?:u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|([\s\S]))/gu

/** The content of a quoted text, as Go reads it; `undefined` if it has an escape that Go does not know, or is not UTF-8. */
function unquote(given: string): string | undefined {
  try {
    return given.slice(1, -1).replace(escaped, (_, bytes, short, long, one) => {
      if (bytes !== undefined) return decodeBytes(bytes)
      const code = short ?? long
      const found = code === undefined ? escapes[one] : fromCode(Number.parseInt(code, 16))
      if (found === undefined) throw new RangeError('unknown escape')
      return found
    })
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined
    throw error
  }
}

function decodeBytes(escapes: string): string {
  const digits = escapes.split('\\').slice(1)
  const codes = Uint8Array.from(digits, (one) =>
    one.startsWith('x') ? Number.parseInt(one.slice(1), 16) : Number.parseInt(one, 8),
  )
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(codes)
}

function fromCode(code: number): string | undefined {
  return code >= 0xd800 && code < 0xe000 ? undefined : String.fromCodePoint(code)
}
