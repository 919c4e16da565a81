/**
 * Caches the results of `of` for between `limit` and `2 * limit` of the most recent arguments.
 *
 * @param longest the most characters of a cached argument, for texts from clients (default no limit).
 */
export function memoize<T extends string | boolean | object>(
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
