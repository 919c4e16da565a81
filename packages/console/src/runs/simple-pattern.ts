/** Characters in a row that a part of a pattern matches. */
interface Atom {
  readonly matches: (character: string) => boolean
  readonly least: number
  readonly most: number
}

/** A character, an escaped one, or a class; perhaps repeated. */
const atomPattern =
  /(\\[dwnt]|\\[^A-Za-z0-9]|\[\^?(?:\\[dwnt]|\\[^A-Za-z0-9]|[^\]\\[^])+\]|[^\\[\](){}|*+?.^$])([*+?]|\{(\d{1,3})(,(\d{0,3}))?\})?/suy
const memberPattern = /(\\?.)(?:-(\\?.))?/gsu

/**
 * Whether an RE2 pattern matches a whole text, in time linear in its length; `undefined` if the pattern has more than characters,
 * classes, repetitions, and bars between whole words. The server checks all others.
 */
export function matchesSimply(pattern: string, text: string): boolean | undefined {
  const words = pattern.split('|').map(readAtoms)
  const characters = [...text]
  const results = words.map((atoms) => atoms && matchesAll(atoms, characters))
  return results.includes(undefined) ? undefined : results.includes(true)
}

function readAtoms(word: string): readonly Atom[] | undefined {
  const atoms: Atom[] = []
  let at = 0
  while (at < word.length) {
    atomPattern.lastIndex = at
    const found = atomPattern.exec(word)
    if (found === null) return undefined
    const [whole, one = '', sign, least, range, most] = found
    atoms.push({ matches: matcherOf(one), ...repetition(sign, least, range, most) })
    at += whole.length
  }
  return atoms
}

function repetition(
  sign: string | undefined,
  least: string | undefined,
  range: string | undefined,
  most: string | undefined,
): Pick<Atom, 'least' | 'most'> {
  if (least !== undefined) {
    const from = Number(least)
    if (range === undefined) return { least: from, most: from }
    return { least: from, most: most ? Number(most) : Number.POSITIVE_INFINITY }
  }
  return {
    least: sign === '*' || sign === '?' ? 0 : 1,
    most: sign === '*' || sign === '+' ? Number.POSITIVE_INFINITY : 1,
  }
}

function matcherOf(written: string): Atom['matches'] {
  if (!written.startsWith('[')) return rangeOf(written, undefined)
  const isNegated = written.startsWith('[^')
  const inner = written.slice(isNegated ? 2 : 1, -1)
  const members = [...inner.matchAll(memberPattern)].map(([, from = '', to]) => rangeOf(from, to))
  return (character) => members.some((matches) => matches(character)) !== isNegated
}

const codeOf = (character: string): number => character.codePointAt(0) ?? -1
const literal = (written: string): string =>
  written === '\\n' ? '\n' : written === '\\t' ? '\t' : written.replace(/^\\(.)/s, '$1')

function rangeOf(from: string, to: string | undefined): Atom['matches'] {
  if (from === '\\d') return (character) => /^\d$/.test(character)
  if (from === '\\w') return (character) => /^\w$/.test(character)
  const [first, last] = [codeOf(literal(from)), codeOf(literal(to ?? from))]
  return (character) => codeOf(character) >= first && codeOf(character) <= last
}

/** Follows all ways to match at once: which beginnings of the text the atoms so far match. */
function matchesAll(atoms: readonly Atom[], characters: readonly string[]): boolean {
  let reached = [true, ...characters.map(() => false)]
  for (const { matches, least, most } of atoms) {
    // The last end of the atoms before from which this one can come here, and where the characters that it matches begin.
    let last = -1
    let start = 0
    reached = reached.map((_, end) => {
      if (end > 0 && !matches(characters[end - 1] ?? '')) start = end
      if (reached[end - least] === true) last = end - least
      return last >= 0 && last >= Math.max(start, end - most)
    })
  }
  return reached.at(-1) === true
}
