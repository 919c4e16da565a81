import {
  openSqliteDatabase,
  type SqliteDatabase,
  type SqliteStatement,
  type SqliteValue,
} from '@gatehouse/store-sqlite'

type Row = Record<string, SqliteValue>

/** A connection of a test to an SQLite file, by the driver that the store itself uses here. */
export class Database implements SqliteDatabase {
  readonly #database: SqliteDatabase

  constructor(filename: string, { readonly = false, timeout = 5_000 } = {}) {
    this.#database = openSqliteDatabase(filename, timeout, { isReadOnly: readonly })
  }

  exec(sql: string): void {
    this.#database.exec(sql)
  }

  prepare(sql: string): SqliteStatement {
    return this.#database.prepare(sql)
  }

  /** The rows of a query. */
  rows(sql: string, ...values: SqliteValue[]): Row[] {
    return this.prepare(sql).all(...values) as Row[]
  }

  /** The first column of each row. */
  values(sql: string, ...values: SqliteValue[]): (SqliteValue | undefined)[] {
    return this.rows(sql, ...values).map((row) => Object.values(row)[0])
  }

  /** The first column of the first row, `undefined` without a row. */
  value(sql: string, ...values: SqliteValue[]): SqliteValue | undefined {
    return this.values(sql, ...values)[0]
  }

  close(): void {
    this.#database.close()
  }
}
