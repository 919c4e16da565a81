import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import { GatehouseError } from '../errors.ts'
import { silentLogger } from '../logger.ts'
import { createManualClock } from '../testing/manual-clock.ts'
import { defineCollection } from './collection.ts'
import { keepRefusedWrites } from './refused-writes.ts'
import type { Storage } from './storage.ts'
import { createView } from './view.ts'

const timers = defineCollection<{ dueAt: number }>({ name: 'timers', feed: true })
const alerts = defineCollection<{ text: string }>({ name: 'alerts' })

const full = (): Error =>
  new GatehouseError('ServiceUnavailable', 'StorageFull', 'the disk is full')

function setUp() {
  const clock = createManualClock()
  const below = createMemoryStorage({ clock })
  const counts: number[] = []
  const lines: string[] = []
  let isFull = false
  const refusing: Storage = {
    ...below,
    commit: (writes) => (isFull ? Promise.reject(full()) : below.commit(writes)),
  }
  const storage = keepRefusedWrites(refusing, {
    collections: [timers],
    clock,
    logger: {
      ...silentLogger,
      warn: (_, message) => void lines.push(message),
      info: (_, message) => void lines.push(message),
    },
    onKept: (count) => void counts.push(count),
  })
  /** The records that a view of the storage shows. */
  const shown = new Map<string, number>()
  const view = createView({
    storage,
    clock,
    collection: timers,
    projection: {
      clear: () => shown.clear(),
      put: ({ id, value }) => void shown.set(id, value.dueAt),
      remove: (id) => void shown.delete(id),
    },
  })
  const become = (next: boolean): void => {
    isFull = next
    clock.advance(1_000)
  }
  const see = async (): Promise<Record<string, number>> => {
    await view.refresh()
    return Object.fromEntries(shown)
  }
  return { clock, below, storage, counts, lines, become, see }
}

describe('while the storage refuses writes', () => {
  it('keeps, reads, follows and checks writes as if they were stored', async () => {
    const { storage, below, become, see, lines, counts } = setUp()
    const [first = ''] = await storage.commit([timers.write('a', { dueAt: 1 })])
    expect(await see()).toEqual({ a: 1 })
    become(true)
    const [second = ''] = await storage.commit([timers.write('a', { dueAt: 2 }, { if: first })])
    await storage.commit([timers.write('b', { dueAt: 3 }, { if: 'absent' })])
    expect(await see()).toEqual({ a: 2, b: 3 })
    for (const version of [first, 'absent']) {
      const again = storage.commit([timers.write('a', { dueAt: 9 }, { if: version })])
      await expect(again).rejects.toMatchObject({ reason: 'StorageConflict' })
    }
    await storage.commit([timers.write('a', { dueAt: 4 }, { if: second }), timers.remove('b')])
    expect((await timers.get(storage, 'a'))?.value).toEqual({ dueAt: 4 })
    expect(await see()).toEqual({ a: 4 })
    expect((await timers.get(below, 'a'))?.value).toEqual({ dueAt: 1 })
    expect(lines).toHaveLength(1)
    expect(counts.at(-1)).toBe(2)
  })

  it('refuses writes to other collections', async () => {
    const { storage, become } = setUp()
    become(true)
    const mixed = [alerts.write('a', { text: '' }), timers.write('a', { dueAt: 1 })]
    await expect(storage.commit(mixed)).rejects.toMatchObject({ reason: 'StorageFull' })
    expect(await timers.get(storage, 'a')).toBeUndefined()
  })

  it('expires kept records', async () => {
    const { storage, become, clock } = setUp()
    become(true)
    const expiresAt = clock.now() + 10
    await storage.commit([timers.write('a', { dueAt: 1 }, { expiresAt })])
    clock.advance(10)
    expect(await timers.get(storage, 'a')).toBeUndefined()
    await storage.commit([timers.write('a', { dueAt: 2 }, { if: 'absent' })])
    expect((await timers.get(storage, 'a'))?.value).toEqual({ dueAt: 2 })
  })
})

describe('once the storage accepts writes again', () => {
  it('stores the kept writes, even without a new write, and still accepts the versions given meanwhile', async () => {
    const { storage, below, become, see, lines, counts } = setUp()
    become(true)
    const [version = ''] = await storage.commit([timers.write('a', { dueAt: 1 })])
    await storage.commit([timers.write('gone', { dueAt: 1 })])
    await storage.commit([timers.remove('gone')])
    expect(await see()).toEqual({ a: 1 })
    become(false)
    expect(await see()).toEqual({ a: 1 })
    expect((await timers.get(below, 'a'))?.value).toEqual({ dueAt: 1 })
    expect(await timers.get(below, 'gone')).toBeUndefined()
    await storage.commit([timers.write('a', { dueAt: 2 }, { if: version })])
    expect((await timers.get(below, 'a'))?.value).toEqual({ dueAt: 2 })
    expect(await see()).toEqual({ a: 2 })
    expect(lines).toHaveLength(2)
    expect(counts.at(-1)).toBe(0)
  })

  it('leaves what another process stored meanwhile', async () => {
    const { storage, below, become, see } = setUp()
    await storage.commit([timers.write('a', { dueAt: 1 }), timers.write('b', { dueAt: 1 })])
    become(true)
    await storage.commit([timers.write('a', { dueAt: 2 }), timers.write('b', { dueAt: 2 })])
    await below.commit([timers.write('a', { dueAt: 7 })])
    expect(await see()).toEqual({ a: 2, b: 2 })
    become(false)
    expect(await see()).toEqual({ a: 7, b: 2 })
    expect((await timers.get(below, 'b'))?.value).toEqual({ dueAt: 2 })
  })

  it('survives another full disk', async () => {
    const { storage, below, become, see } = setUp()
    for (let round = 1; round <= 3; round++) {
      become(true)
      await storage.commit([timers.write('a', { dueAt: round })])
      expect(await see()).toEqual({ a: round })
      become(false)
      expect(await see()).toEqual({ a: round })
      expect((await timers.get(below, 'a'))?.value).toEqual({ dueAt: round })
    }
  })
})
