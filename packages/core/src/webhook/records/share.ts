/**
 * The most records that each of several owners may keep, so that all together keep at most `limit`. Owners with few records keep
 * all of theirs; the others get equal shares of the rest.
 */
export function fairShare(counts: Iterable<number>, limit: number): number {
  const ascending = [...counts].sort((one, other) => one - other)
  let left = limit
  for (const [index, count] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index))
    if (count > share) return share
    left -= count
  }
  return limit
}
