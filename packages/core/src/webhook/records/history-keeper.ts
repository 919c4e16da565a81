import type { Logger } from '../../logger.ts'
import type { Write } from '../../storage/storage.ts'
import { keyCollection, maxKeys } from './dedupe.ts'
import { createNewest, type Newest } from './newest.ts'
import { outputCollection, runCollection } from './run-record.ts'
import { type Trimming, trimKeys, trimRuns } from './trim-records.ts'

/** Keeps the records of finished runs within their limits. */
export interface HistoryKeeper {
  /** Reports that a run of this process has ended. */
  noteEnded(webhookId: string, runId: string): void
  /** Reports that a run of this process took a key. */
  noteKey(webhookId: string, id: string): void
  /** Reads all records, of any process, and removes those over the limit. */
  trim(): Promise<void>
  /** Waits for work in progress. */
  settled(): Promise<void>
}

/** Options of {@link createHistoryKeeper}. */
export interface HistoryKeeperOptions extends Trimming {
  readonly logger: Logger
  readonly maxRuns: () => number
}

/** The most records removed at once; fewer if the history keeps few. */
const maxAtOnce = 64
/** The least number of runs between two reads of all records. */
const leastBetweenLooks = 1_000

/**
 * Creates a {@link HistoryKeeper}. It removes records of this process without reading anything, and reads all records from time
 * to time: after its first run, and then after a multiple of the kept number of runs.
 */
export function createHistoryKeeper(options: HistoryKeeperOptions): HistoryKeeper {
  const { logger, commit, maxRuns } = options
  const ended = createNewest()
  const keys = createNewest()
  let untilLook = 0
  let trimming: Promise<void> | undefined
  const removals = new Set<Promise<void>>()

  const trimAll = async (): Promise<void> => {
    untilLook = Math.max(leastBetweenLooks, 2 * maxRuns())
    const runs = await trimRuns(options, maxRuns())
    const taken = await trimKeys(options)
    if (runs + taken > 0) logger.debug({ runs, keys: taken }, 'records trimmed')
  }

  const trim = (): Promise<void> => {
    trimming ??= trimAll().finally(() => {
      trimming = undefined
    })
    return trimming
  }

  const soon = (work: Promise<unknown>): void => {
    const failed = (error: unknown): void => {
      logger.warn({ error: String(error) }, 'records could not be trimmed')
    }
    const settled = work.then(() => {}, failed).then(() => void removals.delete(settled))
    removals.add(settled)
  }

  const removeOld = (
    newest: Newest,
    keep: number,
    writesOf: (id: string) => readonly Write[],
  ): void => {
    const surplus = Math.min(maxAtOnce, Math.max(1, Math.floor(keep / 8)))
    if (newest.size < keep + surplus) return
    soon(commit(newest.takeOld(keep).flatMap(writesOf)))
  }

  return {
    noteEnded(webhookId, runId) {
      ended.add(webhookId, runId)
      removeOld(ended, maxRuns(), (id) => [runCollection.remove(id), outputCollection.remove(id)])
      if (untilLook-- <= 0) soon(trim())
    },

    noteKey(webhookId, id) {
      keys.add(webhookId, id)
      removeOld(keys, maxKeys, (key) => [keyCollection.remove(key)])
    },

    trim,

    async settled() {
      while (removals.size > 0) await Promise.all(removals)
      await trimming?.catch(() => {})
    },
  }
}
