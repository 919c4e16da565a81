import type { Instant } from '@gatehouse/core/store'
import type { Table } from './table.ts'

/** Deletes expired records in small steps, so that no commit takes long. */
export interface Sweeper {
  add(table: Table): void
  /**
   * Sweeps one table within the transaction of a commit. `writes` is the number of writes of the commit. Returns what it removed,
   * if anything.
   */
  step(now: Instant, writes: number): { table: Table; ids: readonly string[] } | undefined
}

/**
 * The most records that one commit removes. A commit with more writes removes as many, so that records that arrive in large
 * commits are removed as fast.
 */
const sweepLimit = 64
/** Milliseconds for which a table with fewer expired records is left alone. */
const restMs = 1_000

/** Creates a {@link Sweeper} that takes turns between the tables. */
export function createSweeper(): Sweeper {
  const turns: { table: Table; dueAt: Instant }[] = []
  let next = 0

  return {
    add(table) {
      turns.push({ table, dueAt: Number.NEGATIVE_INFINITY })
    },

    step(now, writes) {
      const limit = Math.max(sweepLimit, writes)
      for (let count = 0; count < turns.length; count++) {
        const turn = turns[next]
        next = (next + 1) % turns.length
        if (turn === undefined || turn.dueAt > now) continue
        const ids = turn.table.sweep(now, limit)
        turn.dueAt = ids.length < limit ? now + restMs : now
        return ids.length === 0 ? undefined : { table: turn.table, ids }
      }
      return undefined
    },
  }
}
