import { createRequire } from 'node:module'
import { GatehouseError } from '@gatehouse/core/store'

/** A value the store binds to a statement. */
export type SqliteValue = string | number | null

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

type Driver = new (
  filename: string,
  options: { timeout: number; readonly: boolean; fileMustExist: boolean },
) => SqliteDatabase

const requireFrom = createRequire(import.meta.url)

/** Opens a file with better-sqlite3. A read-only file must exist. */
export function openDatabase(
  filename: string,
  busyTimeoutMs: number,
  { isReadOnly = false }: { isReadOnly?: boolean } = {},
): SqliteDatabase {
  const options = { timeout: busyTimeoutMs, readonly: isReadOnly, fileMustExist: isReadOnly }
  return new (loadDriver())(filename, options)
}

function loadDriver(): Driver {
  try {
    return requireFrom('better-sqlite3') as Driver
  } catch (cause) {
    throw new GatehouseError(
      'ServiceUnavailable',
      'StorageDriverMissing',
      'cannot load better-sqlite3: run "npm install better-sqlite3", or pass an open connection as "database"',
      { cause },
    )
  }
}
