import { createMemoryStorage } from '@gatehouse/store-memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../testing/manual-clock.ts'
import { defineCollection, type TypedRecord } from './collection.ts'
import { type Changes, type Storage, storageUnavailable } from './storage.ts'
import { createView, type View } from './view.ts'

interface Lamp {
  readonly on: boolean
}

const lamps = defineCollection<Lamp>({ name: 'lamps', feed: true })

interface Opened {
  readonly view: View
  /** The content of the projection. */
  readonly known: Map<string, TypedRecord<Lamp>>
  /** The calls of the projection. */
  readonly calls: string[]
}

function open(storage: Storage, clock = createManualClock()): Opened {
  const known = new Map<string, TypedRecord<Lamp>>()
  const calls: string[] = []
  const view = createView({
    storage,
    collection: lamps,
    clock,
    projection: {
      clear() {
        calls.push('clear')
        known.clear()
      },
      put(record) {
        calls.push(`put ${record.id}`)
        known.set(record.id, record)
      },
      remove(id) {
        calls.push(`remove ${id}`)
        known.delete(id)
      },
    },
  })
  return { view, known, calls }
}

/** The given storage with some methods replaced. */
const altered = (storage: Storage, methods: Partial<Storage>): Storage => ({
  ...storage,
  ...methods,
})

/** Holds calls until `letGo()`. */
function createGate(): { pass: () => Promise<void>; letGo: () => void; readonly waiting: number } {
  let held: (() => void)[] = []
  return {
    pass: () => new Promise((resolve) => held.push(resolve)),
    letGo() {
      for (const resolve of held) resolve()
      held = []
    },
    get waiting() {
      return held.length
    },
  }
}

const ticks = async (): Promise<void> => {
  for (let count = 0; count < 20; count++) await undefined
}

describe('a view', () => {
  it('puts written records, and removes removed ones', async () => {
    const storage = createMemoryStorage()
    const { view, calls } = open(storage)
    await storage.commit([lamps.write('a', { on: true }), lamps.write('b', { on: true })])
    await view.refresh()
    await storage.commit([lamps.write('a', { on: false }), lamps.remove('b')])
    await view.refresh()
    await view.refresh()
    expect(calls).toEqual(['put a', 'put b', 'put a', 'remove b'])
  })

  it('passes on the same value objects that were committed', async () => {
    const storage = createMemoryStorage()
    const { view, known } = open(storage)
    const value = { on: true }
    await storage.commit([lamps.write('a', value)])
    await view.refresh()
    expect(known.get('a')?.value).toBe(value)
  })

  it('lets callers during a refresh share the next one, which starts after them', async () => {
    const gate = createGate()
    const memory = createMemoryStorage()
    let asked = 0
    const storage = altered(memory, {
      async changes(collection, since) {
        asked++
        const changes = await memory.changes(collection, since)
        await gate.pass()
        return changes
      },
    })
    const { view, known } = open(storage)
    const first = view.refresh()
    await memory.commit([lamps.write('late', { on: true })])
    const second = view.refresh()
    const third = view.refresh()
    expect(third).toBe(second)
    await ticks()
    gate.letGo()
    await first
    expect([...known.keys()]).toEqual([])
    await ticks()
    gate.letGo()
    await Promise.all([second, third])
    expect([...known.keys()]).toEqual(['late'])
    expect(asked).toBe(2)
  })

  it('never runs two refreshes at once, whenever calls arrive', async () => {
    const memory = createMemoryStorage()
    let running = 0
    let most = 0
    const storage = altered(memory, {
      async changes(collection, since) {
        most = Math.max(most, ++running)
        await undefined
        running--
        return memory.changes(collection, since)
      },
    })
    const { view, known } = open(storage)
    const write = async (id: string): Promise<void> => {
      for (let round = 0; round < 50; round++) {
        const [version] = await memory.commit([lamps.write(id, { on: round % 2 === 0 })])
        await view.refresh()
        expect(known.get(id)?.version).toBe(version)
      }
    }
    await Promise.all(['a', 'b', 'c'].map(write))
    expect(most).toBe(1)
  })

  it('stays unchanged when the storage fails, and continues from there', async () => {
    const memory = createMemoryStorage()
    let isDown = false
    const storage = altered(memory, {
      async changes(collection, since) {
        if (isDown) throw storageUnavailable('down')
        return memory.changes(collection, since)
      },
    })
    const { view, known } = open(storage)
    await memory.commit([lamps.write('a', { on: true })])
    await view.refresh()
    isDown = true
    await memory.commit([lamps.write('b', { on: true })])
    const refreshes = [view.refresh(), view.refresh()]
    for (const refresh of refreshes) {
      await expect(refresh).rejects.toMatchObject({ reason: 'StorageUnavailable' })
    }
    expect([...known.keys()]).toEqual(['a'])
    isDown = false
    await view.refresh()
    expect([...known.keys()]).toEqual(['a', 'b'])
  })

  it('drops expired records, by the expiry that was written last', async () => {
    const clock = createManualClock(0)
    const storage = createMemoryStorage({ clock })
    const { view, known } = open(storage, clock)
    await storage.commit([
      lamps.write('short', { on: true }, { expiresAt: 10 }),
      lamps.write('extended', { on: true }, { expiresAt: 10 }),
      lamps.write('kept', { on: true }, { expiresAt: 10 }),
    ])
    await view.refresh()
    await storage.commit([
      lamps.write('extended', { on: true }, { expiresAt: 20 }),
      lamps.write('kept', { on: true }),
    ])
    clock.setTo(10)
    await view.refresh()
    expect([...known.keys()]).toEqual(['extended', 'kept'])
    clock.setTo(20)
    await view.refresh()
    expect([...known.keys()]).toEqual(['kept'])
  })

  it('holds the same records as the storage, after any sequence of writes', async () => {
    const step = fc.oneof(
      fc.record({ write: fc.nat(8), expiresIn: fc.option(fc.nat(5)) }),
      fc.record({ remove: fc.nat(8) }),
      fc.record({ advance: fc.nat(3) }),
      fc.constant('refresh' as const),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const clock = createManualClock(0)
        const storage = createMemoryStorage({ clock })
        const { view, known } = open(storage, clock)
        for (const it of [...steps, 'refresh' as const]) {
          if (it === 'refresh') {
            await view.refresh()
            const live = await lamps.find(storage, { by: 'id', limit: 100 })
            expect([...known.values()].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(live)
          } else if ('write' in it) {
            const options = it.expiresIn === null ? {} : { expiresAt: clock.now() + it.expiresIn }
            await storage.commit([lamps.write(`${it.write}`, { on: true }, options)])
          } else if ('remove' in it) {
            await storage.commit([lamps.remove(`${it.remove}`)])
          } else {
            clock.advance(it.advance)
          }
        }
      }),
    )
  })
})

describe('a view whose feed no longer reaches back', () => {
  /** A storage whose feed answers the first `resets` calls with a reset. */
  function resetting(memory: Storage, resets: number): Storage {
    let left = resets
    return altered(memory, {
      async changes(collection, since): Promise<Changes> {
        if (left-- <= 0) return memory.changes(collection, since)
        const { revision } = await memory.changes(collection, Number.MAX_SAFE_INTEGER)
        return { reset: true, revision }
      },
    })
  }

  const fill = (storage: Storage, count: number): Promise<unknown> =>
    storage.commit(
      Array.from({ length: count }, (_, index) => lamps.write(`${index}`, { on: true })),
    )

  it('reads the collection page by page', async () => {
    const memory = createMemoryStorage()
    await fill(memory, 2_500)
    const limits: number[] = []
    const storage = altered(resetting(memory, 1), {
      find(collection, query) {
        limits.push(query.limit)
        return memory.find(collection, query)
      },
    })
    const { view, known, calls } = open(storage)
    await view.refresh()
    expect(known.size).toBe(2_500)
    expect(calls[0]).toBe('clear')
    expect(limits).toHaveLength(3)
  })

  it('shows the old state until the new one is complete, including changes made meanwhile', async () => {
    const gate = createGate()
    const memory = createMemoryStorage()
    await fill(memory, 3)
    const storage = altered(resetting(memory, 1), {
      async find(collection, query) {
        const found = await memory.find(collection, query)
        await gate.pass()
        return found
      },
    })
    const { view, known } = open(storage)
    const refreshed = view.refresh()
    await ticks()
    expect(gate.waiting).toBe(1)
    await memory.commit([lamps.write('new', { on: true }), lamps.remove('1')])
    expect(known.size).toBe(0)
    gate.letGo()
    await refreshed
    expect([...known.keys()].sort()).toEqual(['0', '2', 'new'])
  })

  it('forgets records that no longer exist', async () => {
    const memory = createMemoryStorage()
    await fill(memory, 2)
    let isReset = false
    const storage = altered(memory, {
      changes(collection, since) {
        const asked = isReset ? Number.MAX_SAFE_INTEGER : since
        isReset = false
        return memory.changes(collection, asked)
      },
    })
    const { view, known } = open(storage)
    await view.refresh()
    await memory.commit([lamps.remove('0')])
    isReset = true
    await view.refresh()
    expect([...known.keys()]).toEqual(['1'])
  })

  it('starts over when the feed is reset meanwhile, up to a limit', async () => {
    const memory = createMemoryStorage()
    await fill(memory, 2)
    const { view, known } = open(resetting(memory, 3))
    await view.refresh()
    expect(known.size).toBe(2)
    const hopeless = open(resetting(memory, Number.POSITIVE_INFINITY))
    await expect(hopeless.view.refresh()).rejects.toMatchObject({ reason: 'StorageUnavailable' })
    expect(hopeless.calls).toEqual([])
  })

  it('recovers at the next refresh when the storage fails midway', async () => {
    const memory = createMemoryStorage()
    await fill(memory, 1_500)
    let pages = 0
    const storage = altered(resetting(memory, 2), {
      async find(collection, query) {
        if (++pages === 2) throw storageUnavailable('down')
        return memory.find(collection, query)
      },
    })
    const { view, known } = open(storage)
    await expect(view.refresh()).rejects.toMatchObject({ reason: 'StorageUnavailable' })
    expect(known.size).toBe(0)
    await view.refresh()
    expect(known.size).toBe(1_500)
  })
})
