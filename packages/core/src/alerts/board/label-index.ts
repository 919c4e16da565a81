import { getOrCreate } from '../../async/get-or-create.ts'
import { atOnce } from '../../async/slices.ts'
import type { LabelSet } from '../alert/label-set.ts'
import { type Matcher, matches } from '../matcher/matcher.ts'

/** An item of a {@link LabelIndex}: anything with labels. */
export interface Labelled {
  readonly labels: LabelSet
}

/**
 * Finds the items whose labels match, by an inverted index label → value → items. A label is indexed when a matcher first names
 * it, because most labels are never searched by.
 */
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

/** The most indexed labels: clients may search by any names, and every item that is added looks at each. */
const maxIndexed = 100

/** The items with each value of one label. */
type ByValue<T> = Map<string, OneOrMore<T>>

function put<T>(byValue: ByValue<T>, value: string, item: T): void {
  const items = byValue.get(value)
  if (items === undefined) byValue.set(value, item)
  else if (items instanceof Set) items.add(item)
  else if (items !== item) byValue.set(value, new Set([items, item]))
}

function take<T>(byValue: ByValue<T>, value: string, item: T): void {
  const items = byValue.get(value)
  if (items instanceof Set) items.delete(item)
  if (items === item || (items instanceof Set && items.size === 0)) byValue.delete(value)
}

function countOf<T>(byValue: ByValue<T>, value: string): number {
  const items = byValue.get(value)
  return items === undefined ? 0 : items instanceof Set ? items.size : 1
}

function* itemsOf<T>(byValue: ByValue<T>, values: readonly string[]): Iterable<T> {
  for (const value of new Set(values)) {
    const items = byValue.get(value)
    if (items instanceof Set) yield* items
    else if (items !== undefined) yield items
  }
}

/** Creates an empty {@link LabelIndex}. */
export function createLabelIndex<T extends Labelled>(): LabelIndex<T> {
  const all = new Set<T>()
  /** The indexed labels. */
  const byName = new Map<string, ByValue<T>>()
  /** Labels that searches are indexing. */
  const growing = new Set<readonly [name: string, ByValue<T>]>()

  const update = (item: T, change: typeof put<T>): void => {
    for (const indexes of [byName, growing]) {
      for (const [name, byValue] of indexes) {
        const value = item.labels.get(name)
        if (value !== undefined) change(byValue, value, item)
      }
    }
  }

  /** Indexes a label on first use. */
  function* indexOf(name: string): Generator<void, ByValue<T>> {
    const known = byName.get(name)
    if (known !== undefined) return known
    const byValue: ByValue<T> = new Map()
    const entry = [name, byValue] as const
    growing.add(entry)
    let looked = 0
    for (const item of all) {
      const value = item.labels.get(name)
      if (value !== undefined) put(byValue, value, item)
      if (++looked % itemsPerStep === 0) yield
    }
    growing.delete(entry)
    const [oldest] = byName.keys()
    if (byName.size >= maxIndexed && oldest !== undefined) byName.delete(oldest)
    byName.set(name, byValue)
    return byValue
  }

  /** The values of the label that match, or `undefined` if items without the label match too. */
  function* valuesMatching(matcher: Matcher): Generator<void, readonly string[] | undefined> {
    if (matches(matcher, '')) return undefined
    if (matcher.operator === '=') return [matcher.value]
    if (matcher.operator === '=~' && matcher.pattern?.literals) return matcher.pattern.literals
    const values: string[] = []
    const isCostly = matcher.pattern?.isCostly === true
    let looked = 0
    for (const value of (yield* indexOf(matcher.name)).keys()) {
      if (matches(matcher, value)) values.push(value)
      if (isCostly || ++looked % itemsPerStep === 0) yield
    }
    return values
  }

  /** The number of items, or of values, that are left to check. */
  function* costOf(matcher: Matcher): Generator<void, number> {
    if (matcher.pattern?.isCostly !== true && matches(matcher, '')) return Number.MAX_SAFE_INTEGER
    const byValue = yield* indexOf(matcher.name)
    return matcher.operator === '=' ? countOf(byValue, matcher.value) : byValue.size
  }

  return {
    add(item) {
      all.add(item)
      update(item, put)
    },

    remove(item) {
      if (all.delete(item)) update(item, take)
    },

    count: (name, value) => countOf(atOnce(indexOf(name)), value),

    *matching(matchers) {
      const priced: [cost: number, Matcher][] = []
      for (const matcher of matchers) priced.push([yield* costOf(matcher), matcher])
      const [first, ...others] = priced.sort(([a], [b]) => a - b).map(([, matcher]) => matcher)
      if (first === undefined) return [...all]
      const values = yield* valuesMatching(first)
      if (values === undefined) return yield* matchingAll([first, ...others], all)
      return yield* matchingAll(others, itemsOf(yield* indexOf(first.name), values))
    },

    get size() {
      return all.size
    },
  }
}
