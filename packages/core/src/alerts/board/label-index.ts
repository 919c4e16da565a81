import { getOrCreate } from '../../async/get-or-create.ts'
import type { LabelSet } from '../alert/label-set.ts'
import { type Matcher, matches } from '../matcher/matcher.ts'

/** An item of a {@link LabelIndex}: anything with labels. */
export interface Labelled {
  readonly labels: LabelSet
}

/** Finds the items whose labels match, by an inverted index label → value → items. */
export interface LabelIndex<T extends Labelled> {
  add(item: T): void
  remove(item: T): void
  /** The number of items with this value of this label. */
  count(name: string, value: string): number
  /** The items that match all matchers, in no order, in slices. Items added or removed meanwhile may or may not be included. */
  matching(matchers: readonly Matcher[]): Generator<void, T[]>
  /** The number of items. */
  readonly size: number
}

/** Most label values belong to one item, and a Set of one is ten times the size of a pointer to the item. */
type OneOrMore<T> = T | Set<T>

/** Caches the result of a matcher for each distinct value. */
function remembering(matcher: Matcher): (value: string) => boolean {
  if (matcher.pattern === undefined) return (value) => matches(matcher, value)
  const known = new Map<string, boolean>()
  return (value) => getOrCreate(known, value, () => matches(matcher, value))
}

/** The number of cheap items between two steps. */
const itemsPerStep = 100

/** The items that match all matchers. Goes matcher by matcher, so that each expression is compiled once for all items. */
function* matchingAll<T extends Labelled>(
  matchers: readonly Matcher[],
  items: Iterable<T>,
): Generator<void, T[]> {
  let found = [...items]
  for (const matcher of matchers) {
    const test = remembering(matcher)
    const isCostly = matcher.pattern?.isCostly === true
    const left: T[] = []
    let looked = 0
    for (const item of found) {
      if (test(item.labels.get(matcher.name) ?? '')) left.push(item)
      if (isCostly || ++looked % itemsPerStep === 0) yield
    }
    found = left
    yield
  }
  return found
}

/** Creates an empty {@link LabelIndex}. */
export function createLabelIndex<T extends Labelled>(): LabelIndex<T> {
  const all = new Set<T>()
  const byName = new Map<string, Map<string, OneOrMore<T>>>()

  const itemsOf = (name: string, value: string): Iterable<T> => {
    const items = byName.get(name)?.get(value)
    return items === undefined ? [] : items instanceof Set ? items : [items]
  }

  function* itemsOfAll(name: string, values: readonly string[]): Iterable<T> {
    for (const value of new Set(values)) yield* itemsOf(name, value)
  }

  const count = (name: string, value: string): number => {
    const items = byName.get(name)?.get(value)
    return items === undefined ? 0 : items instanceof Set ? items.size : 1
  }

  /** The values of the label that match, or `undefined` if items without the label match too. */
  function* valuesMatching(matcher: Matcher): Generator<void, readonly string[] | undefined> {
    if (matches(matcher, '')) return undefined
    if (matcher.operator === '=') return [matcher.value]
    if (matcher.operator === '=~' && matcher.pattern?.literals) return matcher.pattern.literals
    const values: string[] = []
    const isCostly = matcher.pattern?.isCostly === true
    let looked = 0
    for (const value of byName.get(matcher.name)?.keys() ?? []) {
      if (matches(matcher, value)) values.push(value)
      if (isCostly || ++looked % itemsPerStep === 0) yield
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

    *matching(matchers) {
      const [first, ...others] = [...matchers].sort(byCost)
      if (first === undefined) return [...all]
      const values = yield* valuesMatching(first)
      if (values !== undefined) return yield* matchingAll(others, itemsOfAll(first.name, values))
      return yield* matchingAll([first, ...others], all)
    },

    get size() {
      return all.size
    },
  }

  /** Orders matchers by the number of items left to check, fewest first. */
  function byCost(a: Matcher, b: Matcher): number {
    return cost(a) - cost(b)
  }

  function cost(matcher: Matcher): number {
    if (matcher.pattern?.isCostly !== true && matches(matcher, '')) return Number.MAX_SAFE_INTEGER
    if (matcher.operator === '=') return count(matcher.name, matcher.value)
    return byName.get(matcher.name)?.size ?? 0
  }
}
