import type { Storage } from '@gatehouse/core'
import type { Collection } from '@gatehouse/core/store'
import { createMemoryStorage } from '@gatehouse/store-memory'

/**
 * A storage for a trial: it has the records of `stored`, takes and refuses writes as that would, and keeps them in memory. A record
 * is copied when it is first read or written.
 */
export function createTrialStorage(stored: Storage): Storage {
  const trial = createMemoryStorage()
  const copied = new Set<string>()
  const copy = async (collection: Collection, ids: readonly string[]): Promise<void> => {
    const missing = [...new Set(ids)].filter((id) => !copied.has(keyOf(collection, id)))
    if (missing.length === 0) return
    const found = await stored.get(collection, missing)
    for (const id of missing) copied.add(keyOf(collection, id))
    await trial.commit(
      found.flatMap((record) => {
        if (record === undefined) return []
        const { id, value, expiresAt } = record
        return [{ collection, id, value, ...(expiresAt === undefined ? {} : { expiresAt }) }]
      }),
    )
  }
  return {
    async get(collection, ids) {
      await copy(collection, ids)
      return trial.get(collection, ids)
    },
    async find(collection, query) {
      const found = await stored.find(collection, query)
      await copy(
        collection,
        found.map(({ id }) => id),
      )
      return trial.find(collection, query)
    },
    async commit(writes) {
      for (const { collection, id } of writes) await copy(collection, [id])
      return trial.commit(writes)
    },
    changes: (collection, since) => trial.changes(collection, since),
    async close() {
      await trial.close()
      await stored.close()
    },
  }
}

const keyOf = ({ name }: Collection, id: string): string => `${name} ${id}`
