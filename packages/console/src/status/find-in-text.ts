/** A part of a text; a found one has a number. */
export interface TextPart {
  readonly text: string
  readonly match?: number
}

const maxMatches = 500

/** A text divided at the places of a search, whatever the case. At most 500 places are marked. */
export function partsOf(text: string, search: string): readonly TextPart[] {
  const wanted = search.trim().toLowerCase()
  // Some letters have another length in small letters; then only exact matches are found.
  const small = text.toLowerCase()
  const [within, sought] = small.length === text.length ? [small, wanted] : [text, search.trim()]
  if (sought === '') return [{ text }]
  const parts: TextPart[] = []
  let at = 0
  for (let match = 0; match < maxMatches; match++) {
    const found = within.indexOf(sought, at)
    if (found < 0) break
    parts.push({ text: text.slice(at, found) })
    parts.push({ text: text.slice(found, found + sought.length), match })
    at = found + sought.length
  }
  parts.push({ text: text.slice(at) })
  return parts
}

/** A text divided at one of its lines, which counts as found. */
export function partsAtLine(text: string, line: number): readonly TextPart[] {
  const lines = text.split('\n')
  const wanted = lines[line - 1]
  if (wanted === undefined) return [{ text }]
  const before = lines.slice(0, line - 1).map((one) => `${one}\n`)
  const after = lines.slice(line).map((one) => `\n${one}`)
  return [{ text: before.join('') }, { text: wanted, match: 0 }, { text: after.join('') }]
}
