import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import { createManualClock, type ManualClock } from '../testing/manual-clock.ts'
import { defineCollection } from './collection.ts'
import {
  createDecisionQueue,
  type Decide,
  type DecideTogether,
  type DecisionQueue,
  type DecisionQueueOptions,
} from './decision-queue.ts'
import { isConflict, type Storage, storageConflict, storageUnavailable } from './storage.ts'

const counters = defineCollection<number>({ name: 'counters' })
const buckets = defineCollection<{ readonly tokens: number }>({ name: 'buckets' })

const increment: Decide<number, number> = (value = 0) => ({ value: value + 1, answer: value + 1 })

interface Opened {
  readonly storage: Storage
  readonly clock: ManualClock
  readonly queue: DecisionQueue<number>
  /** The number of reads and commits of the storage. */
  readonly calls: { gets: number; commits: number }
}

/** Creates a queue over a memory storage. `before` runs before each commit. */
function open(
  options: Partial<DecisionQueueOptions<number>> & { before?: () => Promise<unknown> } = {},
): Opened {
  const { before = async () => {}, ...rest } = options
  const clock = createManualClock()
  const storage = createMemoryStorage({ clock })
  const calls = { gets: 0, commits: 0 }
  const counted: Storage = {
    ...storage,
    get(collection, ids) {
      calls.gets++
      return storage.get(collection, ids)
    },
    async commit(writes) {
      calls.commits++
      await before()
      return storage.commit(writes)
    },
  }
  const queue = createDecisionQueue({ storage: counted, collection: counters, clock, ...rest })
  return { storage, clock, queue, calls }
}

const many = <T>(count: number, call: (index: number) => Promise<T>): Promise<T>[] =>
  Array.from({ length: count }, (_, index) => call(index))

describe('createDecisionQueue', () => {
  it('handles simultaneous calls in one commit, in the order of the calls', async () => {
    const { storage, queue, calls } = open()
    const answers = await Promise.all(many(100, () => queue.decide('a', increment)))
    expect(answers).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
    expect(calls).toEqual({ gets: 0, commits: 1 })
    expect((await counters.get(storage, 'a'))?.value).toBe(100)
  })

  it('handles calls made meanwhile in the next commit', async () => {
    const late: Promise<number>[] = []
    const before = async (): Promise<void> => {
      if (late.length === 0) late.push(...many(10, () => queue.decide('a', increment)))
    }
    const { storage, queue, calls } = open({ before })
    expect(await queue.decide('a', increment)).toBe(1)
    expect(await Promise.all(late)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(calls.commits).toBe(2)
    expect((await counters.get(storage, 'a'))?.value).toBe(11)
  })

  it('lets no call wait for the record of another', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { queue } = open({ before: () => (queue.waiting > 1 ? held : Promise.resolve()) })
    const slow = many(2, () => queue.decide('slow', increment))
    await new Promise((resolve) => setImmediate(resolve))
    expect(queue.waiting).toBe(2)
    const other = queue.decide('other', (value) => ({ value, answer: 'left alone' }))
    expect(await other).toBe('left alone')
    release()
    expect(await Promise.all(slow)).toEqual([1, 2])
  })

  it('decides again on a value written by another process', async () => {
    let rounds = 0
    const { storage, queue } = open({
      before: async () => {
        if (++rounds <= 3) await storage.commit([counters.write('a', rounds * 1_000)])
      },
    })
    expect(await Promise.all(many(2, () => queue.decide('a', increment)))).toEqual([3_001, 3_002])
    expect((await counters.get(storage, 'a'))?.value).toBe(3_002)
  })

  it('does not read a record that it wrote itself', async () => {
    const { queue, calls } = open()
    for (let count = 1; count <= 5; count++) expect(await queue.decide('a', increment)).toBe(count)
    expect(calls).toEqual({ gets: 0, commits: 5 })
  })

  it('reads before an answer that stores nothing', async () => {
    const { storage, queue, calls } = open()
    const look: Decide<number, unknown> = (value) => ({ value, answer: value })
    await queue.decide('a', increment)
    await storage.commit([counters.write('a', 7), counters.write('b', 8)])
    expect(await queue.decide('a', look)).toBe(7)
    expect(await queue.decide('b', look)).toBe(8)
    expect(calls).toEqual({ gets: 2, commits: 1 })
  })

  it('reads a record first while other processes change it too', async () => {
    const { storage, queue, calls } = open()
    const other = createDecisionQueue({ storage, collection: counters, clock: createManualClock() })
    for (let round = 0; round < 5; round++) {
      expect(await queue.decide('a', increment)).toBe(2 * round + 1)
      expect(await other.decide('a', increment)).toBe(2 * round + 2)
    }
    // One commit failed, then each decision took a read and a commit.
    expect(calls).toEqual({ gets: 4, commits: 6 })
  })

  it('rejects only the call whose decision throws', async () => {
    const { storage, queue, calls } = open()
    const refused = new Error('refused')
    const results = await Promise.allSettled([
      queue.decide('a', increment),
      queue.decide('a', () => {
        throw refused
      }),
      queue.decide('a', increment),
    ])
    expect(results).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: refused },
      { status: 'fulfilled', value: 2 },
    ])
    expect(calls.commits).toBe(1)
    expect((await counters.get(storage, 'a'))?.value).toBe(2)
  })

  it('rejects only the call whose decision cannot be stored', async () => {
    const { storage, queue } = open()
    const wrong = [
      queue.decide('a', () => ({ value: Number.NaN, answer: 0 })),
      queue.decide('a', () => ({ value: 1, expiresAt: Number.NaN, answer: 0 })),
    ]
    const right = queue.decide('a', increment)
    for (const one of wrong) await expect(one).rejects.toThrow(TypeError)
    expect(await right).toBe(1)
    expect((await counters.get(storage, 'a'))?.value).toBe(1)
    await expect(queue.decide('', increment)).rejects.toThrow('cannot have this id')
  })

  it('rejects all calls of a batch when the storage fails, and then goes on', async () => {
    const down = storageUnavailable('down')
    let isDown = true
    const { queue } = open({ before: () => (isDown ? Promise.reject(down) : Promise.resolve()) })
    const results = await Promise.allSettled(many(3, () => queue.decide('a', increment)))
    expect(results.map((result) => 'reason' in result && result.reason)).toEqual([down, down, down])
    isDown = false
    expect(await queue.decide('a', increment)).toBe(1)
  })

  it('gives up with the conflict when other processes are faster every time', async () => {
    const conflict = storageConflict(counters, 'a')
    const { queue, calls } = open({
      before: () => Promise.reject(conflict),
      retry: { attempts: 5, sleep: async () => {} },
    })
    const waiting = many(2, () => queue.decide('a', increment))
    for (const one of waiting) await expect(one).rejects.toSatisfy(isConflict)
    expect(calls.commits).toBe(5)
  })

  it('writes nothing if nothing changed', async () => {
    const { storage, clock, queue, calls } = open()
    const expiresAt = clock.now() + 5
    const [version] = await storage.commit([counters.write('a', 7, { expiresAt })])
    const look: Decide<number, string> = (value, until) => ({
      value,
      expiresAt: until,
      answer: `${value} until ${until}`,
    })
    expect(await queue.decide('a', look)).toBe(`7 until ${expiresAt}`)
    expect(await queue.decide('b', look)).toBe('undefined until undefined')
    expect(calls.commits).toBe(0)
    expect((await counters.get(storage, 'a'))?.version).toBe(version)
  })

  it('stores when a record expires, and when it no longer does', async () => {
    const { storage, clock, queue } = open()
    const until = (expiresAt?: number): Promise<number> =>
      queue.decide('a', (value = 0) => ({ value: value + 1, expiresAt, answer: value + 1 }))
    await until(clock.now() + 10)
    expect(await counters.get(storage, 'a')).toMatchObject({ expiresAt: clock.now() + 10 })
    clock.advance(9)
    expect(await until(clock.now() + 1)).toBe(2)
    clock.advance(1)
    expect(await until()).toBe(1)
    clock.advance(1_000)
    expect(await until()).toBe(2)
  })

  it('treats a value that has expired meanwhile as absent in the next decision', async () => {
    const { storage, clock, queue } = open()
    await storage.commit([counters.write('a', 7)])
    const spent = queue.decide('a', () => ({ value: 0, expiresAt: clock.now(), answer: 'spent' }))
    const next = queue.decide('a', (value) => ({ value, answer: value }))
    expect(await Promise.all([spent, next])).toEqual(['spent', undefined])
    expect(await counters.get(storage, 'a')).toBeUndefined()
  })

  it('removes a record, and lets the next decision create it again', async () => {
    const { storage, queue } = open()
    await storage.commit([counters.write('a', 7), counters.write('b', 7)])
    const remove: Decide<number, unknown> = (value) => ({ value: undefined, answer: value })
    expect(await queue.decide('a', remove)).toBe(7)
    expect(await counters.get(storage, 'a')).toBeUndefined()
    const both = [queue.decide('b', remove), queue.decide('b', increment)]
    expect(await Promise.all(both)).toEqual([7, 1])
    expect((await counters.get(storage, 'b'))?.value).toBe(1)
  })

  it('refuses a call when too many wait for a record', async () => {
    const { queue } = open({ limit: 3 })
    const waiting = many(3, () => queue.decide('a', increment))
    await expect(queue.decide('a', increment)).rejects.toMatchObject({
      kind: 'ServiceUnavailable',
      reason: 'DecisionQueueFull',
      info: { collection: 'counters', id: 'a', limit: 3 },
    })
    expect(await queue.decide('b', increment)).toBe(1)
    expect(await Promise.all(waiting)).toEqual([1, 2, 3])
    expect(await Promise.all(many(3, () => queue.decide('a', increment)))).toEqual([4, 5, 6])
  })

  it('has room for a call made right after an answer', async () => {
    const { storage, queue } = open({ limit: 5 })
    const goOn = async (): Promise<void> => {
      for (let round = 0; round < 20; round++) await queue.decide('a', increment)
    }
    await Promise.all(many(5, goOn))
    expect((await counters.get(storage, 'a'))?.value).toBe(100)
  })

  it('has no waiting calls once all are answered, whatever the answer', async () => {
    const { storage, queue } = open()
    const waiting = many(50, (index) => queue.decide(`${index % 10}`, increment))
    expect(queue.waiting).toBe(50)
    await Promise.all(waiting)
    expect(queue.waiting).toBe(0)
    await storage.close()
    await expect(queue.decide('a', increment)).rejects.toMatchObject({ reason: 'StorageClosed' })
    expect(queue.waiting).toBe(0)
  })

  it('loses nothing between two queues on one storage', async () => {
    const { storage, clock, queue } = open()
    const other = createDecisionQueue({ storage, collection: counters, clock })
    const answers = await Promise.all(
      many(60, (index) => (index % 2 === 0 ? queue : other).decide('a', increment)),
    )
    expect(new Set(answers).size).toBe(60)
    expect((await counters.get(storage, 'a'))?.value).toBe(60)
  })

  it('spends no more than there is', async () => {
    const { storage, clock } = open()
    await storage.commit([buckets.write('a', { tokens: 3 })])
    const queue = createDecisionQueue({ storage, collection: buckets, clock })
    const spend: Decide<{ readonly tokens: number }, boolean> = (bucket) => {
      if (bucket === undefined || bucket.tokens === 0) return { value: bucket, answer: false }
      return { value: { tokens: bucket.tokens - 1 }, answer: true }
    }
    const answers = await Promise.all(many(5, () => queue.decide('a', spend)))
    expect(answers).toEqual([true, true, true, false, false])
  })

  describe('for several records', () => {
    /** Moves one from the first record to the second, if there is one. */
    const move: DecideTogether<number, boolean> = ([from, to]) => {
      const [left = 0, there = 0] = [from?.value, to?.value]
      const contents = left > 0 ? [{ value: left - 1 }, { value: there + 1 }] : [from, to]
      return { contents: contents.map((one) => one ?? { value: undefined }), answer: left > 0 }
    }
    const valuesOf = async (storage: Storage, ...ids: string[]): Promise<unknown[]> =>
      (await counters.getAll(storage, ids)).map((record) => record?.value)

    it('stores a decision for all of them in one commit', async () => {
      const { storage, queue, calls } = open()
      await queue.decide('a', increment)
      expect(await queue.decideTogether(['a', 'b'], move)).toBe(true)
      expect(await queue.decideTogether(['a', 'b'], move)).toBe(false)
      expect(await valuesOf(storage, 'a', 'b')).toEqual([0, 1])
      expect(calls).toEqual({ gets: 1, commits: 2 })
    })

    it('keeps the order of calls that share a record, and their sum', async () => {
      const { storage, queue } = open()
      await storage.commit(['a', 'b', 'c'].map((id) => counters.write(id, 10)))
      const ids = ['a', 'b', 'c', 'd']
      const moves = many(60, (index) =>
        queue.decideTogether([ids[index % 3] ?? '', ids[(index % 3) + 1] ?? ''], move),
      )
      await Promise.all([
        ...moves,
        ...many(20, (index) => queue.decide(ids[index % 4] ?? '', increment)),
      ])
      const values = (await valuesOf(storage, ...ids)) as number[]
      expect(values.reduce((sum, value) => sum + value, 0)).toBe(50)
      expect(queue.waiting).toBe(0)
    })

    it('decides again if another process changed a record that stays the same', async () => {
      let rounds = 0
      const { storage, queue } = open({
        before: async () => {
          if (++rounds === 2) await storage.commit([counters.write('limit', 0)])
        },
      })
      await queue.decide('limit', increment)
      const enter: DecideTogether<number, boolean> = ([limit, entered]) => {
        const count = entered?.value ?? 0
        const mayEnter = count < (limit?.value ?? 0)
        const contents = [limit ?? { value: undefined }, { value: mayEnter ? count + 1 : count }]
        return { contents, answer: mayEnter }
      }
      expect(await queue.decideTogether(['limit', 'entered'], enter)).toBe(false)
      expect(await valuesOf(storage, 'limit', 'entered')).toEqual([0, 0])
    })
  })

  it('throws a RangeError for an invalid limit', () => {
    for (const limit of [0, -1, 1.5, Number.NaN]) expect(() => open({ limit })).toThrow(RangeError)
  })
})
