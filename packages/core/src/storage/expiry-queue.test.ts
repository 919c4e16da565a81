import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createExpiryQueue } from './expiry-queue.ts'

describe('createExpiryQueue', () => {
  it('returns ids that expire at or before now, the earliest first, once', () => {
    const queue = createExpiryQueue()
    queue.set('b', 20)
    queue.set('a', 10)
    queue.set('c', 21)
    expect(queue.takeExpired(9)).toEqual([])
    expect(queue.takeExpired(20)).toEqual(['a', 'b'])
    expect(queue.takeExpired(20)).toEqual([])
    expect(queue.takeExpired(21)).toEqual(['c'])
  })

  it('uses the expiry that was set last', () => {
    const queue = createExpiryQueue()
    queue.set('later', 10)
    queue.set('later', 30)
    queue.set('never', 10)
    queue.set('never', undefined)
    queue.set('back', 30)
    queue.set('back', 10)
    expect(queue.takeExpired(20)).toEqual(['back'])
    expect(queue.takeExpired(40)).toEqual(['later'])
  })

  it('takes at most the requested number and keeps the rest', () => {
    const queue = createExpiryQueue()
    for (const id of ['a', 'b', 'c']) queue.set(id, 1)
    expect(queue.takeExpired(1, 2)).toEqual(['a', 'b'])
    expect(queue.takeExpired(1, 2)).toEqual(['c'])
  })

  it('returns ids that expire together in the order in which they were set', () => {
    const queue = createExpiryQueue()
    const ids = Array.from({ length: 1_000 }, (_, i) => `${(i * 7_919) % 1_000}`)
    for (const id of ids) queue.set(id, 2)
    for (let i = 0; i < 4_000; i++) queue.set('often', i % 2)
    queue.set('often', undefined)
    expect(queue.takeExpired(2)).toEqual(ids)
  })

  it('returns the same as a sorted list, for any sequence of calls', () => {
    const step = fc.oneof(
      fc.record({
        id: fc.integer({ min: 0, max: 20 }),
        at: fc.option(fc.integer({ min: 0, max: 50 })),
      }),
      fc.record({ now: fc.integer({ min: 0, max: 50 }) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 3_000 }), (steps) => {
        const queue = createExpiryQueue()
        const model = new Map<string, number>()
        for (const it of steps) {
          if ('now' in it) {
            const due = [...model].filter(([, at]) => at <= it.now).map(([id]) => id)
            for (const id of due) model.delete(id)
            expect([...queue.takeExpired(it.now)].sort()).toEqual(due.sort())
          } else {
            queue.set(`${it.id}`, it.at ?? undefined)
            if (it.at === null) model.delete(`${it.id}`)
            else model.set(`${it.id}`, it.at)
          }
        }
      }),
    )
  })
})
