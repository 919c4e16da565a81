/** The kind of a token of the UTF-8 matcher grammar; `invalid` and `end` end a scan. */
export type TokenKind =
  | 'open'
  | 'close'
  | 'comma'
  | 'operator'
  | 'quoted'
  | 'unquoted'
  | 'invalid'
  | 'end'

/** A token with its columns: characters, counted from 0, `end` exclusive. */
export interface Token {
  readonly kind: TokenKind
  /** The characters of the token; for `invalid` the error with its position. */
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Returns the tokens of an input one by one; after the last one always `end` or `invalid`. */
export interface TokenScanner {
  /** Returns the next token without consuming it. */
  peek(): Token
  /** Consumes and returns the next token. */
  next(): Token
}

const whitespace = /^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/
const reserved =
  /^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000{}!=~,\\"'`]$|^\p{Surrogate}$/u
const singles: ReadonlyMap<string, TokenKind> = new Map([
  ['{', 'open'],
  ['}', 'close'],
  [',', 'comma'],
])

/** Scans an input of the UTF-8 matcher grammar. */
export function scanTokens(input: string): TokenScanner {
  const characters = Array.from(input)
  let at = 0
  let ahead: Token | undefined
  const peek = (): Token => {
    ahead ??= scanToken(characters, at)
    return ahead
  }
  return {
    peek,
    next() {
      const token = peek()
      if (token.kind !== 'invalid') {
        at = token.end
        ahead = undefined
      }
      return token
    },
  }
}

/** The first token at or after `from`. */
function scanToken(characters: readonly string[], from: number): Token {
  let start = from
  while (start < characters.length && whitespace.test(characters[start] ?? '')) start++
  const token = (kind: TokenKind, end: number): Token => {
    return { kind, text: characters.slice(start, end).join(''), start, end }
  }
  const invalid = (end: number, problem: string): Token => {
    return { kind: 'invalid', text: `${start}:${end}: ${problem}`, start, end }
  }
  const first = characters[start]
  const second = characters[start + 1]
  if (first === undefined) return token('end', start)
  const single = singles.get(first)
  if (single !== undefined) return token(single, start + 1)
  if (first === '=') return token('operator', second === '~' ? start + 2 : start + 1)
  if (first === '!') {
    if (second === '=' || second === '~') return token('operator', start + 2)
    const found = second === undefined ? 'unexpected end of input, ' : '!: '
    return invalid(start + 1, `${found}expected one of '=~'`)
  }
  if (first === '"') {
    const end = endOfQuoted(characters, start)
    if (end !== undefined) return token('quoted', end)
    return invalid(characters.length, `${characters.slice(start).join('')}: missing end "`)
  }
  if (reserved.test(first)) return invalid(start + 1, `${first}: invalid input`)
  let end = start + 1
  while (end < characters.length && !reserved.test(characters[end] ?? '')) end++
  return token('unquoted', end)
}

/** The position after the quote that closes the one at `start`. */
function endOfQuoted(characters: readonly string[], start: number): number | undefined {
  for (let i = start + 1; i < characters.length; i++) {
    if (characters[i] === '"') return i + 1
    if (characters[i] === '\\') i++
  }
  return undefined
}
