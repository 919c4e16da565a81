/** A piece of a regular expression in RE2 syntax. */
export type RegexToken =
  | { readonly kind: 'text'; readonly text: string }
  /** A backslash at the end, or `\Q` without `\E`, which would include text appended to the expression. */
  | { readonly kind: 'unended'; readonly text: string }
  /** `class` matches one character out of several; `start` is `^` and `end` is `$`. */
  | { readonly kind: 'dot' | 'class' | 'start' | 'end' | 'assertion' | 'flags' | 'close' | 'bar' }
  | {
      readonly kind: 'open'
      /** Whether the group has neither a name nor flags. */
      readonly isPlain: boolean
      /** The index of the group's name, and its length with the brackets, as in `?P<name>`. */
      readonly name?: { readonly at: number; readonly length: number }
    }
  /** How often the previous item may be repeated; `max` is Infinity without a bound. */
  | { readonly kind: 'repeat'; readonly min: number; readonly max: number }

interface Found {
  readonly token: RegexToken | undefined
  /** The index after the text that was read. */
  readonly end: number
}

const plainRun = /[^\\^$.*+?()[{|]+/y
const groupStart = /\((?:(\?:)|(\?P?<[^>]*>)|\?[imsU-]*([):]))?/y
const repeatCount = /(?:([*+?])|\{(0|[1-9]\d{0,7})(?:(,)([1-9]\d{0,7}|0)?)?\})\??/y
const classEscape = /\\(?:[dDsSwW]|[pP](?:\{[^}]*\}|[^{]))/uy
const assertion = /\\[AzbB]/y
const codeEscape = /\\(?:x\{([0-9a-fA-F]+)\}|x([0-9a-fA-F]{2})|(0[0-7]{0,2}|[1-7][0-7]{1,2}))/y
const controlEscape = /\\([afnrtv])/y
const punctuationEscape = /\\([^a-zA-Z0-9\x80-\u{10ffff}])/uy
const controls: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
])
const signs: ReadonlyMap<string, RegexToken> = new Map([
  ['.', { kind: 'dot' }],
  ['^', { kind: 'start' }],
  ['$', { kind: 'end' }],
  ['|', { kind: 'bar' }],
  [')', { kind: 'close' }],
])

/**
 * Splits a regular expression into tokens; `undefined` if it cannot be one. It does not find every error, because it only serves
 * to judge an expression before the engine compiles it.
 *
 * @see https://github.com/google/re2/wiki/Syntax
 */
export function tokenizeRegex(source: string): readonly RegexToken[] | undefined {
  const tokens: RegexToken[] = []
  let at = 0
  while (at < source.length) {
    const found = readToken(source, at)
    if (found === undefined) return undefined
    // A run of flags counts once: the last one shows that there are flags.
    const isKnown = found.token?.kind === 'flags' && tokens.at(-1)?.kind === 'flags'
    if (found.token !== undefined && !isKnown) pushToken(tokens, found.token)
    at = found.end
  }
  return tokens
}

/** Joins adjacent texts. A repetition applies only to the last character of a text. */
function pushToken(tokens: RegexToken[], token: RegexToken): void {
  const last = tokens.at(-1)
  if (last?.kind === 'flags' && token.kind === 'repeat') {
    // The repetition applies to the item before the flags.
    tokens.pop()
    pushToken(tokens, token)
    tokens.push(last)
    return
  }
  if (last?.kind !== 'text' || (token.kind !== 'text' && token.kind !== 'repeat')) {
    tokens.push(token)
    return
  }
  tokens.pop()
  if (token.kind === 'text') {
    tokens.push({ kind: 'text', text: last.text + token.text })
    return
  }
  const repeated = /.$/su.exec(last.text.slice(-2))?.[0] ?? ''
  const before = last.text.slice(0, last.text.length - repeated.length)
  if (before !== '') tokens.push({ kind: 'text', text: before })
  tokens.push({ kind: 'text', text: repeated }, token)
}

function readToken(source: string, at: number): Found | undefined {
  const character = source.charAt(at)
  const sign = signs.get(character)
  if (sign !== undefined) return { token: sign, end: at + 1 }
  switch (character) {
    case '\\':
      return readEscape(source, at)
    case '[':
      return readClass(source, at)
    case '(':
      return readGroupStart(source, at)
    case '*':
    case '+':
    case '?':
    case '{':
      return readRepeat(source, at)
  }
  const run = execAt(plainRun, source, at)?.[0] ?? character
  return { token: { kind: 'text', text: run }, end: at + run.length }
}

function execAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(source)
}

function readGroupStart(source: string, at: number): Found {
  const [text = '(', plain, name, flagsEnd] = execAt(groupStart, source, at) ?? []
  const end = at + text.length
  if (flagsEnd === ')') return { token: { kind: 'flags' }, end }
  if (name !== undefined) {
    return {
      token: { kind: 'open', isPlain: false, name: { at: at + 1, length: name.length } },
      end,
    }
  }
  return { token: { kind: 'open', isPlain: plain !== undefined || text === '(' }, end }
}

function readRepeat(source: string, at: number): Found {
  const found = execAt(repeatCount, source, at)
  if (found === null) return { token: { kind: 'text', text: '{' }, end: at + 1 }
  const [text, sign, count, comma, bound] = found
  const end = at + text.length
  if (sign === undefined) {
    const min = Number(count)
    const max =
      comma === undefined ? min : bound === undefined ? Number.POSITIVE_INFINITY : Number(bound)
    return { token: { kind: 'repeat', min, max }, end }
  }
  const max = sign === '?' ? 1 : Number.POSITIVE_INFINITY
  return { token: { kind: 'repeat', min: sign === '+' ? 1 : 0, max }, end }
}

function readEscape(source: string, at: number): Found | undefined {
  if (source.startsWith('\\Q', at)) {
    const close = source.indexOf('\\E', at + 2)
    if (close < 0) {
      return { token: { kind: 'unended', text: source.slice(at + 2) }, end: source.length }
    }
    const text = source.slice(at + 2, close)
    return { token: text === '' ? undefined : { kind: 'text', text }, end: close + 2 }
  }
  if (at === source.length - 1) return { token: { kind: 'unended', text: '' }, end: at + 1 }
  const readers: readonly [RegExp, (found: RegExpExecArray) => RegexToken][] = [
    [classEscape, () => ({ kind: 'class' })],
    [assertion, () => ({ kind: 'assertion' })],
    [punctuationEscape, (found) => ({ kind: 'text', text: found[1] ?? '' })],
    [controlEscape, (found) => ({ kind: 'text', text: controls.get(found[1] ?? '') ?? '' })],
    [codeEscape, codeToken],
  ]
  for (const [pattern, toToken] of readers) {
    const found = execAt(pattern, source, at)
    if (found !== null) return { token: toToken(found), end: at + found[0].length }
  }
  return undefined
}

/** A lone surrogate stays unknown, so that no text with one is treated as a literal. */
function codeToken([, braced, two, octal]: RegExpExecArray): RegexToken {
  const hex = braced ?? two
  const code = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16)
  const isScalar = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isScalar ? { kind: 'text', text: String.fromCodePoint(code) } : { kind: 'class' }
}

function readClass(source: string, at: number): Found | undefined {
  let i = at + (source.charAt(at + 1) === '^' ? 2 : 1)
  const first = i
  for (; i < source.length; i++) {
    const character = source.charAt(i)
    if (character === ']' && i > first) return { token: { kind: 'class' }, end: i + 1 }
    if (character === '\\') {
      i++
    } else if (source.startsWith('[:', i)) {
      const named = /^\[:\^?[a-z]+:\]/.exec(source.slice(i, i + 16))
      if (named !== null) i += named[0].length - 1
    }
  }
  return undefined
}
