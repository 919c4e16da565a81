import { createRequire } from 'node:module'
import { GatehouseError } from '@gatehouse/core/store'

/** A value the store binds to a statement. */
export type SqliteValue = string | number | null | Uint8Array

/** A prepared statement, by its shape. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): { changes: number | bigint }
  get(...values: SqliteValue[]): unknown
  all(...values: SqliteValue[]): unknown[]
}

/** A synchronous SQLite connection, by its shape, such as those of better-sqlite3 and `node:sqlite`. */
export interface SqliteDatabase {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
  close(): unknown
}

type BetterSqlite3 = new (
  filename: string,
  options?: { timeout: number; readonly: boolean; fileMustExist: boolean },
) => SqliteDatabase

/** The part of `node:sqlite` that is used, and of @photostructure/sqlite, its copy. Its types are not in those of Node.js 20. */
interface NodeSqlite {
  readonly DatabaseSync: new (filename: string, options: { readOnly: boolean }) => SqliteDatabase
}

/** Opens a file with one of the drivers. */
type OpenFile = (filename: string, busyTimeoutMs: number, isReadOnly: boolean) => SqliteDatabase

/**
 * Loads an installed package. A bundle in CommonJS has no `import.meta`. Names of packages are arguments, so that bundlers leave the
 * packages where they are installed: they have native parts.
 */
const requireFrom: (name: string) => unknown = createRequire(import.meta.url || __filename)
let openFile: OpenFile | undefined

/**
 * Opens an SQLite file with the first driver that can be loaded: better-sqlite3, which an app installs to choose it, then
 * `node:sqlite`, then @photostructure/sqlite. A read-only file must exist.
 *
 * @throws {GatehouseError} `StorageDriverMissing` if none can be loaded. Throws the error of the driver if it cannot open the file.
 */
export function openDatabase(
  filename: string,
  busyTimeoutMs: number,
  { isReadOnly = false }: { isReadOnly?: boolean } = {},
): SqliteDatabase {
  openFile ??= loadDriver()
  return openFile(filename, busyTimeoutMs, isReadOnly)
}

function loadDriver(): OpenFile {
  try {
    return loadBetterSqlite3()
  } catch {
    // It is not installed, or was built for another Node.js.
  }
  const builtIn = loadNodeSqlite()
  if (builtIn !== undefined) return builtIn
  try {
    return openWith(requireFrom('@photostructure/sqlite') as NodeSqlite)
  } catch (cause) {
    throw new GatehouseError(
      'ServiceUnavailable',
      'StorageDriverMissing',
      'there is no driver for SQLite: run "npm install @photostructure/sqlite@1", use Node.js 22.13 or newer, which has an SQLite of its own, or pass an open connection as "database"',
      { cause },
    )
  }
}

function loadBetterSqlite3(): OpenFile {
  const Database = requireFrom('better-sqlite3') as BetterSqlite3
  // It loads its native part with the first database.
  new Database(':memory:').close()
  return (filename, timeout, isReadOnly) =>
    new Database(filename, { timeout, readonly: isReadOnly, fileMustExist: isReadOnly })
}

/** `undefined` before Node.js 22.13. */
function loadNodeSqlite(): OpenFile | undefined {
  const { emitWarning } = process
  // Node.js 22 warns that the module is experimental.
  process.emitWarning = () => {}
  try {
    const found = process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined
    return found && openWith(found)
  } finally {
    process.emitWarning = emitWarning
  }
}

function openWith({ DatabaseSync }: NodeSqlite): OpenFile {
  return (filename, busyTimeoutMs, isReadOnly) => {
    const database = new DatabaseSync(filename, { readOnly: isReadOnly })
    // The option for it is newer than the module.
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    return database
  }
}
