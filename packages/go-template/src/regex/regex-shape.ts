import type { RegexToken } from './regex-tokens.ts'

/** Facts about the texts that match a whole expression, known without the engine. */
export interface RegexShape {
  /** The only texts that match. */
  readonly literals?: readonly string[]
  /** The common prefix of all matching texts. */
  readonly prefix?: string
  /** Gives the same result as the engine, for expressions that need no engine. */
  readonly test?: (value: string) => boolean
}

type Repeat = Extract<RegexToken, { kind: 'repeat' }>

const deepestGroup = 20

/** The shape of an expression that must match whole texts. */
export function shapeOf(tokens: readonly RegexToken[]): RegexShape {
  const inner = withoutAnchors(tokens)
  const literals = literalsOf(inner, 'alternatives')
  if (literals !== undefined) {
    const unique = [...new Set(literals)]
    return { literals: unique, test: testLiterals(unique), ...prefixOfLiterals(unique) }
  }
  return wildcardShape(inner) ?? prefixShape(inner)
}

/** Removes `^` at the very start and `$` at the very end, which mean nothing when the whole text must match. */
function withoutAnchors(tokens: readonly RegexToken[]): readonly RegexToken[] {
  const from = tokens[0]?.kind === 'start' ? 1 : 0
  const isAnchored = tokens.length > from && tokens.at(-1)?.kind === 'end'
  return tokens.slice(from, isAnchored ? -1 : undefined)
}

function testLiterals(literals: readonly string[]): (value: string) => boolean {
  const [only] = literals
  if (literals.length === 1) return (value) => value === only
  const known = new Set(literals)
  return (value) => known.has(value)
}

function prefixOfLiterals([only, ...others]: readonly string[]): RegexShape {
  return only === undefined || only === '' || others.length > 0 ? {} : { prefix: only }
}

/**
 * The texts that match an expression of only text, groups and bars; `undefined` for other expressions and for too many texts. As
 * a `sequence` it may have no bar outside its groups.
 */
function literalsOf(
  tokens: readonly RegexToken[],
  as: 'alternatives' | 'sequence',
): readonly string[] | undefined {
  let size = 1_000
  for (const token of tokens) if (token.kind === 'text') size += 10 * token.text.length
  let at = 0

  const readAlternatives = (depth: number): string[] | undefined => {
    const found: string[] = []
    while (true) {
      const texts = readSequence(depth)
      if (texts === undefined) return undefined
      for (const text of texts) found.push(text)
      if (tokens[at]?.kind !== 'bar') return found
      at++
    }
  }

  const readSequence = (depth: number): readonly string[] | undefined => {
    let texts: readonly string[] = ['']
    for (let token = tokens[at]; token !== undefined; token = tokens[at]) {
      let next: readonly string[] | undefined
      if (token.kind === 'text') {
        next = [token.text]
      } else if (token.kind === 'open' && token.isPlain && depth < deepestGroup) {
        at++
        next = readAlternatives(depth + 1)
        if (tokens[at]?.kind !== 'close') return undefined
      } else {
        return token.kind === 'bar' || token.kind === 'close' ? texts : undefined
      }
      if (next === undefined) return undefined
      texts = combine(texts, next)
      for (const text of texts) size -= text.length + 1
      if (size < 0) return undefined
      at++
    }
    return texts
  }

  const texts = as === 'sequence' ? readSequence(0) : readAlternatives(0)
  return at === tokens.length ? texts : undefined
}

function combine(heads: readonly string[], tails: readonly string[]): readonly string[] {
  if (heads.length === 1 && heads[0] === '') return tails
  return heads.flatMap((head) => tails.map((tail) => head + tail))
}

/**
 * The shape of `.*` or `.+` before or after known texts. `.` does not match a line feed, and the texts contain none, so the value
 * must not contain one.
 */
function wildcardShape(tokens: readonly RegexToken[]): RegexShape | undefined {
  const lead = wildcardAt(tokens, 0)
  const trail = wildcardAt(tokens, Math.max(tokens.length - 2, lead === undefined ? 0 : 2))
  if (lead === undefined && trail === undefined) return undefined
  const middle = tokens.slice(lead && 2, trail && -2)
  const texts = literalsOf(middle, 'sequence')
  if (texts === undefined || texts.some((text) => text.includes('\n'))) return undefined
  const before = lead?.min ?? 0
  const behind = trail?.min ?? 0
  // At least two characters, which may be three or four code units. Leave this to the engine.
  if (before + behind > 1 && texts.includes('')) return undefined
  const testText = (value: string, text: string): boolean => {
    if (lead === undefined) return value.startsWith(text) && value.length >= text.length + behind
    if (trail === undefined) return value.endsWith(text) && value.length >= text.length + before
    const at = value.indexOf(text, before)
    return at >= before && value.length >= at + text.length + behind
  }
  const test = (value: string): boolean =>
    !value.includes('\n') && texts.some((text) => testText(value, text))
  return lead === undefined ? { test, ...prefixOfLiterals(texts) } : { test }
}

function wildcardAt(tokens: readonly RegexToken[], at: number): Repeat | undefined {
  const count = tokens[at + 1]
  const isWildcard =
    tokens[at]?.kind === 'dot' &&
    count?.kind === 'repeat' &&
    count.min <= 1 &&
    count.max === Number.POSITIVE_INFINITY &&
    tokens[at + 2]?.kind !== 'repeat'
  return isWildcard ? count : undefined
}

/** The text at the start of an expression, unless a bar offers another start. */
function prefixShape(tokens: readonly RegexToken[]): RegexShape {
  const [first, ...others] = tokens
  if (first?.kind !== 'text') return {}
  for (const token of others) {
    if (token.kind !== 'repeat') break
    if (token.min === 0) return {}
  }
  let depth = 0
  for (const token of tokens) {
    if (token.kind === 'open') depth++
    if (token.kind === 'close') depth--
    if (depth < 0 || (depth === 0 && token.kind === 'bar')) return {}
  }
  return { prefix: first.text }
}
