import { goQuote } from '../../text/quote.ts'
import { firstRunes, runeCount } from '../byte-text.ts'

/** A piece of a template's text. */
export interface Token {
  readonly kind: TokenKind
  /** The index of its first character. */
  readonly pos: number
  /** The original text; for an error, its message. */
  readonly text: string
  readonly line: number
}

/** The kinds of {@link Token}. Each keyword is a kind. */
export type TokenKind =
  | 'error'
  | 'eof'
  | 'text'
  | 'leftDelimiter'
  | 'rightDelimiter'
  | 'leftParen'
  | 'rightParen'
  | 'space'
  | 'bool'
  | 'character'
  | 'charConstant'
  | 'complex'
  | 'number'
  | 'string'
  | 'rawString'
  | 'assign'
  | 'declare'
  | 'pipe'
  | 'dot'
  | 'nil'
  | 'field'
  | 'variable'
  | 'identifier'
  | Keyword

/** Words that start an action or occur at its start. */
export type Keyword = (typeof keywordList)[number]

const keywordList = [
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'range',
  'template',
  'with',
] as const

/** The token kind of each word. */
export const words: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ...keywordList.map((word) => [word, word] as const),
  ['nil', 'nil'],
  ['true', 'bool'],
  ['false', 'bool'],
])

const named: ReadonlySet<TokenKind> = new Set<TokenKind>([...keywordList, 'dot', 'nil'])

/** Formats a token for error messages. Long ones are truncated. */
export function formatToken({ kind, text }: Token): string {
  if (kind === 'eof') return 'EOF'
  if (kind === 'error') return text
  if (named.has(kind)) return `<${text}>`
  return runeCount(text) > 10 || text.length > 10
    ? `${goQuote(firstRunes(text, 10))}...`
    : goQuote(text)
}
