import { regexSize } from '../../regex/regex-size.ts'
import { type RegexToken, tokenizeRegex } from '../../regex/regex-tokens.ts'

/** What it costs to search with a regular expression. */
export interface RegexCost {
  /** About how many instructions it has: each of them may cost something at each character. */
  readonly size: number
  /**
   * Whether a search may look at much more than what it finds, again and again: `a*b|a` looks for a b to
   * the end of the text before it takes each single a.
   */
  readonly looksAhead: boolean
}

/** What it costs to search with an expression, rather too much than too little. */
export function regexCost(source: string): RegexCost {
  const tokens = tokenizeRegex(source) ?? []
  return { size: regexSize(tokens) + 1, looksAhead: hasChoice(tokens) && hasInnerRepeat(tokens) }
}

/** Whether it may fall back on something shorter after it has tried something longer. */
function hasChoice(tokens: readonly RegexToken[]): boolean {
  return tokens.some(
    ({ kind }, i) => kind === 'bar' || (kind === 'close' && isVaried(tokens[i + 1])),
  )
}

/** Whether something that may be repeated without end has to be followed by something else. */
function hasInnerRepeat(tokens: readonly RegexToken[]): boolean {
  return tokens.some((token, i) => {
    if (token.kind !== 'repeat' || token.max !== Number.POSITIVE_INFINITY) return false
    return !isLast(tokens, i + 1)
  })
}

/** Whether from here on only groups are closed. */
function isLast(tokens: readonly RegexToken[], index: number): boolean {
  for (let i = index; i < tokens.length; i++) {
    const kind = tokens[i]?.kind
    if (kind === 'bar') return true
    if (kind !== 'close' || isVaried(tokens[i + 1])) return false
  }
  return true
}

const isVaried = (token: RegexToken | undefined): boolean =>
  token?.kind === 'repeat' && token.min !== token.max
