import type { SqliteDatabase, SqliteStatement, SqliteValue } from './database.ts'

/** One connection with its prepared statements and its transactions. */
export interface Connection {
  /** Returns the statement with this text, prepared once. Only for a limited set of texts. */
  prepare(sql: string): SqliteStatement
  /** The first row, or `undefined`. */
  get(sql: string, ...values: SqliteValue[]): unknown
  exec(sql: string): void
  /** Runs `work` in a transaction and commits. If `work` throws, nothing is written. */
  write<T>(work: () => T): T
  /** Runs `work` on a consistent snapshot of the database. */
  read<T>(work: () => T): T
  close(): void
}

/** Creates a {@link Connection} on an open database. */
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

  /**
   * After some errors, such as a full disk, SQLite has already rolled back, so ROLLBACK fails. The first error is the one to
   * report.
   */
  const rollBack = (): void => {
    try {
      prepare('ROLLBACK').run()
    } catch {
      // If a transaction is still open, the next BEGIN fails.
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

/** The number that a pragma of SQLite reports. */
export function readPragma<
  Name extends 'auto_vacuum' | 'freelist_count' | 'page_count' | 'page_size',
>(connection: Connection, name: Name): number {
  return (connection.get(`PRAGMA ${name}`) as Record<Name, number>)[name]
}
