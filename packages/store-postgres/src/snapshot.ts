import { decodeInput, exactly, functionLike, loggerPort, optional } from '@gatehouse/core/input'
import {
  type Logger,
  loggerOf,
  type SnapshotRecord,
  type StorageSnapshot,
} from '@gatehouse/core/store'
import type { PostgresHandle, Queryable, Row } from './database.ts'
import { newerVersion, notMigrated } from './errors.ts'
import { fromJsonText } from './json-text.ts'
import { createNames, type Names } from './names.ts'
import { openDatabase } from './open-database.ts'
import { createOperations } from './operations.ts'
import { decodePlace, placeFields } from './place-input.ts'
import { schemaSteps } from './schema.ts'

/** Options of {@link readPostgresSnapshot}. One of `url` and `database` is given. */
export interface PostgresSnapshotOptions {
  /** The URL of the database. */
  url?: string
  /** An open database to use instead. Its owner closes it. */
  database?: PostgresHandle
  /** The schema of the tables (default the first schema in the search path of the connection). */
  schema?: string
  /** The prefix of all table names (default `gatehouse_`). */
  prefix?: string
  /** Receives a message for each lost connection (default silent). */
  logger?: Logger | false
}

const decodeOptions = exactly<PostgresSnapshotOptions>({
  ...placeFields,
  logger: optional(loggerPort),
})

/** Reading a large database takes long. */
const limits = { timeoutMs: 3_600_000, connectTimeoutMs: 10_000 }

/** The number of records read at once. */
const pageSize = 500

/**
 * Reads a consistent snapshot of a database in one transaction, while others go on writing. The snapshot lasts until `work`
 * settles.
 *
 * @throws {GatehouseError} as the methods of `createPostgresStorage` do.
 */
export async function readPostgresSnapshot<T>(
  given: PostgresSnapshotOptions,
  work: (snapshot: StorageSnapshot) => Promise<T>,
): Promise<T> {
  const options = decodePlace(decodeOptions, given)
  decodeInput('work', functionLike('a function that reads a snapshot'), work)
  const { url, database: handle, schema, prefix = 'gatehouse_' } = options
  const logger = loggerOf(options.logger)
  const names = createNames({ schema, prefix })
  const database = openDatabase({ url, database: handle, maxConnections: 1, ...limits, logger })
  const operations = createOperations({ limit: 1 })
  try {
    return await operations.run(() =>
      database.transaction(async (transaction) => {
        await transaction.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
        return work(await snapshotOf(transaction, names, prefix))
      }),
    )
  } finally {
    await database.close()
  }
}

async function snapshotOf(on: Queryable, names: Names, prefix: string): Promise<StorageSnapshot> {
  const tables = await tablesOf(on, names)
  await checkVersion(on, names, tables)
  const collections = [...tables]
    .filter((name) => name.startsWith(prefix) && !name.includes('.'))
    .map((name) => name.slice(prefix.length))
    .filter((name) => /^[a-z]/.test(name))
  return {
    collections,

    async *records(collection) {
      const text = `SELECT id, version, expires_at, value FROM ${names.table(collection)} WHERE id > $1 ORDER BY id LIMIT ${pageSize}`
      for (let after = ''; ; ) {
        const rows = await on.query(text, [after])
        for (const row of rows) yield toSnapshotRecord(row)
        const last = rows.at(-1)
        if (last === undefined || rows.length < pageSize) return
        after = String(last.id)
      }
    },

    async findProblems() {
      const problems = await indexProblems(on, names, prefix)
      for (const collection of collections) {
        const feed = names.plain(names.feed(collection))
        if (tables.has(feed)) problems.push(...(await feedProblems(on, names, collection)))
      }
      return problems
    },
  }
}

async function tablesOf(on: Queryable, { schema }: Names): Promise<ReadonlySet<string>> {
  const rows = await on.query(
    `SELECT c.relname AS name FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = COALESCE($1::text, current_schema()) AND c.relkind IN ('r', 'p') ORDER BY c.relname`,
    [schema ?? null],
  )
  return new Set(rows.map(({ name }) => String(name)))
}

/** @throws {GatehouseError} `StorageNotMigrated` if there are no Gatehouse tables, `StorageNewerVersion`. */
async function checkVersion(
  on: Queryable,
  names: Names,
  tables: ReadonlySet<string>,
): Promise<void> {
  const table = names.plain(names.version)
  if (!tables.has(table)) throw notMigrated([table])
  const [row] = await on.query(`SELECT version FROM ${names.version}`)
  const version = Number(row?.version ?? 0)
  if (version > schemaSteps.length) throw newerVersion(version, schemaSteps.length)
}

function toSnapshotRecord(row: Row): SnapshotRecord {
  const { id, version, expires_at: expiresAt, value } = row
  const record = {
    id: String(id),
    version: String(version),
    ...(expiresAt === null ? {} : { expiresAt: Number(expiresAt) }),
  }
  const text = String(value)
  try {
    return { ...record, value: fromJsonText(text) }
  } catch {
    return { ...record, value: undefined, text }
  }
}

/** An index whose creation was interrupted exists, but PostgreSQL does not use it. */
async function indexProblems(on: Queryable, { schema }: Names, prefix: string): Promise<string[]> {
  const rows = await on.query(
    `SELECT c.relname AS name FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
     JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = COALESCE($1::text, current_schema()) AND NOT i.indisvalid ORDER BY c.relname`,
    [schema ?? null],
  )
  return rows
    .map(({ name }) => String(name))
    .filter((name) => name.startsWith(prefix))
    .map((name) => `the index ${name} is not valid: drop it and run "gatehouse storage migrate"`)
}

async function feedProblems(
  on: Queryable,
  names: Names,
  collection: string,
): Promise<readonly string[]> {
  const feed = names.plain(names.feed(collection))
  const [counter] = await on.query(`SELECT revision FROM ${names.feeds} WHERE name = $1`, [
    collection,
  ])
  if (counter === undefined) return [`${names.plain(names.feeds)} has no row for ${collection}`]
  const [listed] = await on.query(`SELECT max(revision) AS newest FROM ${names.feed(collection)}`)
  if (listed === undefined || listed.newest === null) return [`${feed} has no row`]
  const newest = Number(listed.newest)
  const revision = Number(counter.revision)
  return newest === revision
    ? []
    : [`${feed} is at revision ${newest}, but its counter stands at ${revision}`]
}
