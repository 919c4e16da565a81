import { letOthersRun } from '../../async/end-of-turn.ts'
import type { Write } from '../../storage/storage.ts'
import type { HistoryContext } from './history-context.ts'

/** Makes a record of what was noticed. Called once, when it is about to be written. */
export type MakeRecord = () => Write

/** Keeps what was noticed until it is written, as far as there is room for it. */
export interface HistoryWriter {
  /** Takes a record to be written. One that has no room is lost; one of a key that waits already is the same as that. */
  add(make: MakeRecord, key?: string): void
  /** How many more have room. */
  readonly room: number
  /** How many wait. */
  readonly waiting: number
  /**
   * Writes all that wait now, a batch at a time.
   *
   * @throws {GatehouseError} if the storage does not take them: what is not written waits on.
   */
  write(): Promise<void>
  /** Gives up what still waits. */
  drop(): void
}

/** So many records wait at most: they are small, for they share the texts of their alerts. */
const mostWaiting = 50_000
/** Some stores sweep a few dozen expired records with each commit: one that wrote many more would leave them behind. */
const usualBatch = 64
/** Where much waits, larger commits take less time. */
const largestBatch = 1_000

/** A record that waits; once made it stays as it is, so that writing it twice is writing it once. */
interface Waiting {
  readonly make: MakeRecord
  made?: Write
}

/** Nothing waits yet. */
export function createHistoryWriter({
  storage,
  logger,
  historyMetrics,
}: HistoryContext): HistoryWriter {
  const { waiting: shown, written, dropped } = historyMetrics
  const waiting = new Map<string | number, Waiting>()
  let taken = 0
  /** Whether it was logged that records are lost, since all were written last. */
  let isOverfull = false

  const commit = async (batch: readonly (readonly [string | number, Write])[]): Promise<void> => {
    try {
      await storage.commit(batch.map(([, record]) => record))
      for (const [, { collection }] of batch) written.add(1, { collection: collection.name })
    } catch (error) {
      // Another attempt would end like this one, and nothing behind it would ever be written.
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
      if (waiting.size >= mostWaiting) {
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
      return mostWaiting - waiting.size
    },

    get waiting() {
      return waiting.size
    },

    async write() {
      const size = Math.ceil(Math.min(Math.max(usualBatch, waiting.size / 5), largestBatch))
      // What is noticed meanwhile waits for the next time: together it takes fewer commits.
      for (let left = waiting.size; left > 0; left -= size) {
        await commit(firstWaiting(Math.min(size, left)))
        await letOthersRun()
      }
      isOverfull = waiting.size >= mostWaiting
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
