import { findMember, memberOrSelf, type Place, report } from '../../document/place.ts'
import { quoteKey } from '../../document/problem.ts'
import { nearestWord } from '../../input/suggestion.ts'

/** How many names may still be compared to find out what was meant, in one document. */
export interface Patience {
  comparisons: number
}

const mostComparisons = 100_000

/** For a document of which nothing is read yet. */
export const createPatience = (): Patience => ({ comparisons: mostComparisons })

/** Options of {@link noteName}. */
interface NamingOptions {
  /** The key that the name stands under. */
  readonly key: string
  /** The key that stands in for it where it is missing (default none). */
  readonly otherwise?: string
  /** As `the alias`. */
  readonly what: string
}

/** Adds the name of a mapping to `names`, sound or not, and refuses one that is there already. */
export function noteName(
  place: Place,
  names: Set<string>,
  { key, otherwise, what }: NamingOptions,
): void {
  const named =
    findMember(place, key) ?? (otherwise === undefined ? undefined : findMember(place, otherwise))
  if (named?.node.kind !== 'scalar') return
  const { text: name } = named.node
  const message = `${what} ${quoteKey(name)} is here already`
  if (names.has(name)) report(memberOrSelf(place, key), 'conflict', message)
  names.add(name)
}

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
