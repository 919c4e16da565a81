import type { SqliteDatabase, SqliteStatement, SqliteValue } from './database.ts'

/** One connection with its prepared statements and its transactions. */
export interface Connection {
  /** The statement with this text, prepared once. For texts of which there are few. */
  prepare(sql: string): SqliteStatement
  /** The first row, or `undefined`. */
  get(sql: string, ...values: SqliteValue[]): unknown
  exec(sql: string): void
  /** Runs `work` and commits what it wrote; if it throws, nothing was written. */
  write<T>(work: () => T): T
  /** Runs `work` on one state of the database. */
  read<T>(work: () => T): T
  close(): void
}

/** A {@link Connection} over an open database. */
export function createConnection(database: SqliteDatabase): Connection {
  const statements = new Map<string, SqliteStatement>()

  const prepare = (sql: string): SqliteStatement => {
    const existing = statements.get(sql)
    if (existing !== undefined) return existing
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  const transaction = <T>(begin: string, work: () => T): T => {
    prepare(begin).run()
    try {
      const result = work()
      prepare('COMMIT').run()
      return result
    } catch (error) {
      rollBack()
      throw error
    }
  }

  /** SQLite has already rolled back after some errors (a full disk), and says so; the first error is what counts. */
  const rollBack = (): void => {
    try {
      prepare('ROLLBACK').run()
    } catch {
      // If a transaction is open all the same, the next BEGIN fails.
    }
  }

  return {
    prepare,
    get: (sql, ...values) => prepare(sql).get(...values) ?? undefined,
    exec: (sql) => {
      database.exec(sql)
    },
    write: (work) => transaction('BEGIN IMMEDIATE', work),
    read: (work) => transaction('BEGIN', work),
    close: () => {
      database.close()
    },
  }
}
