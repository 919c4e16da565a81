import { describe, expect, it } from 'vitest'
import { createTurns, type Turns } from './turns.ts'

interface Work {
  /** The ids of what began, in this order. */
  readonly begun: readonly string[]
  add(id: string, options?: { receiver?: string; key?: string }): void
  /** Lets what runs under an id come to its end, with everything that follows from it. */
  end(id: string): Promise<void>
}

function workOf(turns: Turns): Work {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    add(id, { receiver = 'r', key = id } = {}) {
      turns.add({ id, receiver, key }, () => {
        begun.push(id)
        return new Promise((resolve) => ends.set(id, resolve))
      })
    },
    async end(id) {
      ends.get(id)?.()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

describe('turns', () => {
  it('come in the order of their coming, so many at once of each receiver', async () => {
    const work = workOf(createTurns({ places: 2 }))
    for (const id of ['a', 'b', 'c', 'd']) work.add(id)
    work.add('other', { receiver: 's' })
    expect(work.begun).toEqual(['a', 'b', 'other'])
    await work.end('b')
    await work.end('a')
    expect(work.begun).toEqual(['a', 'b', 'other', 'c', 'd'])
  })

  it('come once for an id that is added again while it waits', async () => {
    const work = workOf(createTurns({ places: 1 }))
    for (const id of ['a', 'b', 'b']) work.add(id)
    for (const id of ['a', 'b']) await work.end(id)
    expect(work.begun).toEqual(['a', 'b'])
  })

  it('come once more for an id that is added again while it runs', async () => {
    const work = workOf(createTurns({ places: 2 }))
    for (const id of ['a', 'a', 'a']) work.add(id)
    expect(work.begun).toEqual(['a'])
    await work.end('a')
    expect(work.begun).toEqual(['a', 'a'])
    await work.end('a')
    expect(work.begun).toEqual(['a', 'a'])
  })

  it('keep those of a key apart, and nobody else waiting for them', async () => {
    const work = workOf(createTurns({ places: 2 }))
    work.add('a1', { key: 'a' })
    work.add('a2', { key: 'a' })
    work.add('a3', { key: 'a' })
    work.add('b')
    work.add('c')
    expect(work.begun).toEqual(['a1', 'b'])
    await work.end('a1')
    expect(work.begun).toEqual(['a1', 'b', 'a2'])
    await work.end('a2')
    await work.end('b')
    expect(work.begun).toEqual(['a1', 'b', 'a2', 'a3', 'c'])
  })

  it('all come, however many wait', async () => {
    const turns = createTurns({ places: 1 })
    let done = 0
    for (let id = 0; id < 5_000; id++) {
      turns.add({ id: `${id}`, receiver: 'r', key: `${id % 7}` }, async () => void done++)
    }
    await expect.poll(() => done).toBe(5_000)
  })

  it('begin no more once they are closed, and what runs is waited for', async () => {
    const turns = createTurns({ places: 1 })
    const work = workOf(turns)
    work.add('a')
    work.add('b')
    let isClosed = false
    const closed = turns.close().then(() => {
      isClosed = true
    })
    work.add('c')
    await new Promise((resolve) => setImmediate(resolve))
    expect(isClosed).toBe(false)
    await work.end('a')
    await closed
    expect(work.begun).toEqual(['a'])
    await turns.close()
  })
})
