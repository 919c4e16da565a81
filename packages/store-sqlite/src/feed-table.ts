import type { Instant, Revision, StoredRecord } from '@gatehouse/core/store'
import type { Connection } from './connection.ts'
import { countMissing } from './errors.ts'

/** The effect of one commit on one collection. */
export interface CommittedChange {
  readonly revision: Revision
  readonly written: readonly StoredRecord[]
  readonly removed: readonly string[]
}

/**
 * The change feed of one collection in the database: a table with one row per commit (its number, its ids). The oldest row marks
 * where the feed begins; its ids are not part of the feed.
 */
export interface FeedTable {
  /** Adds a row for a commit, within its transaction. */
  record(revision: Revision, ids: readonly string[]): void
  /** The newest number. */
  newest(): Revision
  /** The changes since a revision, as one change; `undefined` if the table does not reach back that far. */
  since(revision: Revision, now: Instant): CommittedChange | undefined
}

/** Options of {@link createFeedTable}. */
export interface FeedTableOptions {
  /** The name of the database in messages. */
  file: string
  /** The quoted name of the table. */
  table: string
  /** The live records with these ids, by id. */
  getAll: (ids: readonly string[], now: Instant) => ReadonlyMap<string, StoredRecord>
}

/** How far back the table reaches, in ids and commits. */
const pastWeight = 100_000
/** The number of commits of this connection, or of ids in them, between two trims. */
const trimAfter = { commits: 64, ids: 4_096 }
/** The number of rows that one trim removes: more than arrive in between, so that the past stays bounded. */
const trimRows = 2 * trimAfter.commits

interface FeedRow {
  readonly revision: number
  readonly ids: string
}

/** Creates the {@link FeedTable} over a table that exists and is not empty. */
export function createFeedTable(connection: Connection, options: FeedTableOptions): FeedTable {
  const { file, table, getAll } = options
  const newest = `SELECT revision, weight FROM ${table} ORDER BY revision DESC LIMIT 1`
  const insert = connection.prepare(
    `INSERT INTO ${table} (revision, weight, ids)
     SELECT ?, weight + ?, ? FROM (${newest})`,
  )
  const selectBounds = connection.prepare(
    `SELECT min(revision) AS oldest, max(revision) AS newest FROM ${table}`,
  )
  const selectSince = connection.prepare(
    `SELECT revision, ids FROM ${table} WHERE revision > ? ORDER BY revision`,
  )
  const selectOldest = connection.prepare(
    `SELECT revision, weight FROM ${table} ORDER BY revision LIMIT ${trimRows}`,
  )
  const deleteBefore = connection.prepare(`DELETE FROM ${table} WHERE revision < ?`)
  /** At 1 it is time to trim. */
  let trimDue = 0

  const bounds = (): { oldest: Revision; newest: Revision } => {
    const { oldest, newest } = selectBounds.get() as {
      oldest: number | null
      newest: number | null
    }
    if (oldest === null || newest === null) throw countMissing(file, table)
    return { oldest, newest }
  }

  const trim = (): void => {
    const { weight } = connection.get(newest) as { weight: number }
    const oldest = selectOldest.all() as { revision: number; weight: number }[]
    const first = oldest.findLast((row) => row.weight <= weight - pastWeight)
    if (first !== undefined) deleteBefore.run(first.revision)
  }

  return {
    record(revision, ids) {
      const { changes } = insert.run(revision, 1 + ids.length, JSON.stringify(ids))
      if (Number(changes) === 0) throw countMissing(file, table)
      trimDue += 1 / trimAfter.commits + ids.length / trimAfter.ids
      if (trimDue < 1) return
      trimDue = 0
      trim()
    },

    newest: () => bounds().newest,

    since(since, now) {
      const { oldest, newest } = bounds()
      if (since < oldest || since > newest) return undefined
      const ids = new Set<string>()
      for (const row of selectSince.all(since) as FeedRow[]) {
        for (const id of JSON.parse(row.ids) as string[]) ids.add(id)
      }
      const all = [...ids]
      const records = getAll(all, now)
      const removed = all.filter((id) => !records.has(id))
      return { revision: newest, written: [...records.values()], removed }
    },
  }
}
