import { createMemoryStorage } from '@gatehouse/store-memory'
import { expect, it } from 'vitest'
import type { Storage, Write } from '../../../storage/storage.ts'
import { systemClock } from '../../../time/clock.ts'
import { logCollection, type StoredLog } from '../log/log.ts'
import { createFlushStore } from './flush-store.ts'

const log: StoredLog = { integrations: {} }
const write = (id: string, version: string): Write => logCollection.write(id, log, { if: version })

/** A storage in memory that counts its commits and reads. */
function counting(): { storage: Storage; calls: string[] } {
  const storage = createMemoryStorage()
  const calls: string[] = []
  return {
    calls,
    storage: {
      ...storage,
      get(collection, ids) {
        calls.push(`get ${ids.join()}`)
        return storage.get(collection, ids)
      },
      commit(writes) {
        calls.push(`commit ${writes.map(({ id }) => id).join()}`)
        return storage.commit(writes)
      },
    },
  }
}

it('combines concurrent writes of flushes into one commit, and returns each its own versions', async () => {
  const { storage, calls } = counting()
  const store = createFlushStore(storage, { clock: systemClock, onRead: () => {} })
  const versions = await Promise.all([
    store.end([write('a', 'absent'), write('b', 'absent')]),
    store.end([write('c', 'absent')]),
  ])
  expect(calls).toEqual(['commit a,b,c'])
  const records = await Promise.all(['a', 'b', 'c'].map(store.log))
  expect(calls.at(-1)).toBe('get a,b,c')
  expect(records.map((record) => record?.version)).toEqual(versions.flat())
})

it('lets other flushes begin if one cannot', async () => {
  const { storage, calls } = counting()
  const store = createFlushStore(storage, { clock: systemClock, onRead: () => {} })
  const results = await Promise.allSettled([
    store.begin([write('a', 'absent')]),
    store.begin([write('b', 'absent'), write('c', 'other')]),
    store.begin([write('d', 'absent')]),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(calls).toEqual(['commit a,b,c,d', 'commit a', 'commit b,c', 'commit d'])
  const records = await storage.get(logCollection, ['a', 'b', 'c', 'd'])
  expect(records.map((record) => record?.id)).toEqual(['a', undefined, undefined, 'd'])
})
