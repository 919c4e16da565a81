import { getOrCreate } from '../../async/get-or-create.ts'
import type { LabelSet } from '../alert/label-set.ts'
import { isAnyCostly, type Matcher, matchesAll, matchesAllInSteps } from '../matcher/matcher.ts'

/**
 * Finds the items whose matchers all match a label set, without trying every item: items with an equality matcher are looked up
 * by that label, and only the others are tried one by one.
 */
export interface MatcherIndex<T> {
  /** Adds an item; its matchers must not change while it is in the index. */
  add(item: T, matchers: readonly Matcher[]): void
  /** Removes an item, if present. */
  remove(item: T): void
  /** The items that match, in no order. */
  matching(labels: LabelSet): T[]
  /** The same in slices. Items added or removed meanwhile may or may not be included. */
  matchingInSteps(labels: LabelSet): Generator<void, T[]>
  /** The number of items. */
  readonly size: number
}

/** The number of cheap items between two steps. */
const itemsPerStep = 100

interface Anchor {
  readonly name: string
  readonly values: readonly string[]
}

/** A label that must have one of few values for all matchers to match, if any. */
function anchorOf(matchers: readonly Matcher[]): Anchor | undefined {
  let best: Anchor | undefined
  for (const { name, operator, value, pattern } of matchers) {
    const values = operator === '=' ? [value] : operator === '=~' ? pattern?.literals : undefined
    if (values === undefined || values.includes('')) continue
    if (best === undefined || values.length < best.values.length) best = { name, values }
  }
  return best
}

/** Creates an empty {@link MatcherIndex}. */
export function createMatcherIndex<T>(): MatcherIndex<T> {
  const matchersOf = new Map<T, readonly Matcher[]>()
  const anchored = new Map<string, Map<string, Set<T>>>()
  const unanchored = new Set<T>()
  /** Items that take long to match. */
  const costly = new Set<T>()

  /** The items that may match, each once. */
  function* candidates(labels: LabelSet): Iterable<T> {
    if (anchored.size > 0) {
      for (const [name, value] of labels) yield* anchored.get(name)?.get(value) ?? []
    }
    yield* unanchored
  }

  return {
    add(item, matchers) {
      matchersOf.set(item, matchers)
      if (isAnyCostly(matchers)) costly.add(item)
      const anchor = anchorOf(matchers)
      if (anchor === undefined) {
        unanchored.add(item)
        return
      }
      const byValue = getOrCreate(anchored, anchor.name, () => new Map<string, Set<T>>())
      for (const value of anchor.values) getOrCreate(byValue, value, () => new Set<T>()).add(item)
    },

    remove(item) {
      const matchers = matchersOf.get(item)
      if (matchers === undefined) return
      matchersOf.delete(item)
      costly.delete(item)
      unanchored.delete(item)
      const anchor = anchorOf(matchers)
      const byValue = anchor && anchored.get(anchor.name)
      if (anchor === undefined || byValue === undefined) return
      for (const value of anchor.values) {
        const items = byValue.get(value)
        items?.delete(item)
        if (items?.size === 0) byValue.delete(value)
      }
      if (byValue.size === 0) anchored.delete(anchor.name)
    },

    matching(labels) {
      const found: T[] = []
      for (const item of candidates(labels)) {
        if (matchesAll(matchersOf.get(item) ?? [], labels)) found.push(item)
      }
      return found
    },

    *matchingInSteps(labels) {
      const found: T[] = []
      let sinceStep = 0
      for (const item of candidates(labels)) {
        const matchers = matchersOf.get(item) ?? []
        const isMatch = costly.has(item)
          ? yield* matchesAllInSteps(matchers, labels)
          : matchesAll(matchers, labels)
        if (isMatch) found.push(item)
        if (++sinceStep % itemsPerStep === 0) yield
      }
      return found
    },

    get size() {
      return matchersOf.size
    },
  }
}
