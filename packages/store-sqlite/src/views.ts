import {
  type Decode,
  decodeInput,
  exactly,
  listOf,
  recordViewInput,
  refuse,
} from '@gatehouse/core/input'
import type { RecordView, ViewColumnType } from '@gatehouse/core/store'
import { keyExpression } from './find.ts'

/** Options of {@link sqliteViewsSql}. */
export interface SqliteViewsOptions {
  /** The views, such as `authViews` of `@gatehouse/core/auth`. */
  views: readonly RecordView[]
}

/** The newest values of a record in a feed may stand in its patches, not in its row. */
const viewOfRows: Decode<RecordView> = (value) => {
  const view = recordViewInput(value)
  return view.collection.feed ? refuse('a view of a collection without a feed', value) : view
}

const decodeOptions = exactly<SqliteViewsOptions>({ views: listOf(viewOfRows) })

/**
 * Returns the SQL that creates views with plain columns, for the migrations of an app, to be run by `exec()` of a connection to the
 * file of the storage. It can be run again, by a later version too. The tables need not exist until a view is read.
 *
 * Flags are 0 or 1, instants are text such as `2026-03-04T10:00:00.000Z`, and objects and lists are JSON as text.
 *
 * @throws {GatehouseError} `InvalidInput`
 * @example
 * import { authViews } from '@gatehouse/core/auth'
 * import { sqliteViewsSql } from '@gatehouse/store-sqlite'
 * const sql = sqliteViewsSql({ views: authViews })
 * @see docs/your-own-tables.md#sqlite
 */
export function sqliteViewsSql(options: SqliteViewsOptions): string {
  const { views } = decodeInput('options', decodeOptions, options)
  return views.map(viewSql).join('')
}

function viewSql({ name, collection, columns }: RecordView): string {
  const declared = columns.map(({ name: column, path, type, otherwise }) => {
    const value = read('record', path, type)
    if (otherwise === undefined) return `  ${value} AS "${column}"`
    const other = read('other', otherwise.path, type)
    const order = `${read('other', ['created_at'], 'instant')}, other.id`
    return `  COALESCE(${value}, (SELECT ${other} FROM gatehouse_${otherwise.collection.name} AS other
    WHERE ${keyExpression(otherwise.by)} = record.id AND ${other} IS NOT NULL ORDER BY ${order} LIMIT 1)) AS "${column}"`
  })
  return `DROP VIEW IF EXISTS gatehouse_${name};
CREATE VIEW gatehouse_${name} AS SELECT
  record.id,
${declared.join(',\n')}
FROM gatehouse_${collection.name} AS record
WHERE expires_at IS NULL OR expires_at > (julianday('now') - 2440587.5) * 86400000;
`
}

/** Columns of one step are read as their index has it, so that the index serves conditions on them. */
function read(table: string, path: readonly string[], type: ViewColumnType): string {
  const at = `'$.${path.join('.')}'`
  const value = `json_extract(${table}.value, ${at})`
  switch (type) {
    case 'text':
    case 'flag':
      return value
    case 'instant':
      return `strftime('%Y-%m-%dT%H:%M:%fZ', ${value} / 1000.0, 'unixepoch')`
    case 'json':
      return `(${table}.value -> ${at})`
  }
}
