import fc from 'fast-check'
import { expect, it } from 'vitest'
import { atOnce } from '../../async/slices.ts'
import { type LabelSet, labelSet } from '../alert/label-set.ts'
import { createMatcher, type Matcher, matchesAll } from '../matcher/matcher.ts'
import { createLabelIndex } from './label-index.ts'
import { createMatcherIndex } from './matcher-index.ts'

const name = fc.constantFrom('a', 'b', '__proto__', 'constructor')
const value = fc.constantFrom('', 'x', 'y', 'xy', 'toString')
const matcher: fc.Arbitrary<Matcher> = fc
  .oneof(
    fc.tuple(name, fc.constantFrom('=' as const, '!=' as const), value),
    fc.tuple(
      name,
      fc.constantFrom('=~' as const, '!~' as const),
      fc.constantFrom('x', 'x|y', 'x.*', '.*', '.+', '(x|y)+', '|x', 'toString|'),
    ),
  )
  .map(([name, operator, value]) => createMatcher(name, operator, value))
const matchers = fc.array(matcher, { maxLength: 3 })
const labels: fc.Arbitrary<LabelSet> = fc
  .array(
    fc.tuple(
      name,
      value.filter((text) => text !== ''),
    ),
    { maxLength: 3 },
  )
  .map((pairs) => labelSet(pairs))

it('a matcher index finds the same items as a search through every item', () => {
  fc.assert(
    fc.property(
      fc.array(matchers, { maxLength: 12 }),
      fc.array(labels),
      fc.nat(),
      (all, sets, gone) => {
        const index = createMatcherIndex<number>()
        for (const [item, its] of all.entries()) index.add(item, its)
        const removed = all.length === 0 ? -1 : gone % all.length
        index.remove(removed)
        for (const set of sets) {
          const expected = [...all.keys()].filter(
            (item) => item !== removed && matchesAll(all[item] ?? [], set),
          )
          expect(index.matching(set).sort((a, b) => a - b)).toEqual(expected)
          expect(atOnce(index.matchingInSteps(set)).sort((a, b) => a - b)).toEqual(expected)
        }
      },
    ),
  )
})

it('a label index finds the same items as a search through every item', () => {
  fc.assert(
    fc.property(
      fc.array(labels, { maxLength: 12 }),
      fc.array(matchers),
      fc.nat(),
      (sets, all, gone) => {
        const items = sets.map((set, id) => ({ id, labels: set }))
        const index = createLabelIndex<(typeof items)[number]>()
        for (const item of items) index.add(item)
        const removed = items[items.length === 0 ? 0 : gone % items.length]
        if (removed !== undefined) index.remove(removed)
        for (const its of all) {
          const expected = items.filter((item) => item !== removed && matchesAll(its, item.labels))
          const byId = (a: { id: number }, b: { id: number }): number => a.id - b.id
          expect([...atOnce(index.matching(its))].sort(byId)).toEqual(expected)
        }
      },
    ),
  )
})

it('a label index knows items that came or went after a search, whatever else was searched for', () => {
  const index = createLabelIndex<{ id: number; labels: LabelSet }>()
  const itemAt = (id: number) => ({ id, labels: labelSet([['n', `${id}`]]) })
  const [first, second, third] = [itemAt(1), itemAt(2), itemAt(1)]
  const found = (name: string): number[] =>
    atOnce(index.matching([createMatcher(name, '=', '1')])).map(({ id }) => id)
  index.add(first)
  expect(found('n')).toEqual([1])
  index.add(second)
  index.add(third)
  expect([found('n'), index.count('n', '1')]).toEqual([[1, 1], 2])
  index.remove(first)
  for (let other = 0; other < 200; other++) expect(found(`other_${other}`)).toEqual([])
  expect([found('n'), index.count('n', '1'), index.count('n', '2')]).toEqual([[1], 1, 1])
})

it('a label index knows items that come and go while a search indexes their label', () => {
  const index = createLabelIndex<{ id: number; labels: LabelSet }>()
  const items = Array.from({ length: 300 }, (_, id) => ({ id, labels: labelSet([['n', 'x']]) }))
  const [first, last] = [items[0], items[299]]
  if (first === undefined || last === undefined) throw new Error('there are items')
  for (const item of items.slice(0, 299)) index.add(item)
  const search = index.matching([createMatcher('n', '=', 'x')])
  expect(search.next().done).toBe(false)
  index.remove(first)
  index.add(last)
  atOnce(search)
  const found = atOnce(index.matching([createMatcher('n', '=', 'x')])).map(({ id }) => id)
  expect(found.sort((a, b) => a - b)).toEqual(items.slice(1).map(({ id }) => id))
})

it('a label index counts the items with a label, down to zero', () => {
  const index = createLabelIndex<{ labels: LabelSet }>()
  const items = ['x', 'x', 'y'].map((text) => ({ labels: labelSet([['a', text]]) }))
  for (const item of items) index.add(item)
  expect([index.count('a', 'x'), index.count('a', 'y'), index.count('b', 'x')]).toEqual([2, 1, 0])
  for (const item of items) index.remove(item)
  expect([index.count('a', 'x'), index.size]).toEqual([0, 0])
})
