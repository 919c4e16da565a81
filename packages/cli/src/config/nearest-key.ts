/** The key that a mistyped one was probably meant to be: at most a third of it is different. */
export function nearestKey(given: string, keys: readonly string[]): string | undefined {
  const distances = keys
    .map((key) => ({ key, distance: editDistance(given.slice(0, 64).toLowerCase(), key) }))
    .filter(({ key, distance }) => distance <= Math.max(1, key.length / 3))
    .sort((one, other) => one.distance - other.distance)
  return distances[0]?.key
}

/** How many characters must be added, removed or replaced. */
function editDistance(one: string, other: string): number {
  let distances = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [row, character] of [...one].entries()) {
    let diagonal = row
    const next = [row + 1]
    for (let column = 0; column < other.length; column++) {
      const replaced = diagonal + (character === other[column] ? 0 : 1)
      diagonal = distances[column + 1] ?? 0
      next.push(Math.min(replaced, diagonal + 1, (next[column] ?? 0) + 1))
    }
    distances = next
  }
  return distances[other.length] ?? 0
}
