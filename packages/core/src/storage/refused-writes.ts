import { oneByOne } from '../async/one-by-one.ts'
import { isGatehouseError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { Clock } from '../time/clock.ts'
import type { ReadableCollection } from './collection.ts'
import { toRecord } from './kept-write.ts'
import { createKeptWrites } from './kept-writes.ts'
import type { Storage, Version, Write } from './storage.ts'

/** Options of {@link keepRefusedWrites}. */
export interface RefusedWritesOptions {
  /** Only commits to these collections alone are kept. */
  collections: readonly ReadableCollection[]
  clock: Clock
  logger: Logger
  /** Called with the number of records kept in memory. */
  onKept: (count: number) => void
}

/** Milliseconds between log lines, if the disk has a little room now and then. */
const logAgainMs = 60_000

/** Error reasons which mean that a commit failed and that the next one will fail too. */
const refusals = new Set(['StorageFull', 'StorageReadOnly'])

/**
 * Wraps a storage so that it goes on in memory while the storage refuses writes, as on a full disk. Refused writes are kept in
 * memory, can be read and followed as if they were stored, and are stored once the storage accepts writes again. If another
 * process has changed a record by then, its change wins. Kept writes are lost when the process ends, and other processes do not
 * see them.
 *
 * Use it only for records whose loss merely repeats work. `find` does not see kept writes.
 */
export function keepRefusedWrites(storage: Storage, options: RefusedWritesOptions): Storage {
  const { collections, clock, onKept } = options
  const outages = createOutageLog(options)
  const memory = createKeptWrites(storage, {
    collections,
    clock,
    onSize(size) {
      onKept(size)
      if (size === 0) outages.ended()
    },
  })
  const inTurn = oneByOne()

  const commitNow = async (writes: readonly Write[]): Promise<readonly Version[]> => {
    try {
      return await storage.commit(memory.asStored(writes))
    } catch (error) {
      if (!isRefusal(error) || !memory.mayKeep(writes)) throw error
      if (memory.size === 0) outages.began(error)
      return memory.keep(writes)
    }
  }

  return {
    async get(collection, ids) {
      const records = await storage.get(collection, ids)
      if (memory.size === 0) return records
      return records.map((record, index) => {
        const entry = memory.find(collection, ids[index] ?? '')
        return entry === undefined ? record : toRecord(entry, clock.now())
      })
    },

    find: (collection, query) => storage.find(collection, query),

    commit(writes) {
      if (memory.size === 0) return commitNow(writes)
      return inTurn(async () => {
        if ((await memory.store()) || !memory.mayKeep(writes)) return commitNow(writes)
        return memory.keep(writes)
      })
    },

    changes(collection, since) {
      if (!memory.follows(collection)) return storage.changes(collection, since)
      return inTurn(memory.store).then(() => memory.changes(collection, since))
    },

    close: () => storage.close(),
  }
}

const isRefusal = (error: unknown): boolean => isGatehouseError(error) && refusals.has(error.reason)

/** Logs when the storage begins to refuse writes, and when it ends, but not too often. */
function createOutageLog({ clock, logger }: Pick<RefusedWritesOptions, 'clock' | 'logger'>) {
  let loggedAt = Number.NEGATIVE_INFINITY
  let isLogged = false
  return {
    began(error: unknown): void {
      const now = clock.monotonic()
      isLogged = now - loggedAt >= logAgainMs
      if (!isLogged) return
      loggedAt = now
      logger.warn(
        { error: String(error) },
        'the storage refuses writes: notifications go on from memory, and may be sent again after a restart',
      )
    },
    ended(): void {
      if (isLogged) logger.info({}, 'the storage accepts writes again: notifications are stored')
    },
  }
}
