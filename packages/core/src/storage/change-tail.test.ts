import { describe, expect, it } from 'vitest'
import { createChangeTail } from './change-tail.ts'
import type { StoredRecord } from './storage.ts'

const record = (id: string, version: number): StoredRecord => ({
  id,
  value: version,
  version: String(version),
})

describe('createChangeTail', () => {
  it('returns no changes since its newest revision', () => {
    const tail = createChangeTail({ from: 7 })
    expect(tail.since(7)).toEqual({ revision: 7, written: [], removed: [] })
  })

  it('does not reach back before its beginning, nor beyond its end', () => {
    const tail = createChangeTail({ from: 7 })
    expect(tail.since(6)).toBeUndefined()
    expect(tail.since(8)).toBeUndefined()
  })

  it('returns the same objects that were added', () => {
    const tail = createChangeTail()
    const a = record('a', 3)
    tail.append(3, [a], ['x'])
    expect(tail.since(0)?.written[0]).toBe(a)
    expect(tail.since(0)).toEqual({ revision: 3, written: [a], removed: ['x'] })
    expect(tail.since(2)).toEqual(tail.since(0))
  })

  it('returns the last state of each id, once', () => {
    const tail = createChangeTail()
    tail.append(1, [record('a', 1), record('b', 1), record('c', 1)], [])
    tail.append(4, [record('a', 4)], ['b'])
    tail.append(9, [record('b', 9)], ['c'])
    expect(tail.since(0)).toEqual({
      revision: 9,
      written: [record('a', 4), record('b', 9)],
      removed: ['c'],
    })
    expect(tail.since(1)).toEqual(tail.since(3))
    expect(tail.since(4)).toEqual({ revision: 9, written: [record('b', 9)], removed: ['c'] })
  })

  it('drops its oldest commits beyond the limit, and no longer reaches back to them', () => {
    const tail = createChangeTail({ limit: 400 })
    for (let revision = 1; revision <= 1_000; revision++) {
      tail.append(revision, [record('a', revision)], [])
    }
    expect(tail.since(799)).toBeUndefined()
    expect(tail.since(800)).toEqual({ revision: 1_000, written: [record('a', 1_000)], removed: [] })
  })

  it('keeps the newest commit whatever its size', () => {
    const tail = createChangeTail({ limit: 2 })
    tail.append(1, [record('a', 1)], [])
    tail.append(2, [record('a', 2), record('b', 2), record('c', 2)], [])
    expect(tail.since(0)).toBeUndefined()
    expect(tail.since(1)?.written).toHaveLength(3)
  })
})
