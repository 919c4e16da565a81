import type { Logger } from '../../logger.ts'
import type { Write } from '../../storage/storage.ts'
import { keyCollection, maxKeys } from './dedupe.ts'
import { createNewest, type Newest } from './newest.ts'
import { outputCollection, runCollection } from './run-record.ts'
import { type Trimming, trimKeys, trimRuns } from './trim-records.ts'

/** Holds the records of what is over within their bounds. */
export interface HistoryKeeper {
  /** A run of this process has ended. */
  noteEnded(runId: string): void
  /** A run of this process took a key. */
  noteKey(id: string): void
  /** Looks at all that is stored, by whichever process, and removes what is too much. */
  trim(): Promise<void>
  /** Waits for what is under way. */
  settled(): Promise<void>
}

/** Options of {@link createHistoryKeeper}. */
export interface HistoryKeeperOptions extends Trimming {
  readonly logger: Logger
  readonly maxRuns: () => number
}

/** How many are removed at once, where there are so many to be kept. */
const mostAtOnce = 64
/** After so many runs at least it looks at what others have stored. */
const leastBetweenLooks = 1_000

/**
 * A {@link HistoryKeeper} that removes what this process itself has put there without reading anything, and looks at all
 * that is stored now and then: after its first run, and after some multiple of what is kept.
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
    const surplus = Math.min(mostAtOnce, Math.max(1, Math.floor(keep / 8)))
    if (newest.size < keep + surplus) return
    soon(commit(newest.takeOld(keep).flatMap(writesOf)))
  }

  return {
    noteEnded(runId) {
      ended.add(runId)
      removeOld(ended, maxRuns(), (id) => [runCollection.remove(id), outputCollection.remove(id)])
      if (untilLook-- <= 0) soon(trim())
    },

    noteKey(id) {
      keys.add(id)
      removeOld(keys, maxKeys, (key) => [keyCollection.remove(key)])
    },

    trim,

    async settled() {
      while (removals.size > 0) await Promise.all(removals)
      await trimming?.catch(() => {})
    },
  }
}
