import { type Place, report } from '../../document/place.ts'
import { quoteKey } from '../../document/problem.ts'
import { nearestWord } from '../../document/suggestion.ts'

/** How many names may still be compared to find out what was meant, in one document. */
export interface Patience {
  comparisons: number
}

const mostComparisons = 100_000

/** For a document of which nothing is read yet. */
export const createPatience = (): Patience => ({ comparisons: mostComparisons })

/** Notes that nothing has a name, and which name was probably meant. `what` is as `there is no group`. */
export function reportUnknownName(
  place: Place,
  what: string,
  { name, known, patience }: { name: string; known: ReadonlySet<string>; patience: Patience },
): undefined {
  patience.comparisons -= known.size
  const nearest = patience.comparisons < 0 ? undefined : nearestWord(name, known)
  const suggestion = nearest === undefined ? '' : `; did you mean "${nearest}"?`
  return report(place, 'unresolved_reference', `${what} ${quoteKey(name)}${suggestion}`)
}
