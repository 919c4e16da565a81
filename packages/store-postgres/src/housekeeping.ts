import type { Instant, Logger } from '@gatehouse/core/store'
import { sweepTable } from './commit.ts'
import type { Database } from './database.ts'
import { messageOf } from './errors.ts'
import type { Feed } from './feed.ts'
import type { Table } from './table.ts'

/** Removes expired records and old feed rows, in small steps alongside the commits. */
export interface Housekeeping {
  add(table: Table, feed: Feed | undefined): void
  /** Makes one step, unless one is under way. Resolves when it is done. */
  step(now: Instant): Promise<void>
}

/** The most records that one step removes. */
const sweepLimit = 256
/** Milliseconds for which a table with fewer expired records is left alone. */
const restMs = 1_000

/** Creates {@link Housekeeping} that takes turns between the tables. */
export function createHousekeeping(
  database: Database,
  { logger, onSwept }: { logger: Logger; onSwept: (collection: string) => void },
): Housekeeping {
  const turns: { table: Table; feed: Feed | undefined; dueAt: Instant }[] = []
  let next = 0
  let isBusy = false

  const sweepNext = async (now: Instant): Promise<void> => {
    for (let count = 0; count < turns.length; count++) {
      const turn = turns[next]
      next = (next + 1) % turns.length
      if (turn === undefined || turn.dueAt > now) continue
      turn.dueAt = now + restMs
      const swept = await sweepTable(database, turn, { now, limit: sweepLimit })
      if (swept === sweepLimit) turn.dueAt = now
      if (swept > 0) {
        onSwept(turn.table.collection.name)
        return
      }
    }
  }

  return {
    add(table, feed) {
      turns.push({ table, feed, dueAt: Number.NEGATIVE_INFINITY })
    },

    async step(now) {
      if (isBusy) return
      isBusy = true
      try {
        await sweepNext(now)
        for (const { feed } of turns) await feed?.trim(database)
      } catch (error) {
        // The commit that started this step has succeeded. The next one tries again.
        logger.warn({ error: messageOf(error) }, 'could not remove expired records')
      } finally {
        isBusy = false
      }
    },
  }
}
