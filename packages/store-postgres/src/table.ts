import type { Collection, Instant, Query, StoredRecord, Version } from '@gatehouse/core/store'
import type { Queryable, Row } from './database.ts'
import { findClauses } from './find.ts'
import { fromJsonText } from './json-text.ts'
import type { Names } from './names.ts'

/** A record to write. */
export interface PutRow {
  readonly id: string
  /** The new version of the record. */
  readonly version: Version
  readonly expiresAt: Instant | null
  /** The value as JSON text. */
  readonly text: string
}

/** The precondition of a write: an id, and the expected version. */
export interface VersionedId {
  readonly id: string
  readonly version: Version
}

/**
 * The table of one collection, and its statements. Statements that write return the ids of the rows that met the precondition.
 */
export interface Table {
  readonly collection: Collection
  /** The live records with these ids, in their order. */
  get(on: Queryable, ids: readonly string[], now: Instant): Promise<(StoredRecord | undefined)[]>
  /** Live records that match a checked query. */
  find(on: Queryable, query: Query, now: Instant): Promise<StoredRecord[]>
  /** Writes rows without a precondition. */
  putAny(on: Queryable, rows: readonly PutRow[]): Promise<readonly string[]>
  /** Writes rows for ids without a live record. */
  putNew(on: Queryable, rows: readonly PutRow[], now: Instant): Promise<readonly string[]>
  /** Replaces live records of the given versions. */
  putNext(
    on: Queryable,
    rows: readonly (PutRow & { readonly was: Version })[],
    now: Instant,
  ): Promise<readonly string[]>
  /** Removes rows, live or expired. */
  removeAny(on: Queryable, ids: readonly string[]): Promise<readonly string[]>
  /** Removes live records of the given versions. */
  removeOnly(
    on: Queryable,
    records: readonly VersionedId[],
    now: Instant,
  ): Promise<readonly string[]>
  /** Locks live records of the given versions until the transaction ends. */
  holdPresent(
    on: Queryable,
    records: readonly VersionedId[],
    now: Instant,
  ): Promise<readonly string[]>
  /** Finds ids without a live record, and prevents others from writing them until the transaction ends. */
  holdAbsent(on: Queryable, rows: readonly PutRow[], now: Instant): Promise<readonly string[]>
  /** Deletes at most `limit` expired records, skipping locked ones. */
  sweep(on: Queryable, now: Instant, limit: number): Promise<readonly string[]>
}

const isLive = (parameter: string, of = ''): string =>
  `(${of}expires_at IS NULL OR ${of}expires_at > ${parameter}::float8)`

/** Converts a row of the table to a record. */
export function toRecord({ id, version, expires_at, value }: Row): StoredRecord {
  const record = { id: String(id), value: fromJsonText(String(value)), version: String(version) }
  return expires_at === null ? record : { ...record, expiresAt: Number(expires_at) }
}

const idsOf = async (rows: Promise<readonly Row[]>): Promise<readonly string[]> =>
  (await rows).map(({ id }) => String(id))

/** Creates the statements for the table of a collection, which must exist. */
export function createTable(names: Names, collection: Collection): Table {
  const table = names.table(collection.name)
  const columns = 'id, version, expires_at, value'
  const given = 'unnest($1::text[], $2::text[], $3::float8[], $4::text[])'
  const insert = `INSERT INTO ${table} AS t (${columns}) SELECT * FROM ${given} ON CONFLICT (id) DO UPDATE`
  const overwrite =
    'SET version = excluded.version, expires_at = excluded.expires_at, value = excluded.value'
  const pairs = 'unnest($1::text[], $2::text[])'
  const sql = {
    get: `SELECT ${columns} FROM ${table} WHERE id = ANY($1::text[]) AND ${isLive('$2')}`,
    putAny: `${insert} ${overwrite} RETURNING t.id`,
    putNew: `${insert} ${overwrite} WHERE t.expires_at <= $5::float8 RETURNING t.id`,
    putNext: `UPDATE ${table} AS t SET version = w.version, expires_at = w.expires_at, value = w.value
      FROM unnest($1::text[], $2::text[], $3::float8[], $4::text[], $5::text[]) AS w (${columns}, was)
      WHERE t.id = w.id AND t.version = w.was AND ${isLive('$6', 't.')} RETURNING t.id`,
    removeAny: `DELETE FROM ${table} WHERE id = ANY($1::text[]) RETURNING id`,
    removeOnly: `DELETE FROM ${table} AS t USING ${pairs} AS w (id, version)
      WHERE t.id = w.id AND t.version = w.version AND ${isLive('$3', 't.')} RETURNING t.id`,
    holdPresent: `SELECT t.id FROM ${table} AS t JOIN ${pairs} AS w (id, version) ON t.id = w.id
      WHERE t.version = w.version AND ${isLive('$3', 't.')} ORDER BY t.id FOR SHARE OF t`,
    holdAbsent: `${insert} SET version = t.version WHERE t.expires_at <= $5::float8 RETURNING t.id`,
    release: `DELETE FROM ${table} AS t USING ${pairs} AS w (id, version) WHERE t.id = w.id AND t.version = w.version`,
    sweep: `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE expires_at <= $1::float8 ORDER BY expires_at LIMIT $2::int FOR UPDATE SKIP LOCKED) RETURNING id`,
  }

  return {
    collection,

    async get(on, ids, now) {
      // No stored id contains a NUL, and PostgreSQL rejects one.
      const askable = ids.filter((id) => !id.includes('\0'))
      if (askable.length === 0) return ids.map(() => undefined)
      const records = new Map<string, StoredRecord>()
      for (const row of await on.query(sql.get, [askable, now])) {
        const record = toRecord(row)
        records.set(record.id, record)
      }
      return ids.map((id) => records.get(id))
    },

    async find(on, query, now) {
      const { where, order, values } = findClauses(collection, query)
      const next = values.length + 1
      const text = `SELECT ${columns} FROM ${table} WHERE ${where} AND ${isLive(`$${next}`)} ORDER BY ${order} LIMIT $${next + 1}::int`
      const rows = await on.query(text, [...values, now, query.limit], { planEach: true })
      return rows.map(toRecord)
    },

    putAny: (on, rows) => idsOf(on.query(sql.putAny, columnsOf(rows))),

    putNew: (on, rows, now) => idsOf(on.query(sql.putNew, [...columnsOf(rows), now])),

    putNext: (on, rows, now) =>
      idsOf(on.query(sql.putNext, [...columnsOf(rows), rows.map(({ was }) => was), now])),

    removeAny: (on, ids) => idsOf(on.query(sql.removeAny, [[...ids]])),

    removeOnly: (on, records, now) => idsOf(on.query(sql.removeOnly, [...pairsOf(records), now])),

    holdPresent: (on, records, now) => idsOf(on.query(sql.holdPresent, [...pairsOf(records), now])),

    async holdAbsent(on, rows, now) {
      // Insert a row that has already expired to lock the id. It is deleted before any other transaction can see it.
      const held = await idsOf(on.query(sql.holdAbsent, [...columnsOf(rows), now]))
      await on.query(sql.release, pairsOf(rows))
      return held
    },

    sweep: (on, now, limit) => idsOf(on.query(sql.sweep, [now, limit])),
  }
}

const columnsOf = (rows: readonly PutRow[]): unknown[] => [
  rows.map(({ id }) => id),
  rows.map(({ version }) => version),
  rows.map(({ expiresAt }) => expiresAt),
  rows.map(({ text }) => text),
]

const pairsOf = (records: readonly VersionedId[]): unknown[] => [
  records.map(({ id }) => id),
  records.map(({ version }) => version),
]
