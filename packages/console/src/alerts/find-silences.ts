import { formatMatcher, type Silence } from '@gatehouse/client'

/** The silences in whose matchers, comment or author every word of a text is. */
export function findSilences(silences: readonly Silence[], text: string): readonly Silence[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return silences
  return silences.filter(({ matchers, comment, createdBy }) => {
    const searched = [...matchers.map(formatMatcher), comment, createdBy].join('\n').toLowerCase()
    return words.every((word) => searched.includes(word))
  })
}
