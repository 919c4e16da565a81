import { expect, it } from 'vitest'
import { isDescribed } from '../../storage/describe.ts'
import { notes, type StorageFactory, things, useStorage } from './harness.ts'

/** Tests a closed storage. */
export function describeClosing(factory: StorageFactory): void {
  const test = useStorage(factory)

  it('every method but close() rejects with StorageClosed', async () => {
    const { storage } = test
    await storage.commit([things.write('a', { size: 1 })])
    await storage.close()
    const closed = { kind: 'ServiceUnavailable', reason: 'StorageClosed' }
    await expect(storage.get(things, ['a'])).rejects.toMatchObject(closed)
    await expect(storage.find(things, { by: 'size', limit: 1 })).rejects.toMatchObject(closed)
    await expect(storage.commit([things.write('a', {})])).rejects.toMatchObject(closed)
    await expect(storage.commit([])).rejects.toMatchObject(closed)
    await expect(storage.changes(things, 0)).rejects.toMatchObject(closed)
    if (isDescribed(storage)) await expect(storage.describe()).rejects.toMatchObject(closed)
  })

  it('a second close() does nothing', async () => {
    const { storage } = test
    await storage.close()
    await storage.close()
    await Promise.all([storage.close(), storage.close()])
  })

  it('close() waits for pending operations', async () => {
    const { storage } = test
    const commits = Array.from({ length: 20 }, (_, index) =>
      storage.commit([notes.write(`${index}`, index)]),
    )
    await storage.close()
    expect(await Promise.all(commits)).toHaveLength(20)
  })
}
