import { letOthersRun } from '../async/end-of-turn.ts'
import type { Write } from '../storage/storage.ts'
import type { HistoryContext } from './history-context.ts'

/** Creates the write of a record. Called once, when it is about to be written. */
export type MakeRecord = () => Write

/** Buffers records until they are written, up to a limit. */
export interface HistoryWriter {
  /** Adds a record to the buffer. It is dropped if the buffer is full, and ignored if its key is already in the buffer. */
  add(make: MakeRecord, key?: string): void
  /** The free places in the buffer. */
  readonly room: number
  /** The number of buffered records. */
  readonly waiting: number
  /**
   * Writes everything in the buffer, a batch at a time.
   *
   * @throws {GatehouseError} if the storage does not accept the records: these stay in the buffer.
   */
  write(): Promise<void>
  /** Discards the buffer. */
  drop(): void
}

/** The most buffered records: they are small, because they share the texts of their alerts. */
const maxWaiting = 50_000
/** Some stores sweep a few dozen expired records with each commit: much larger commits would leave expired records behind. */
const usualBatch = 64
/** With many buffered records, larger commits are faster. */
const maxBatch = 1_000

/** A buffered record; once created it does not change, so that writing it twice has the effect of once. */
interface Waiting {
  readonly make: MakeRecord
  made?: Write
}

/** Creates an empty writer. */
export function createHistoryWriter({
  storage,
  logger,
  historyMetrics,
}: HistoryContext): HistoryWriter {
  const { waiting: shown, written, dropped } = historyMetrics
  const waiting = new Map<string | number, Waiting>()
  let taken = 0
  /** Whether lost records were logged since the buffer was last empty. */
  let isOverfull = false

  const commit = async (batch: readonly (readonly [string | number, Write])[]): Promise<void> => {
    try {
      await storage.commit(batch.map(([, record]) => record))
      for (const [, { collection }] of batch) written.add(1, { collection: collection.name })
    } catch (error) {
      // A retry would fail in the same way and block all records behind it.
      if (!(error instanceof TypeError)) throw error
      dropped.add(batch.length)
      logger.error({ error: String(error), lost: batch.length }, 'the storage refuses history')
    }
    for (const [key] of batch) waiting.delete(key)
    shown.count = waiting.size
  }

  const firstWaiting = (size: number): (readonly [string | number, Write])[] => {
    const batch: (readonly [string | number, Write])[] = []
    for (const [key, one] of waiting) {
      one.made ??= one.make()
      batch.push([key, one.made])
      if (batch.length >= size) break
    }
    return batch
  }

  return {
    add(make, key = '') {
      if (waiting.has(key)) return
      if (waiting.size >= maxWaiting) {
        dropped.add(1)
        if (!isOverfull)
          logger.warn({ waiting: waiting.size }, 'history is lost: too many records wait')
        isOverfull = true
        return
      }
      waiting.set(key === '' ? taken++ : key, { make })
      shown.count = waiting.size
    },

    get room() {
      return maxWaiting - waiting.size
    },

    get waiting() {
      return waiting.size
    },

    async write() {
      const size = Math.ceil(Math.min(Math.max(usualBatch, waiting.size / 5), maxBatch))
      // Records that arrive meanwhile wait for the next time: together they need fewer commits.
      for (let left = waiting.size; left > 0; left -= size) {
        await commit(firstWaiting(Math.min(size, left)))
        await letOthersRun()
      }
      isOverfull = waiting.size >= maxWaiting
    },

    drop() {
      if (waiting.size === 0) return
      dropped.add(waiting.size)
      logger.error({ lost: waiting.size }, 'history is lost: it could not be written')
      waiting.clear()
      shown.count = 0
    },
  }
}
