const maxWordLength = 40

/** The candidate most similar to a misspelled word; `undefined` if none is similar enough. */
export function nearestWord(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > maxWordLength) return undefined
  const plain = plainWord(word)
  const most = Math.max(1, Math.floor(plain.length / 3))
  let nearest: string | undefined
  let least = most + 1
  for (const candidate of candidates) {
    const target = plainWord(candidate)
    if (Math.abs(target.length - plain.length) >= least) continue
    const distance = editDistance(plain, target)
    if (distance >= least) continue
    nearest = candidate
    least = distance
  }
  return nearest
}

/** Treats `executeCommand` and `execute-command` as spellings of `execute_command`. */
const plainWord = (word: string): string => word.toLowerCase().replace(/[-_ ]/g, '')

/** Counts insertions, removals, replacements and swaps of adjacent characters. */
function editDistance(one: string, other: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        (current[column - 1] ?? 0) + 1,
        (previous[column] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap && row > 1 && column > 1 ? (beforePrevious[column - 2] ?? 0) + 1 : Infinity,
      )
    }
    beforePrevious = previous
    previous = current
  }
  return previous[other.length] ?? 0
}
