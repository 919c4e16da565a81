import type { Instant } from '@gatehouse/core'
import type { Table } from './table.ts'

/** Deletes expired records in small steps, so that no commit waits long for it. */
export interface Sweeper {
  add(table: Table): void
  /**
   * Sweeps one table, within the transaction of a commit of so many writes. Answers what it removed, if anything.
   */
  step(now: Instant, writes: number): { table: Table; ids: readonly string[] } | undefined
}

/** Records removed by one commit at most. One that writes more removes as many, so that what comes in large commits goes. */
const sweepLimit = 64
/** A table that had fewer is left alone for so long. */
const restMs = 1_000

/** A {@link Sweeper} that takes the tables in turn. */
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
