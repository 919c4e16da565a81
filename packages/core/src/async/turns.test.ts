import { describe, expect, it } from 'vitest'
import { createTurns, type Turns } from './turns.ts'

interface Work {
  /** The ids of the work that has begun, in order. */
  readonly begun: readonly string[]
  add(id: string, options?: { receiver?: string; key?: string }): void
  /** Ends the work of an id, and waits for everything that follows from it. */
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
  it('run work in order of arrival, with a limit for each receiver', async () => {
    const work = workOf(createTurns({ places: 2 }))
    for (const id of ['a', 'b', 'c', 'd']) work.add(id)
    work.add('other', { receiver: 's' })
    expect(work.begun).toEqual(['a', 'b', 'other'])
    await work.end('b')
    await work.end('a')
    expect(work.begun).toEqual(['a', 'b', 'other', 'c', 'd'])
  })

  it('run work once if its id is added again while it waits', async () => {
    const work = workOf(createTurns({ places: 1 }))
    for (const id of ['a', 'b', 'b']) work.add(id)
    for (const id of ['a', 'b']) await work.end(id)
    expect(work.begun).toEqual(['a', 'b'])
  })

  it('run work once more if its id is added again while it runs', async () => {
    const work = workOf(createTurns({ places: 2 }))
    for (const id of ['a', 'a', 'a']) work.add(id)
    expect(work.begun).toEqual(['a'])
    await work.end('a')
    expect(work.begun).toEqual(['a', 'a'])
    await work.end('a')
    expect(work.begun).toEqual(['a', 'a'])
  })

  it('run work with the same key one at a time, without delaying other work', async () => {
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

  it('run all work, however much waits', async () => {
    const turns = createTurns({ places: 1 })
    let done = 0
    for (let id = 0; id < 5_000; id++) {
      turns.add({ id: `${id}`, receiver: 'r', key: `${id % 7}` }, async () => void done++)
    }
    await expect.poll(() => done).toBe(5_000)
  })

  it('start no work once they are closed, and wait for running work', async () => {
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
