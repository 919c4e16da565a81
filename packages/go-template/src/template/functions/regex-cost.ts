import { regexSize } from '../../regex/regex-size.ts'
import { type RegexToken, tokenizeRegex } from '../../regex/regex-tokens.ts'

/** The cost of a search with a regular expression. */
export interface RegexCost {
  /** The approximate number of instructions. Each may cost time at every character. */
  readonly size: number
  /**
   * Whether a search may repeatedly look far beyond its matches. `a*b|a` looks for a b up to the end of the text before it
   * matches each single a.
   */
  readonly looksAhead: boolean
}

/** Estimates the cost of a search with an expression, too high rather than too low. */
export function regexCost(source: string): RegexCost {
  const tokens = tokenizeRegex(source) ?? []
  return { size: regexSize(tokens) + 1, looksAhead: hasChoice(tokens) && hasInnerRepeat(tokens) }
}

/** Whether it may fall back to a shorter match after trying a longer one. */
function hasChoice(tokens: readonly RegexToken[]): boolean {
  return tokens.some(
    ({ kind }, i) => kind === 'bar' || (kind === 'close' && isVaried(tokens[i + 1])),
  )
}

/** Whether an unbounded repetition must be followed by something else. */
function hasInnerRepeat(tokens: readonly RegexToken[]): boolean {
  return tokens.some((token, i) => {
    if (token.kind !== 'repeat' || token.max !== Number.POSITIVE_INFINITY) return false
    return !isLast(tokens, i + 1)
  })
}

/** Whether only closing brackets of groups follow. */
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
