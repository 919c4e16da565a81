import { getOrCreate } from '../get-or-create.ts'
import type { LabelSet } from './label-set.ts'
import { type Matcher, matches } from './matcher.ts'

/** What a {@link LabelIndex} holds: anything with labels. */
export interface Labelled {
  readonly labels: LabelSet
}

/** Finds the items whose labels match, by an inverted index label → value → items. */
export interface LabelIndex<T extends Labelled> {
  add(item: T): void
  remove(item: T): void
  /** How many items have this label with this value. */
  count(name: string, value: string): number
  /** The items that all matchers match, in no order. */
  matching(matchers: readonly Matcher[]): T[]
  /** How many items there are. */
  readonly size: number
}

/** Most label values are had by one item alone, and a Set of one is ten times the size of the item's pointer. */
type OneOrMore<T> = T | Set<T>

/** Tells for one matcher whether a value matches, deciding once for each distinct value. */
function remembering(matcher: Matcher): (value: string) => boolean {
  if (matcher.pattern === undefined) return (value) => matches(matcher, value)
  const known = new Map<string, boolean>()
  return (value) => getOrCreate(known, value, () => matches(matcher, value))
}

/** An empty {@link LabelIndex}. */
export function createLabelIndex<T extends Labelled>(): LabelIndex<T> {
  const all = new Set<T>()
  const byName = new Map<string, Map<string, OneOrMore<T>>>()

  const itemsOf = (name: string, value: string): Iterable<T> => {
    const items = byName.get(name)?.get(value)
    return items === undefined ? [] : items instanceof Set ? items : [items]
  }

  const count = (name: string, value: string): number => {
    const items = byName.get(name)?.get(value)
    return items === undefined ? 0 : items instanceof Set ? items.size : 1
  }

  /** The values of the matcher's label that it matches, or `undefined` if items without the label match too. */
  const valuesMatching = (matcher: Matcher): readonly string[] | undefined => {
    if (matches(matcher, '')) return undefined
    if (matcher.operator === '=') return [matcher.value]
    if (matcher.operator === '=~' && matcher.pattern?.literals) return matcher.pattern.literals
    const values: string[] = []
    for (const value of byName.get(matcher.name)?.keys() ?? []) {
      if (matches(matcher, value)) values.push(value)
    }
    return values
  }

  return {
    add(item) {
      all.add(item)
      for (const [name, value] of item.labels) {
        const byValue = getOrCreate(byName, name, () => new Map<string, OneOrMore<T>>())
        const items = byValue.get(value)
        if (items === undefined) byValue.set(value, item)
        else if (items instanceof Set) items.add(item)
        else if (items !== item) byValue.set(value, new Set([items, item]))
      }
    },

    remove(item) {
      if (!all.delete(item)) return
      for (const [name, value] of item.labels) {
        const byValue = byName.get(name)
        const items = byValue?.get(value)
        if (byValue === undefined || items === undefined) continue
        if (items instanceof Set) {
          items.delete(item)
          if (items.size > 0) continue
        } else if (items !== item) continue
        byValue.delete(value)
        if (byValue.size === 0) byName.delete(name)
      }
    },

    count,

    matching(matchers) {
      if (matchers.length === 0) return [...all]
      const [first, ...others] = [...matchers].sort(byCost)
      if (first === undefined) return [...all]
      const values = valuesMatching(first)
      const tests = (values === undefined ? [first, ...others] : others).map(
        (matcher) => [matcher.name, remembering(matcher)] as const,
      )
      const found: T[] = []
      const tryItem = (item: T): void => {
        for (const [name, test] of tests) if (!test(item.labels.get(name) ?? '')) return
        found.push(item)
      }
      if (values === undefined) all.forEach(tryItem)
      else
        for (const value of new Set(values))
          for (const item of itemsOf(first.name, value)) tryItem(item)
      return found
    },

    get size() {
      return all.size
    },
  }

  /** Orders matchers so that the one that leaves the fewest items to look at is first. */
  function byCost(a: Matcher, b: Matcher): number {
    return cost(a) - cost(b)
  }

  function cost(matcher: Matcher): number {
    if (matches(matcher, '')) return Number.MAX_SAFE_INTEGER
    if (matcher.operator === '=') return count(matcher.name, matcher.value)
    return byName.get(matcher.name)?.size ?? 0
  }
}
