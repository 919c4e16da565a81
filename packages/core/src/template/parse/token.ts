import { goQuote } from '../../go/quote.ts'
import { firstRunes, runeCount } from '../byte-text.ts'

/** A piece of a template's text. */
export interface Token {
  readonly kind: TokenKind
  /** Index of its first character. */
  readonly pos: number
  /** As it was written; of an error its message. */
  readonly text: string
  readonly line: number
}

/** Kinds of {@link Token}; keywords are kinds of their own. */
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

/** Words that start an action, or stand in its head. */
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

/** The kind of token that a word is. */
export const words: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ...keywordList.map((word) => [word, word] as const),
  ['nil', 'nil'],
  ['true', 'bool'],
  ['false', 'bool'],
])

const named: ReadonlySet<TokenKind> = new Set<TokenKind>([...keywordList, 'dot', 'nil'])

/** A token as error messages write it: long ones are cut. */
export function formatToken({ kind, text }: Token): string {
  if (kind === 'eof') return 'EOF'
  if (kind === 'error') return text
  if (named.has(kind)) return `<${text}>`
  return runeCount(text) > 10 || text.length > 10
    ? `${goQuote(firstRunes(text, 10))}...`
    : goQuote(text)
}
