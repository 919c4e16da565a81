import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../test-support/lane.ts'
import { compareEntries, compareKeys, createSortedList, type IndexEntry } from './sorted-list.ts'

describe('compareKeys', () => {
  it('orders texts by their UTF-8 bytes', () => {
    const bytes = (text: string): Buffer => Buffer.from(text, 'utf8')
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(Math.sign(compareKeys(a, b))).toBe(Buffer.compare(bytes(a), bytes(b)))
      }),
    )
    expect(compareKeys('\uffff', '🚀')).toBeLessThan(0)
    expect(compareKeys('\ud7ff', '🚀')).toBeLessThan(0)
  })

  it('orders numbers by their value', () => {
    expect([10, 9, -1, 0.5].sort(compareKeys)).toEqual([-1, 0.5, 9, 10])
  })
})

describe('a sorted list', () => {
  const above = (key: number) => (entry: IndexEntry) => Number(entry.key) < key

  it('holds what a sorted array would, after any insertions and deletions', () => {
    const entry = fc.record({ key: fc.nat(40), id: fc.nat(60).map(String) })
    const step = fc.record({ entry, isDeletion: fc.boolean() })
    const start = fc.array(entry, { maxLength: 2_000 })
    fc.assert(
      fc.property(start, fc.array(step, { maxLength: 300 }), fc.nat(41), (first, steps, key) => {
        const model = new Map(first.map((it) => [JSON.stringify(it), it]))
        const list = createSortedList([...model.values()])
        for (const { entry, isDeletion } of steps) {
          const name = JSON.stringify(entry)
          if (isDeletion) list.delete(entry)
          else if (!model.has(name)) list.insert(entry)
          if (isDeletion) model.delete(name)
          else model.set(name, entry)
        }
        const sorted = [...model.values()].sort(compareEntries)
        expect([...list.ascending(above(key))]).toEqual(sorted.filter((it) => it.key >= key))
        expect([...list.descending(above(key))]).toEqual(
          sorted.filter((it) => it.key < key).reverse(),
        )
      }),
      { numRuns: runsOf(50) },
    )
  })

  it('keeps the order of entries that arrive almost sorted', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(600), { maxLength: 3_000, size: 'max' }), (late) => {
        const entries = late.map((by, index) => ({ key: index - by, id: `${index}` }))
        const list = createSortedList([])
        for (const entry of entries) list.insert(entry)
        expect([...list.ascending(() => false)]).toEqual(entries.sort(compareEntries))
      }),
      { numRuns: runsOf(20) },
    )
  })

  it('grows far beyond one chunk and shrinks to nothing', () => {
    const list = createSortedList([])
    const entries = Array.from({ length: 5_000 }, (_, index) => ({
      key: (index * 7_919) % 5_000,
      id: '',
    }))
    for (const entry of entries) list.insert(entry)
    const keys = [...list.ascending(() => false)].map(({ key }) => key)
    expect(keys).toEqual(Array.from({ length: 5_000 }, (_, index) => index))
    for (const entry of entries.slice(1)) list.delete(entry)
    expect([...list.descending(() => true)]).toEqual(entries.slice(0, 1))
    for (const entry of entries) list.delete(entry)
    expect([...list.ascending(() => false)]).toEqual([])
    list.insert({ key: 3, id: 'again' })
    expect([...list.ascending(above(3))]).toHaveLength(1)
  })
})
