import type { Collection, Instant, Json, Query, StoredRecord } from '@gatehouse/core/store'
import type { Connection } from './connection.ts'
import type { SqliteStatement } from './database.ts'
import { findClauses, keyExpression } from './find.ts'

/** The rows of one collection. Each method is a statement, or several of them within the caller's transaction. */
export interface Rows {
  /** The live row with this id. */
  get(id: string, now: Instant): StoredRecord | undefined
  /** The live rows with these ids, in no order. */
  getAll(ids: readonly string[], now: Instant): StoredRecord[]
  /** Live rows that match a checked query. */
  find(query: Query, now: Instant): StoredRecord[]
  /** The version and the expiry of a live row. */
  stateOf(id: string, now: Instant): RowState | undefined
  /** Writes a row whether or not there is one, and returns whether it did. */
  put(row: NewRow): boolean
  /** Writes a row if there is no live one, and returns whether it did. */
  putNew(row: NewRow, now: Instant): boolean
  /** Overwrites a live row with one of these versions, and returns whether there was one. */
  putNext(row: NewRow, versions: RowVersions, now: Instant): boolean
  /** Deletes a row, and returns whether there was one. */
  remove(id: string): boolean
  /** Deletes a live row with one of these versions, and returns whether there was one. */
  removeOne(id: string, versions: RowVersions, now: Instant): boolean
  /** Deletes at most `limit` expired rows and returns their ids. */
  sweep(now: Instant, limit: number): string[]
}

/** A row to write. */
export interface NewRow {
  readonly id: string
  readonly version: number
  readonly expires: Instant | null
  /** The value as JSON. */
  readonly text: string
}

/** The version and the expiry of a row. */
export interface RowState {
  readonly version: number
  readonly expires_at: Instant | null
}

/** The versions that a row may have. There may be none. */
export type RowVersions = readonly [least: number, most: number]

interface Row extends RowState {
  readonly id: string
  readonly value: string
}

const toRecord = ({ id, version, expires_at, value }: Row): StoredRecord => ({
  id,
  value: JSON.parse(value) as Json,
  version: String(version),
  ...(expires_at === null ? {} : { expiresAt: expires_at }),
})

const isDone = ({ changes }: ReturnType<SqliteStatement['run']>): boolean => Number(changes) > 0

/** The ids of one statement: enough of them that its own cost does not matter. */
const idsPerRead = 1_000

const isLive = '(expires_at IS NULL OR expires_at > ?)'

/**
 * A limit that is bound again each time. SQLite takes the value of a bare `?` as a hint for the query plan and prepares the
 * statement again at each binding, which takes longer than most queries.
 */
const givenLimit = '? + 0'

/** Creates the missing table and indexes of a collection, and prepares its statements. */
export function openRows(connection: Connection, collection: Collection): Rows {
  const name = `gatehouse_${collection.name}`
  createMissing(connection, collection, name)

  const columns = 'id, version, expires_at, value'
  const overwrite =
    'ON CONFLICT (id) DO UPDATE SET version = excluded.version, expires_at = excluded.expires_at, value = excluded.value'
  const insert = `INSERT INTO ${name} (${columns}) VALUES (?, ?, ?, ?) ${overwrite}`
  const prepare = (sql: string): SqliteStatement => connection.prepare(sql)
  const getOne = prepare(`SELECT ${columns} FROM ${name} WHERE id = ? AND ${isLive}`)
  const getMany = prepare(
    `SELECT ${columns} FROM ${name} WHERE id IN (SELECT value FROM json_each(?)) AND ${isLive}`,
  )
  const putAny = prepare(insert)
  const putNew = prepare(`${insert} WHERE expires_at <= ?`)
  /** SQLite updates an index for every column that is set, even if the value stays the same. */
  const putNextAsLong = prepare(
    `UPDATE ${name} SET version = ?, value = ? WHERE id = ? AND version BETWEEN ? AND ? AND expires_at IS ? AND ${isLive}`,
  )
  const putNext = prepare(
    `UPDATE ${name} SET version = ?, expires_at = ?, value = ? WHERE id = ? AND version BETWEEN ? AND ? AND ${isLive}`,
  )
  const removeAny = prepare(`DELETE FROM ${name} WHERE id = ?`)
  const removeOne = prepare(
    `DELETE FROM ${name} WHERE id = ? AND version BETWEEN ? AND ? AND ${isLive}`,
  )
  const getState = prepare(`SELECT version, expires_at FROM ${name} WHERE id = ? AND ${isLive}`)
  const sweepSome = prepare(
    `DELETE FROM ${name} WHERE rowid IN (SELECT rowid FROM ${name} WHERE expires_at <= ? ORDER BY expires_at LIMIT ${givenLimit}) RETURNING id`,
  )

  return {
    get(id, now) {
      const row = (getOne.get(id, now) ?? undefined) as Row | undefined
      // A driver may pass a lone surrogate in the requested id on as U+FFFD.
      return row === undefined || row.id !== id ? undefined : toRecord(row)
    },

    getAll(ids, now) {
      const records: StoredRecord[] = []
      for (let at = 0; at < ids.length; at += idsPerRead) {
        const rows = getMany.all(JSON.stringify(ids.slice(at, at + idsPerRead)), now) as Row[]
        for (const row of rows) records.push(toRecord(row))
      }
      return records
    },

    find(query, now) {
      const { where, order, values } = findClauses(collection, query)
      const sql = `SELECT ${columns} FROM ${name} WHERE ${where} AND ${isLive} ORDER BY ${order} LIMIT ${givenLimit}`
      return (prepare(sql).all(...values, now, query.limit) as Row[]).map(toRecord)
    },

    stateOf: (id, now) => (getState.get(id, now) ?? undefined) as RowState | undefined,

    put: ({ id, version, expires, text }) => isDone(putAny.run(id, version, expires, text)),

    putNew: ({ id, version, expires, text }, now) =>
      isDone(putNew.run(id, version, expires, text, now)),

    putNext: ({ id, version, expires, text }, [least, most], now) =>
      isDone(putNextAsLong.run(version, text, id, least, most, expires, now)) ||
      isDone(putNext.run(version, expires, text, id, least, most, now)),

    remove: (id) => isDone(removeAny.run(id)),

    removeOne: (id, [least, most], now) => isDone(removeOne.run(id, least, most, now)),

    sweep: (now, limit) => (sweepSome.all(now, limit) as { id: string }[]).map(({ id }) => id),
  }
}

/** Every index is on an expression that SQLite computes, so that it includes old records when a field is declared later. */
function createMissing(connection: Connection, collection: Collection, name: string): void {
  const wanted = new Map<string, string>()
  wanted.set(
    name,
    `CREATE TABLE ${name} (id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, expires_at INTEGER, value TEXT NOT NULL)`,
  )
  wanted.set(
    `${name}.expires_at`,
    `CREATE INDEX "${name}.expires_at" ON ${name} (expires_at) WHERE expires_at IS NOT NULL`,
  )
  for (const field of Object.keys(collection.fields)) {
    const index = `${name}.by_${field}`
    wanted.set(index, `CREATE INDEX "${index}" ON ${name} (${keyExpression(field)}, id)`)
  }
  if (collection.feed) {
    const feed = `${name}.feed`
    wanted.set(
      feed,
      `CREATE TABLE "${feed}" (revision INTEGER PRIMARY KEY, weight INTEGER NOT NULL, ids TEXT NOT NULL)`,
    )
  }
  const isThere = (entry: string): boolean =>
    connection.get('SELECT 1 FROM sqlite_schema WHERE name = ? COLLATE NOCASE', entry) !== undefined
  if ([...wanted.keys()].every(isThere)) return
  connection.write(() => {
    const isNew = !isThere(name)
    for (const [entry, sql] of wanted) {
      if (isThere(entry)) continue
      connection.exec(sql)
      if (!entry.endsWith('.feed')) continue
      // The first row marks where the feed begins. Older records are read by find().
      const begin = isNew ? '0' : '(SELECT commits FROM gatehouse__counter)'
      connection.exec(`INSERT INTO "${entry}" (revision, weight, ids) VALUES (${begin}, 0, '[]')`)
    }
  })
}
