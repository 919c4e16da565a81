import { beforeEach, expect, it } from 'vitest'
import type { TypedRecord } from '../../storage/collection.ts'
import type { Storage } from '../../storage/storage.ts'
import { createView, type View } from '../../storage/view.ts'
import { type StorageFactory, type Thing, things, useStorage } from './harness.ts'

/** Tests that a view on the store stays current. */
export function describeViews(factory: StorageFactory): void {
  const test = useStorage(factory)
  const known = new Map<string, TypedRecord<Thing>>()

  beforeEach(() => known.clear())

  const open = (storage: Storage): View =>
    createView({
      storage,
      collection: things,
      clock: test.clock,
      projection: {
        clear: () => known.clear(),
        put: (record) => known.set(record.id, record),
        remove: (id) => known.delete(id),
      },
    })

  it('holds existing records, and new ones', async () => {
    const { storage } = test
    await storage.commit([things.write('a', { size: 1 }), things.write('b', { size: 1 })])
    const view = open(storage)
    await view.refresh()
    expect([...known.keys()].sort()).toEqual(['a', 'b'])
    await storage.commit([things.write('c', { size: 1 }), things.remove('a')])
    await view.refresh()
    expect([...known.keys()].sort()).toEqual(['b', 'c'])
    expect(known.get('b')).toEqual((await storage.get(things, ['b']))[0])
  })

  it('shows a writer its own write, also while others refresh', async () => {
    const { storage } = test
    const view = open(storage)
    const write = async (id: string): Promise<void> => {
      for (let size = 0; size < 20; size++) {
        await storage.commit([things.write(id, { size })])
        await view.refresh()
        expect(known.get(id)?.value.size).toBe(size)
      }
    }
    await Promise.all(['a', 'b', 'c', 'd'].map(write))
  })

  it('drops a record the moment it expires', async () => {
    const { storage, clock } = test
    const view = open(storage)
    const expiresAt = clock.now() + 1_000
    await storage.commit([things.write('a', {}, { expiresAt }), things.write('b', {})])
    clock.advance(999)
    await view.refresh()
    expect([...known.keys()].sort()).toEqual(['a', 'b'])
    clock.advance(1)
    await view.refresh()
    expect([...known.keys()]).toEqual(['b'])
  })

  it('its revision grows when something has changed, and only then', async () => {
    const { storage } = test
    const view = open(storage)
    await view.refresh()
    const before = view.revision
    await view.refresh()
    expect(view.revision).toBe(before)
    await storage.commit([things.write('a', {})])
    await view.refresh()
    expect(view.revision).toBeGreaterThan(before)
  })
}
