import { decodeInput, exactly, filledText, functionLike } from '@gatehouse/core/input'
import {
  isGatehouseError,
  type Json,
  type SnapshotRecord,
  type StorageSnapshot,
  storageUnavailable,
} from '@gatehouse/core/store'
import { type Connection, createConnection } from './connection.ts'
import { openDatabase } from './database.ts'
import { emptyFile, messageOf, resultCode, toStorageError } from './errors.ts'
import { createPatches, patchedRecord, patchTable } from './patches.ts'
import { checkVersion, schemaSteps } from './schema.ts'

/** Options of {@link readSqliteSnapshot}. */
export interface SqliteSnapshotOptions {
  /** The database file. It must exist, and is not changed. */
  filename: string
}

const decodeOptions = exactly<SqliteSnapshotOptions>({ filename: filledText })

/** The number of records read at once. */
const pageSize = 500
/** A damaged file may have a problem on every page. */
const maxPageProblems = 20

/**
 * Reads a consistent snapshot of a database file, while others may go on writing. The snapshot lasts until `work` settles.
 *
 * @throws {GatehouseError} as `createSqliteStorage` does.
 */
export async function readSqliteSnapshot<T>(
  options: SqliteSnapshotOptions,
  work: (snapshot: StorageSnapshot) => Promise<T>,
): Promise<T> {
  const { filename } = decodeInput('options', decodeOptions, options)
  decodeInput('work', functionLike('a function that reads a snapshot'), work)
  const file = JSON.stringify(filename)
  let connection: Connection | undefined
  try {
    connection = createConnection(openDatabase(filename, 5_000, { isReadOnly: true }))
    connection.exec('BEGIN')
    if (checkVersion(connection, file, schemaSteps.length) === 0) throw emptyFile(file)
    return await work(snapshotOf(connection))
  } catch (error) {
    if (isGatehouseError(error) || resultCode(error) !== undefined || connection !== undefined)
      throw toStorageError(error, file)
    throw storageUnavailable(`cannot open ${file}: ${messageOf(error)}`, error)
  } finally {
    if (connection !== undefined) end(connection)
  }
}

/** Ends the transaction, too, because a driver may keep a closed file open until its statements are garbage. */
function end(connection: Connection): void {
  try {
    connection.exec('ROLLBACK')
  } catch {
    // It has not begun.
  }
  connection.close()
}

function snapshotOf(connection: Connection): StorageSnapshot {
  const tables = tablesOf(connection)
  // An older version of the schema has no patches.
  const patches = tables.includes(patchTable) ? createPatches(connection) : undefined
  patches?.catchUp()
  const collections = tables
    .filter((name) => /^gatehouse_[a-z]/.test(name) && !name.includes('.'))
    .map((name) => name.slice('gatehouse_'.length))
  return {
    collections,

    async *records(collection) {
      const page = connection.prepare(
        `SELECT id, version, expires_at, value FROM "gatehouse_${collection}" WHERE id > ? ORDER BY id LIMIT ${pageSize}`,
      )
      for (let after = ''; ; ) {
        const rows = page.all(after) as Row[]
        for (const row of rows)
          yield patchedRecord(toSnapshotRecord(row), patches?.get(collection, row.id))
        const last = rows.at(-1)
        if (last === undefined || rows.length < pageSize) return
        after = last.id
      }
    },

    async findProblems() {
      const problems = pageProblems(connection)
      // Later checks would only meet the same damage.
      if (problems.length > 0) return problems
      return countProblems(connection, new Set(tables), collections)
    },
  }
}

const tablesOf = (connection: Connection): readonly string[] => {
  const all = connection.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
  )
  return (all.all() as { name: string }[]).map(({ name }) => name)
}

interface Row {
  readonly id: string
  readonly version: number
  readonly expires_at: number | null
  readonly value: string
}

function toSnapshotRecord({
  id,
  version,
  expires_at: expiresAt,
  value: text,
}: Row): SnapshotRecord {
  const record = { id, version: String(version), ...(expiresAt === null ? {} : { expiresAt }) }
  try {
    return { ...record, value: JSON.parse(text) as Json }
  } catch {
    return { ...record, value: undefined, text: String(text) }
  }
}

function pageProblems(connection: Connection): readonly string[] {
  try {
    const rows = connection.prepare(`PRAGMA integrity_check(${maxPageProblems})`).all()
    return (rows as { integrity_check: string }[])
      .map((row) => row.integrity_check)
      .filter((line) => line !== 'ok')
  } catch (error) {
    return [messageOf(error)]
  }
}

/** Problems with the counter of commits, and with the feeds, which must list every record written since they begin. */
function countProblems(
  connection: Connection,
  tables: ReadonlySet<string>,
  collections: readonly string[],
): readonly string[] {
  const counters = connection.prepare('SELECT commits FROM gatehouse__counter').all() as {
    commits: number
  }[]
  const [counter] = counters
  if (counter === undefined || counters.length > 1) {
    return [`gatehouse__counter has ${counters.length} rows instead of one`]
  }
  return collections.flatMap((collection) => {
    const table = `gatehouse_${collection}`
    const { newest } = connection.get(`SELECT max(version) AS newest FROM "${table}"`) as {
      newest: number | null
    }
    const isAhead = newest !== null && newest > counter.commits
    return [
      ...(isAhead
        ? [`${table} has records of commit ${newest}, but the counter stands at ${counter.commits}`]
        : []),
      ...(tables.has(`${table}.feed`) ? feedProblems(connection, table, counter.commits) : []),
    ]
  })
}

function feedProblems(connection: Connection, table: string, commits: number): readonly string[] {
  const rows = connection
    .prepare(`SELECT revision, ids FROM "${table}.feed" ORDER BY revision`)
    .all() as { revision: number; ids: string }[]
  const [oldest] = rows
  if (oldest === undefined) return [`${table}.feed has no row`]
  const newest = rows.at(-1)?.revision ?? 0
  if (newest > commits) {
    return [`${table}.feed is at commit ${newest}, but the counter stands at ${commits}`]
  }
  const listed = new Map<number, ReadonlySet<string>>()
  try {
    for (const { revision, ids } of rows) listed.set(revision, new Set(JSON.parse(ids) as string[]))
  } catch {
    return [`${table}.feed has a row that cannot be read`]
  }
  const written = connection
    .prepare(`SELECT id, version FROM "${table}" WHERE version > ?`)
    .all(oldest.revision) as { id: string; version: number }[]
  const missing = written.filter(({ id, version }) => listed.get(version)?.has(id) !== true)
  return missing.length === 0
    ? []
    : [
        `${table}.feed does not list ${missing.length} of the records that were written since it begins`,
      ]
}
