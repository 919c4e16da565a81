/** A pattern for file names. */
export interface GlobPattern {
  matches(name: string): boolean
}

/** One character of a name, or any number of them. */
type Element = '*' | ((character: number) => boolean)

const codeOf = (character: string): number => character.codePointAt(0) ?? -1

/**
 * Parses a pattern: `*` matches any characters, `?` one, `[a-z]` and `[^a-z]` one of a class; a backslash quotes the next
 * character. Matching takes at most the product of both lengths, for any pattern.
 *
 * @throws {Error} if a class is not closed or empty, or nothing follows a backslash.
 * @see https://pkg.go.dev/path/filepath#Match
 */
export function parseGlobPattern(pattern: string): GlobPattern {
  const elements = readElements(Array.from(pattern))
  return { matches: (name) => matchesAll(elements, Array.from(name, codeOf)) }
}

const badPattern = (): Error => new Error('syntax error in pattern')

function readElements(pattern: readonly string[]): readonly Element[] {
  const elements: Element[] = []
  for (let at = 0; at < pattern.length; ) {
    const character = pattern[at]
    if (character === '[') {
      const { end, element } = readClass(pattern, at + 1)
      elements.push(element)
      at = end
    } else if (character === '*' || character === '?') {
      elements.push(character === '*' ? '*' : () => true)
      at++
    } else {
      const { end, code } = readCharacter(pattern, at)
      elements.push((found) => found === code)
      at = end
    }
  }
  return elements
}

function readCharacter(pattern: readonly string[], at: number): { end: number; code: number } {
  const literal = pattern[at] === '\\' ? at + 1 : at
  const character = pattern[literal]
  if (character === undefined) throw badPattern()
  return { end: literal + 1, code: codeOf(character) }
}

/** Parses a class after its opening bracket. */
function readClass(pattern: readonly string[], start: number): { end: number; element: Element } {
  const isNegated = pattern[start] === '^'
  const first = isNegated ? start + 1 : start
  const ranges: { low: number; high: number }[] = []
  let at = first
  for (; at === first || pattern[at] !== ']'; ) {
    const low = readMember(pattern, at)
    const high = pattern[low.end] === '-' ? readMember(pattern, low.end + 1) : low
    ranges.push({ low: low.code, high: high.code })
    at = high.end
  }
  return {
    end: at + 1,
    element: (code) => ranges.some(({ low, high }) => low <= code && code <= high) !== isNegated,
  }
}

/** In a class, a dash and a closing bracket must be quoted by a backslash. */
function readMember(pattern: readonly string[], at: number): { end: number; code: number } {
  if (pattern[at] === '-' || pattern[at] === ']') throw badPattern()
  return readCharacter(pattern, at)
}

/** Steps through both; at a mismatch, the last `*` takes one more character. */
function matchesAll(elements: readonly Element[], name: readonly number[]): boolean {
  let element = 0
  let character = 0
  let star: { readonly element: number; readonly character: number } | undefined
  while (character < name.length) {
    const expected = elements[element]
    if (expected === '*') {
      star = { element, character }
      element++
    } else if (expected?.(name[character] ?? -1)) {
      element++
      character++
    } else if (star === undefined) {
      return false
    } else {
      star = { ...star, character: star.character + 1 }
      element = star.element + 1
      character = star.character
    }
  }
  return elements.slice(element).every((rest) => rest === '*')
}
