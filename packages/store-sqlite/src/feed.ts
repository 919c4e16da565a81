import {
  type Changes,
  type ChangeTail,
  createChangeTail,
  type Instant,
  type Revision,
  type StoredRecord,
} from '@gatehouse/core/store'
import type { Connection } from './connection.ts'
import { countMissing } from './errors.ts'

/**
 * The change feed of one collection: a table with one row per commit (its number, its ids), and the newest part of it in memory.
 * The oldest row marks where the feed begins; its ids are not part of the feed.
 */
export interface Feed {
  /** Adds a row for a commit, within its transaction. */
  record(revision: Revision, ids: readonly string[]): void
  /**
   * Adds a commit of this connection to memory, after its transaction. `epoch` shows whether other connections committed in
   * between.
   */
  remember(epoch: number, change: CommittedChange): void
  /** The changes since a revision. `epoch` changes whenever other connections have committed. */
  changes(since: Revision, epoch: number, now: Instant): Changes
}

/** The effect of one commit on one collection. */
export interface CommittedChange {
  readonly revision: Revision
  readonly written: readonly StoredRecord[]
  readonly removed: readonly string[]
}

/** Options of {@link createFeed}. */
export interface FeedOptions {
  /** The name of the database in messages. */
  file: string
  /** The quoted name of the table. */
  table: string
  /** The live records with these ids, by id. */
  getAll: (ids: readonly string[], now: Instant) => ReadonlyMap<string, StoredRecord>
}

/** How far back the table reaches, in ids and commits. */
const pastWeight = 100_000
/** How far back memory reaches, in the same unit. Keeping more alive makes garbage collection more expensive. */
const tailWeight = 20_000
/** The number of commits of this connection, or of ids in them, between two trims. */
const trimAfter = { commits: 64, ids: 4_096 }
/** The number of rows that one trim removes: more than arrive in between, so that the past stays bounded. */
const trimRows = 2 * trimAfter.commits

interface FeedRow {
  readonly revision: number
  readonly ids: string
}

/** Creates the {@link Feed} over a table that exists and is not empty. */
export function createFeed(connection: Connection, options: FeedOptions): Feed {
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
  let tail: ChangeTail | undefined
  /** The tail is empty while it ends where it began. */
  let tailFrom = 0
  let tailEpoch = -1

  const createTail = (from: Revision): ChangeTail => {
    tailFrom = from
    return createChangeTail({ from, limit: tailWeight })
  }

  const bounds = (): { oldest: Revision; newest: Revision } => {
    const { oldest, newest } = selectBounds.get() as {
      oldest: number | null
      newest: number | null
    }
    if (oldest === null || newest === null) throw countMissing(file, table)
    return { oldest, newest }
  }

  /**
   * The changes since a revision according to the table, as one change; `undefined` if the table does not reach back that far.
   */
  const readSince = (since: Revision, now: Instant): CommittedChange | undefined => {
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
  }

  /** Updates the tail with everything that the current transaction sees. */
  const catchUp = (now: Instant): ChangeTail => {
    const change = tail && readSince(tail.revision, now)
    if (tail === undefined || change === undefined) {
      tail = createTail(bounds().newest)
    } else if (change.revision > tail.revision) {
      tail.append(change.revision, change.written, change.removed)
    }
    return tail
  }

  /**
   * Lets an empty tail begin with a change that was read from the table. Several views read a collection when a process starts;
   * then only the first one reads the file, and they share the records.
   */
  const keepIfEmpty = (since: Revision, change: CommittedChange): void => {
    if (tail === undefined || tail.revision > tailFrom) return
    tail = createTail(since)
    tail.append(change.revision, change.written, change.removed)
  }

  /** Returns the tail, updated to the present. */
  const current = (epoch: number, now: Instant): ChangeTail => {
    if (tail !== undefined && tailEpoch === epoch) return tail
    const caughtUp = connection.read(() => catchUp(now))
    tailEpoch = epoch
    return caughtUp
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

    remember(epoch, { revision, written, removed }) {
      if (tailEpoch === epoch) tail?.append(revision, written, removed)
    },

    changes(since, epoch, now) {
      return (
        current(epoch, now).since(since) ??
        // Read in the same transaction as the tail; otherwise a reader between two revisions would get records twice.
        connection.read(() => {
          const { revision } = catchUp(now)
          const change = readSince(since, now)
          if (change === undefined) return { reset: true, revision }
          keepIfEmpty(since, change)
          return change
        })
      )
    },
  }
}
