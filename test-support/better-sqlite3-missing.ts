import type { SqliteDatabase, SqliteStatement, SqliteValue } from '@gatehouse/store-sqlite'

/** The part of `node:sqlite` that is used. Its types are not in those of Node.js 20. */
type DatabaseSync = new (filename: string, options: { readOnly: boolean }) => SqliteDatabase

const { DatabaseSync } = process.getBuiltinModule('node:sqlite') as unknown as {
  DatabaseSync: DatabaseSync
}

type Row = Record<string, SqliteValue>
type Statement = SqliteStatement & Record<'pluck' | 'raw', () => SqliteStatement>

/** A statement that returns a part of each row. */
const partsOf = (statement: SqliteStatement, part: (row: Row) => unknown): SqliteStatement => ({
  run: (...values) => statement.run(...values),
  get: (...values) => {
    const row = statement.get(...values) as Row | undefined
    return row === undefined ? undefined : part(row)
  },
  all: (...values) => (statement.all(...values) as Row[]).map(part),
})

/** Stands in tests for the class of better-sqlite3 on a Node.js for which that was not built. Has the methods that tests call. */
export default class Database extends DatabaseSync {
  open = true

  constructor(filename: string, { readonly = false, timeout = 5_000 } = {}) {
    super(filename, { readOnly: readonly })
    this.exec(`PRAGMA busy_timeout = ${timeout}`)
  }

  override prepare(sql: string): Statement {
    const statement = super.prepare(sql)
    return Object.assign(statement, {
      pluck: () => partsOf(statement, (row) => Object.values(row)[0]),
      raw: () => partsOf(statement, (row) => Object.values(row)),
    })
  }

  /** The first value with `simple`, else the rows. */
  pragma(text: string, { simple = false } = {}): unknown {
    const rows = this.prepare(`PRAGMA ${text}`).all()
    return simple ? Object.values(rows[0] as object)[0] : rows
  }

  override close(): void {
    if (this.open) super.close()
    this.open = false
  }
}
