/** The most repetitions in one expression. The time for a text is bounded by its length to this power. */
const mostRepetitions = 2
/** The most parts that may be absent: each may double the time. */
const mostOptional = 8

/** A character, an escaped one, or a class; perhaps repeated. */
const atom =
  /(?:\\[dwnt]|\\[^A-Za-z0-9]|\[(?:\\[dwnt]|\\[^A-Za-z0-9]|[^\]\\[])+\]|[^\\[\](){}|*+?.^$])(?:[*+?]|\{\d{1,3}(?:,\d{0,3})?\})?/y

/**
 * The expression for an RE2 pattern that must match the whole text, if it means the same in JavaScript and is quick: characters,
 * classes and few repetitions, or several words with bars between them. The server checks all others.
 */
export function simplePattern(pattern: string): RegExp | undefined {
  if (!pattern.split('|').every(isSequence)) return undefined
  const count = (quantifiers: RegExp): number => pattern.match(quantifiers)?.length ?? 0
  if (count(/[*+{]/g) > mostRepetitions || count(/\?/g) > mostOptional) return undefined
  try {
    return new RegExp(`^(?:${pattern})$`, 'u')
  } catch {
    return undefined
  }
}

function isSequence(text: string): boolean {
  atom.lastIndex = 0
  while (atom.lastIndex < text.length) {
    if (!atom.test(text)) return false
  }
  return true
}
