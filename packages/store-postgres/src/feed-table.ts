import type { Instant, Revision, StoredRecord } from '@gatehouse/core/store'
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

/** A commit as read from the table. */
export interface FeedCommit {
  readonly revision: Revision
  readonly written: StoredRecord[]
  readonly removed: string[]
}

/** What the table has since a revision. */
export interface FeedRead {
  readonly newest: Revision
  /** Without records that a later one wrote again; `undefined` if the table does not reach back that far. */
  readonly commits: readonly FeedCommit[] | undefined
}

/**
 * The change feed of one collection in the database: a table with a row per commit (its number, its ids).
 *
 * The numbers have no gaps. Only the transaction that holds the lock on the feed's counter assigns numbers, so a reader that sees
 * number n sees all earlier ones. No commit waits for that lock: if it is taken, the commit stores its ids in a second table, and
 * the next transaction to get the lock, a commit or a reader, numbers them.
 */
export interface FeedTable {
  /** Adds a commit, within its transaction. `undefined` if it has no number yet. */
  record(on: Queryable, ids: readonly string[]): Promise<FeedMark | undefined>
  /** Adds the changes of a transaction that may stay open for long. The next commit or reader numbers them. */
  leave(on: Queryable, ids: readonly string[]): Promise<void>
  /** The newest number. */
  newest(on: Queryable): Promise<Revision>
  /** The commits since a revision. */
  since(on: Queryable, since: Revision, now: Instant): Promise<FeedRead>
  /** Deletes rows older than the feed must reach back from this weight. Cheap if there are none. */
  trim(on: Queryable, newestWeight: number): Promise<void>
}

/** How far back the table reaches, in ids and commits. */
const pastWeight = 100_000
/** The weight of new commits between two trims. */
const trimAfterWeight = 4_096
/** The most rows that one trim removes. */
const trimRows = 5_000

/** Greater than every assigned place. */
const lastPlace = '9223372036854775807'

/** Whether some commits have no number yet. */
const isBehind = (unnumbered: string): string => `EXISTS (SELECT 1 FROM ${unnumbered})`

/** The statements for the feed of a collection. */
function statementsOf(names: Names, collection: string) {
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
  return {
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
}

/** Creates the {@link FeedTable} over a table that exists and is not empty. */
export function createFeedTable(names: Names, collection: string): FeedTable {
  const sql = statementsOf(names, collection)
  let trimmedWeight = 0

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

    async newest(on) {
      const [row] = await readNumbered(on, sql.newest, [collection])
      return Number(row?.newest)
    },

    async since(on, since, now) {
      return feedRead(await readNumbered(on, sql.since, [collection, since, now]), since)
    },

    async trim(on, newestWeight) {
      if (newestWeight - trimmedWeight < trimAfterWeight) return
      trimmedWeight = newestWeight
      const rows = await on.query(sql.oldest)
      const first = rows.findLast(({ weight }) => Number(weight) <= newestWeight - pastWeight)
      if (first !== undefined) await on.query(sql.forget, [Number(first.revision)])
    },
  }
}

/** The commits in rows with one record each. */
function feedRead(rows: readonly Row[], since: Revision): FeedRead {
  const newest = Number(rows[0]?.newest)
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
