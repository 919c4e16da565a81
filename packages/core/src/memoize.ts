/**
 * A function that remembers what `of` answered to the texts that it was asked last: `limit` of them at least, twice as many
 * at most.
 */
export function memoize<T extends string | object>(
  of: (text: string) => T,
  limit: number,
): (text: string) => T {
  let recent = new Map<string, T>()
  let older = new Map<string, T>()
  return (text) => {
    const known = recent.get(text)
    if (known !== undefined) return known
    const answer = older.get(text) ?? of(text)
    if (recent.size >= limit) {
      older = recent
      recent = new Map()
    }
    recent.set(text, answer)
    return answer
  }
}
