/**
 * A function that remembers what `of` answered to the texts that it was asked last: `limit` of them at least, twice as many
 * at most.
 *
 * @param longest how many characters a text has that is remembered, where clients say how long one is (default any number).
 */
export function memoize<T extends string | object>(
  of: (text: string) => T,
  limit: number,
  longest: number = Number.POSITIVE_INFINITY,
): (text: string) => T {
  let recent = new Map<string, T>()
  let older = new Map<string, T>()
  return (text) => {
    if (text.length > longest) return of(text)
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
