import {
  type Collection,
  type Instant,
  type Json,
  type Query,
  type StoredRecord,
  storageConflict,
  type Version,
  type Write,
} from '@gatehouse/core/store'
import type { Connection } from './connection.ts'
import type { SqliteStatement, SqliteValue } from './database.ts'
import { createFeed, type Feed } from './feed.ts'
import {
  isPatchWrite,
  type NewPatch,
  type Patch,
  type Patches,
  patchedRecord,
  patchNames,
} from './patches.ts'

/** The table of one collection. Each method runs within the caller's transaction, or is a single statement. */
export interface Table {
  /** The name of the collection. */
  readonly name: string
  /** The feed of the collection, if it has one. Only records of a collection with a feed have patches. */
  readonly feed: Feed | undefined
  get(id: string, now: Instant): StoredRecord | undefined
  /** Live records that match a checked query. */
  find(query: Query, now: Instant): StoredRecord[]
  /**
   * Writes a value if the precondition holds, or only adds its changes to `commit.patches`. `text` is the value as JSON, if it was
   * made already.
   *
   * @throws {GatehouseError} `StorageConflict` if the precondition does not hold.
   */
  put(write: PutWrite, text: string | undefined, commit: CommitMark): StoredRecord
  /** Removes a record if the precondition holds, and returns whether it existed. */
  remove(write: RemoveWrite, now: Instant): boolean
  /** @throws {GatehouseError} `StorageConflict` if the version is not the current one. */
  check(id: string, expected: 'absent' | Version, now: Instant): void
  /** Deletes at most `limit` expired records and returns their ids. */
  sweep(now: Instant, limit: number): string[]
}

/** A {@link Write} with a value. */
export type PutWrite = Extract<Write, { readonly value: Json }>
/** A {@link Write} that removes. */
export type RemoveWrite = Extract<Write, { readonly value: undefined }>

/** The data that all writes of a commit share. */
export interface CommitMark {
  /** The number of the commit, which is the version of its records. */
  readonly revision: number
  readonly now: Instant
  /** Changes whenever another connection is found to have committed. */
  readonly epoch: number
  /** The patches of the commit. */
  readonly patches: NewPatch[]
}

interface Row {
  readonly id: string
  readonly version: number
  readonly expires_at: number | null
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

/**
 * Creates the missing table and indexes of a collection, and prepares its statements. `file` is the name of the database in
 * messages.
 */
export function openTable(
  connection: Connection,
  collection: Collection,
  { file, patches }: { file: string; patches: Patches },
): Table {
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
  const getVersion = prepare(`SELECT version, expires_at FROM ${name} WHERE id = ? AND ${isLive}`)
  const sweepSome = prepare(
    `DELETE FROM ${name} WHERE rowid IN (SELECT rowid FROM ${name} WHERE expires_at <= ? ORDER BY expires_at LIMIT ${givenLimit}) RETURNING id`,
  )

  const patchFor = (id: string): Patch | undefined => patches.get(collection.name, id)

  const get = (id: string, now: Instant): StoredRecord | undefined => {
    const row = (getOne.get(id, now) ?? undefined) as Row | undefined
    // A driver may pass a lone surrogate in the requested id on as U+FFFD.
    return row === undefined || row.id !== id
      ? undefined
      : patchedRecord(toRecord(row), patchFor(id))
  }

  const getAll = (ids: readonly string[], now: Instant): Map<string, StoredRecord> => {
    const records = new Map<string, StoredRecord>()
    for (let at = 0; at < ids.length; at += idsPerRead) {
      const rows = getMany.all(JSON.stringify(ids.slice(at, at + idsPerRead)), now) as Row[]
      for (const row of rows) records.set(row.id, patchedRecord(toRecord(row), patchFor(row.id)))
    }
    return records
  }

  /** The versions that the row of a record may have if this is the current version of the record. There may be none. */
  const rowVersions = (id: string, version: Version): readonly [least: number, most: number] => {
    const current = Number(version)
    const { revision = 0 } = patchFor(id) ?? {}
    if (revision > current) return [1, 0]
    return revision === current ? [0, current - 1] : [current, current]
  }

  const isPut = (write: PutWrite, text: string, { revision, now }: CommitMark): boolean => {
    const { id, expiresAt: expires = null } = write
    if (write.if === undefined) return isDone(putAny.run(id, revision, expires, text))
    if (write.if === 'absent') return isDone(putNew.run(id, revision, expires, text, now))
    const [least, most] = rowVersions(id, write.if)
    return (
      isDone(putNextAsLong.run(revision, text, id, least, most, expires, now)) ||
      isDone(putNext.run(revision, expires, text, id, least, most, now))
    )
  }

  /** The version and the expiry of a live record. */
  const currentOf = (
    id: string,
    now: Instant,
  ): { version: number; expires_at: number | null } | undefined => {
    const row = (getVersion.get(id, now) ?? undefined) as
      | { version: number; expires_at: number | null }
      | undefined
    return row && { ...row, version: Math.max(row.version, patchFor(id)?.revision ?? 0) }
  }

  /** Adds the changes of a write to the patches of the commit. Returns whether that is all it needs. */
  const isPatched = (write: PutWrite, mark: CommitMark): boolean => {
    if (!isPatchWrite(write)) return false
    const { id, value } = write
    const { revision, epoch } = mark
    const newest = patchFor(id)
    const version = Number(write.if)
    const before = newest?.revision === version ? newest : undefined
    if (before?.epoch !== epoch) {
      const current = currentOf(id, mark.now)
      if (current?.version !== version) throw storageConflict(collection, id)
      if (current.expires_at !== null) return false
    }
    const patch = {
      revision,
      names: patchNames(write, before),
      values: value as Patch['values'],
      epoch,
    }
    mark.patches.push({ collection: collection.name, id, patch })
    return true
  }

  return {
    name: collection.name,
    feed: collection.feed
      ? createFeed(connection, { file, table: `"${name}.feed"`, getAll })
      : undefined,
    get,

    find(query, now) {
      const { where, order, values } = findClauses(collection, query)
      const sql = `SELECT ${columns} FROM ${name} WHERE ${where} AND ${isLive} ORDER BY ${order} LIMIT ${givenLimit}`
      const rows = prepare(sql).all(...values, now, query.limit) as Row[]
      return rows.map((row) => patchedRecord(toRecord(row), patchFor(row.id)))
    },

    put(write, text, mark) {
      const { id, value, expiresAt } = write
      if (!isPatched(write, mark) && !isPut(write, text ?? JSON.stringify(value), mark)) {
        throw storageConflict(collection, id)
      }
      const version = String(mark.revision)
      return expiresAt === undefined ? { id, value, version } : { id, value, version, expiresAt }
    },

    remove(write, now) {
      const { id } = write
      if (write.if === undefined) return Number(removeAny.run(id).changes) > 0
      if (Number(removeOne.run(id, ...rowVersions(id, write.if), now).changes) === 0) {
        throw storageConflict(collection, id)
      }
      return true
    },

    check(id, expected, now) {
      const current = currentOf(id, now)
      const version = current === undefined ? 'absent' : String(current.version)
      if (version !== expected) throw storageConflict(collection, id)
    },

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

/** What the index of a field contains. */
export const keyExpression = (by: string): string =>
  by === 'id' ? 'id' : `json_extract(value, '$.${by}')`

/** A driver may cut a text at its NUL, but not bytes. */
const hasNul = (value: SqliteValue | undefined): value is string =>
  typeof value === 'string' && value.includes('\0')

const placeOf = (value: SqliteValue | undefined): string =>
  hasNul(value) ? 'CAST(? AS TEXT)' : '?'

interface FindClauses {
  readonly where: string
  readonly order: string
  readonly values: readonly SqliteValue[]
}

/**
 * Returns the clauses of a query, written so that the index alone gives the order. SQLite does not recognize that in a comparison
 * of (key, id) pairs.
 */
function findClauses(collection: Collection, query: Query): FindClauses {
  const { by, equals, from, to, after } = query
  const key = keyExpression(by)
  const direction = query.order === 'desc' ? 'DESC' : 'ASC'
  const beyond = query.order === 'desc' ? '<' : '>'
  const conditions: string[] = []
  const values: SqliteValue[] = []
  const add = (condition: string, ...given: SqliteValue[]): void => {
    const places = condition.split('?')
    conditions.push(places.reduce((sql, place, index) => sql + placeOf(given[index - 1]) + place))
    values.push(...given.map((value) => (hasNul(value) ? Buffer.from(value) : value)))
  }
  if (equals !== undefined) {
    add(`${key} = ?`, equals)
    if (after !== undefined) add(`id ${beyond} ?`, after.id)
    return { where: conditions.join(' AND '), order: `id ${direction}`, values }
  }
  // Always set a lower bound: records without the field come first in its index.
  const isNumber = by !== 'id' && collection.fields[by] === 'number'
  add(`${key} >= ?`, from ?? (isNumber ? Number.NEGATIVE_INFINITY : ''))
  if (to !== undefined) add(`${key} < ?`, to)
  if (by === 'id') {
    if (after !== undefined) add(`id ${beyond} ?`, after.key)
    return { where: conditions.join(' AND '), order: `id ${direction}`, values }
  }
  if (after !== undefined) {
    add(`${key} ${beyond}= ?`, after.key)
    add(`(${key} ${beyond} ? OR id ${beyond} ?)`, after.key, after.id)
  }
  const order = `${key} ${direction}, id ${direction}`
  return { where: conditions.join(' AND '), order, values }
}
