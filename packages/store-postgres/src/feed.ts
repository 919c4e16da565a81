import {
  type Changes,
  type ChangeTail,
  createChangeTail,
  type Instant,
  type Revision,
  type StoredRecord,
} from '@gatehouse/core/store'
import type { Queryable, Row } from './database.ts'
import { counterMissing } from './errors.ts'
import type { Names } from './names.ts'
import { toRecord } from './table.ts'

/** The position of a commit in a feed. */
export interface FeedMark {
  readonly revision: Revision
  /** The number of ids and commits up to this one. */
  readonly weight: number
}

/** The effect of one commit on one collection. */
export interface CommittedChange {
  readonly written: readonly StoredRecord[]
  readonly removed: readonly string[]
}

/** A commit as read from the table. */
interface FeedCommit {
  readonly revision: Revision
  readonly written: StoredRecord[]
  readonly removed: string[]
}

/**
 * The change feed of one collection: a table with a row per commit (its number, its ids), and the newest part of it in memory.
 *
 * The numbers have no gaps. Only the transaction that holds the lock on the feed's counter assigns numbers, so a reader that sees
 * number n sees all earlier ones. No commit waits for that lock: if it is taken, the commit stores its ids in a second table, and
 * the next transaction to get the lock, a commit or a reader, numbers them.
 */
export interface Feed {
  /** Adds a commit, within its transaction. `undefined` if it has no number yet. */
  record(on: Queryable, ids: readonly string[]): Promise<FeedMark | undefined>
  /** Adds the changes of a transaction that may stay open for long. The next commit or reader numbers them. */
  leave(on: Queryable, ids: readonly string[]): Promise<void>
  /** Adds a commit of this process to memory, after its transaction. */
  remember(mark: FeedMark, change: CommittedChange): void
  /** Marks memory as stale: other processes may have committed. */
  doubt(): void
  /** The changes since a revision. Answered from memory unless another process has committed or one second has passed. */
  changes(on: Queryable, since: Revision, now: Instant): Promise<Changes>
  /** The same, if memory suffices. Returns the same promise until something changes, because views ask all the time. */
  remembered(since: Revision, now: Instant): Promise<Changes> | undefined
  /** Deletes rows older than the feed must reach back. Cheap if there are none. */
  trim(on: Queryable): Promise<void>
}

/** How far back the table reaches, in ids and commits. */
const pastWeight = 100_000
/** The weight of new commits between two trims. */
const trimAfterWeight = 4_096
/** The most rows that one trim removes. */
const trimRows = 5_000
/** Milliseconds after which the database is asked for commits of other processes, even without a notification. */
const pollMs = 1_000

/** Greater than every assigned place. */
const lastPlace = '9223372036854775807'

/** Whether some commits have no number yet. */
const isBehind = (unnumbered: string): string => `EXISTS (SELECT 1 FROM ${unnumbered})`

/** Creates the {@link Feed} over a table that exists and is not empty. */
export function createFeed(names: Names, collection: string): Feed {
  const table = names.table(collection)
  const feed = names.feed(collection)
  const unnumbered = names.unnumbered(collection)
  // Appends `placed` after the position in the locked row `counter`. Subqueries read the counter so that they see the locked row,
  // even if the statement's snapshot holds an older one.
  const append = `numbered AS (SELECT ids, row_number() OVER places AS nth, sum(1 + cardinality(ids)) OVER places AS grown FROM placed
        WINDOW places AS (ORDER BY place ROWS UNBOUNDED PRECEDING)),
      appended AS (INSERT INTO ${feed} (revision, weight, ids)
        SELECT (SELECT revision FROM counter) + nth, (SELECT weight FROM counter) + grown, ids FROM numbered
        RETURNING revision, weight),
      counted AS (UPDATE ${names.feeds} SET revision = (SELECT max(revision) FROM appended), weight = (SELECT max(weight) FROM appended)
        WHERE name = $1::text AND EXISTS (SELECT 1 FROM appended))`
  const sql = {
    // Only the transaction that locks the counter takes rows from `unnumbered`. Rows missing from its snapshot stay there.
    record: `WITH counter AS (SELECT revision, weight FROM ${names.feeds} WHERE name = $1::text FOR UPDATE SKIP LOCKED),
      taken AS (DELETE FROM ${unnumbered} WHERE EXISTS (SELECT 1 FROM counter) RETURNING place, ids),
      placed AS (SELECT place, ids FROM taken
        UNION ALL SELECT ${lastPlace}, $2::text[] FROM counter),
      ${append},
      left_behind AS (INSERT INTO ${unnumbered} (ids) SELECT $2::text[] WHERE NOT EXISTS (SELECT 1 FROM counter))
      SELECT max(revision) AS revision, max(weight) AS weight, EXISTS (SELECT 1 FROM ${names.feeds} WHERE name = $1::text) AS counted FROM appended`,
    leave: `INSERT INTO ${unnumbered} (ids) VALUES ($1::text[])`,
    // Waits for the counter. The snapshot holds every commit from before the statement; DELETE skips rows that another process
    // has numbered meanwhile.
    number: `WITH counter AS (SELECT revision, weight FROM ${names.feeds} WHERE name = $1::text FOR UPDATE),
      placed AS (DELETE FROM ${unnumbered} WHERE EXISTS (SELECT 1 FROM counter) RETURNING place, ids),
      ${append}
      SELECT count(*) FROM appended`,
    newest: `SELECT revision AS newest, ${isBehind(unnumbered)} AS behind FROM ${names.feeds} WHERE name = $1::text`,
    // One statement, so that all rows come from the same snapshot.
    since: `SELECT f.revision AS newest, (SELECT min(revision) FROM ${feed}) AS oldest, ${isBehind(unnumbered)} AS behind,
        c.id AS changed, c.revision, t.id, t.version, t.expires_at, t.value
      FROM ${names.feeds} AS f
      LEFT JOIN (SELECT u.id, max(r.revision) AS revision FROM ${feed} AS r, unnest(r.ids) AS u (id)
        WHERE r.revision > $2::bigint AND (SELECT min(revision) FROM ${feed}) <= $2::bigint
        GROUP BY u.id) AS c ON true
      LEFT JOIN ${table} AS t ON t.id = c.id AND (t.expires_at IS NULL OR t.expires_at > $3::float8)
      WHERE f.name = $1::text`,
    oldest: `SELECT revision, weight FROM ${feed} ORDER BY revision LIMIT ${trimRows}`,
    forget: `DELETE FROM ${feed} WHERE revision < $1::bigint`,
  }
  let tail: ChangeTail | undefined
  /** The newest revision that this process knows of. */
  let known: Revision = 0
  let isDoubtful = true
  let askedAt: Instant = Number.NEGATIVE_INFINITY
  let asking: Promise<ChangeTail> | undefined
  /** The last answer to a reader that was up to date. */
  let answered: { revision: Revision; changes: Promise<Changes> | undefined } = {
    revision: -1,
    changes: undefined,
  }
  let newestWeight = 0
  let trimmedWeight = 0

  const isFresh = (now: Instant): boolean => !isDoubtful && now >= askedAt && now - askedAt < pollMs

  /**
   * Runs a statement. If it finds unnumbered commits, numbers them and runs it again, so the rows include every commit from
   * before the call.
   */
  const readNumbered = async (
    on: Queryable,
    text: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]> => {
    const rows = await on.query(text, values)
    if (rows[0] === undefined) throw counterMissing(names, collection)
    if (rows[0].behind !== true) return rows
    await on.query(sql.number, [collection])
    return on.query(text, values)
  }

  /**
   * The commits since a revision, as the table holds them, without records that a later one wrote again; `undefined` if the table
   * does not reach back that far.
   */
  const readSince = async (
    on: Queryable,
    since: Revision,
    now: Instant,
  ): Promise<{ newest: Revision; commits: readonly FeedCommit[] | undefined }> => {
    const rows = await readNumbered(on, sql.since, [collection, since, now])
    const newest = Number(rows[0]?.newest)
    // Later answers must not be older than this one.
    known = Math.max(known, newest)
    if (since < Number(rows[0]?.oldest) || since > newest) return { newest, commits: undefined }
    const commits = new Map<Revision, FeedCommit>()
    for (const row of rows) {
      if (row.changed === null) continue
      const revision = Number(row.revision)
      const commit = commits.get(revision) ?? { revision, written: [], removed: [] }
      commits.set(revision, commit)
      if (row.id === null) commit.removed.push(String(row.changed))
      else commit.written.push(toRecord(row))
    }
    return { newest, commits: [...commits.values()].sort((a, b) => a.revision - b.revision) }
  }

  const readTail = async (on: Queryable, now: Instant): Promise<ChangeTail> => {
    if (tail === undefined) {
      const [row] = await readNumbered(on, sql.newest, [collection])
      tail = createChangeTail({ from: Number(row?.newest) })
      return tail
    }
    const { newest, commits } = await readSince(on, tail.revision, now)
    if (commits === undefined) tail = createChangeTail({ from: newest })
    else
      for (const { revision, ...change } of commits)
        tail.append(revision, change.written, change.removed)
    return tail
  }

  /** Asks the database. Calls made meanwhile must ask again. */
  const ask = (on: Queryable, now: Instant): Promise<ChangeTail> => {
    isDoubtful = false
    askedAt = now
    const reading = readTail(on, now).then(
      (read) => {
        asking = undefined
        known = Math.max(known, read.revision)
        return read
      },
      (error: unknown) => {
        asking = undefined
        isDoubtful = true
        throw error
      },
    )
    asking = reading
    return reading
  }

  /** The tail, at least up to the revision known when the call began. */
  const current = async (on: Queryable, now: Instant): Promise<ChangeTail> => {
    const needed = known
    const isEnough = (): boolean => tail !== undefined && tail.revision >= needed
    if (asking === undefined && tail !== undefined && isEnough() && isFresh(now)) return tail
    if (asking !== undefined) {
      // That query began before this call, so its answer may be too old. If it fails, this call tries itself.
      await asking.catch(() => undefined)
      if (tail !== undefined && isEnough() && isFresh(now)) return tail
    }
    return asking ?? ask(on, now)
  }

  return {
    async record(on, ids) {
      const [row] = await on.query(sql.record, [collection, [...ids]])
      if (row?.counted !== true) throw counterMissing(names, collection)
      if (row.revision === null) return undefined
      return { revision: Number(row.revision), weight: Number(row.weight) }
    },

    async leave(on, ids) {
      await on.query(sql.leave, [[...ids]])
    },

    remember({ revision, weight }, { written, removed }) {
      known = Math.max(known, revision)
      newestWeight = Math.max(newestWeight, weight)
      // While a query runs, its answer decides. After a gap, commits of another process are missing.
      if (asking === undefined && tail?.revision === revision - 1) {
        tail.append(revision, written, removed)
      }
    },

    doubt() {
      isDoubtful = true
    },

    remembered(since, now) {
      if (asking !== undefined || tail === undefined || !isFresh(now)) return undefined
      const { revision } = tail
      if (revision < known) return undefined
      if (since === revision && answered.revision === revision) return answered.changes
      const changes = tail.since(since)
      if (changes === undefined) return undefined
      const promise = Promise.resolve(changes)
      if (since === revision) answered = { revision, changes: promise }
      return promise
    },

    async changes(on, since, now) {
      const latest = await current(on, now)
      const remembered = latest.since(since)
      if (remembered !== undefined) return remembered
      if (!Number.isSafeInteger(since) || since < 0 || since > latest.revision) {
        return { reset: true, revision: latest.revision }
      }
      const { newest, commits } = await readSince(on, since, now)
      if (commits === undefined) return { reset: true, revision: newest }
      return {
        revision: newest,
        written: commits.flatMap(({ written }) => written),
        removed: commits.flatMap(({ removed }) => removed),
      }
    },

    async trim(on) {
      if (newestWeight - trimmedWeight < trimAfterWeight) return
      trimmedWeight = newestWeight
      const rows = await on.query(sql.oldest)
      const first = rows.findLast(({ weight }) => Number(weight) <= newestWeight - pastWeight)
      if (first !== undefined) await on.query(sql.forget, [Number(first.revision)])
    },
  }
}
