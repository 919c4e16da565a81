import { decodeInput, exactly, listOf, recordViewInput } from '@gatehouse/core/input'
import type { RecordView, ViewColumnType } from '@gatehouse/core/store'
import { createNames } from './names.ts'
import { tableFields } from './place-input.ts'
import { keyExpression } from './schema.ts'

/** Options of {@link postgresViewsSql}. */
export interface PostgresViewsOptions {
  /** The views, such as `authViews` of `@gatehouse/core/auth`. */
  views: readonly RecordView[]
  /** The schema of the tables and the views (default the first schema in the search path of the connection). */
  schema?: string
  /** The prefix of all names (default `gatehouse_`). */
  prefix?: string
}

const decodeOptions = exactly<PostgresViewsOptions>({
  views: listOf(recordViewInput),
  ...tableFields,
})

/**
 * Returns the SQL that creates views with plain columns, for the migrations of an app. It can be run again, by a later version
 * too. The tables must exist.
 *
 * The storage does not create the views itself: PostgreSQL refuses to alter a table under a view, so a view must be yours to drop
 * before an upgrade that says so.
 *
 * @throws {GatehouseError} `InvalidInput`
 * @example
 * import { authViews } from '@gatehouse/core/auth'
 * import { postgresViewsSql } from '@gatehouse/store-postgres'
 * const sql = postgresViewsSql({ views: authViews })
 * @see docs/your-own-tables.md#views-with-plain-columns
 */
export function postgresViewsSql(options: PostgresViewsOptions): string {
  const { views, schema, prefix = 'gatehouse_' } = decodeInput('options', decodeOptions, options)
  const names = createNames({ schema, prefix })
  const statements = views.map(({ name, collection, columns }) => {
    const declared = columns.map(({ name: column, path, type, otherwise }) => {
      const [field = ''] = path
      // As the index has it, so that the index serves conditions on the column.
      const isIndexed = path.length === 1 && collection.fields[field] === 'text'
      const value = isIndexed ? keyExpression(collection, field) : read(path, type)
      if (otherwise === undefined) return `  ${value} AS "${column}"`
      const other = read(otherwise.path, type)
      const owner = keyExpression(otherwise.collection, otherwise.by)
      return `  COALESCE(${value}, (SELECT ${other} FROM ${names.table(otherwise.collection.name)}
    WHERE ${owner} = record.id AND ${other} IS NOT NULL ORDER BY ${read(['created_at'], 'instant')}, id LIMIT 1)) AS "${column}"`
    })
    return `CREATE OR REPLACE VIEW ${names.table(name)} AS SELECT
  id,
${declared.join(',\n')}
FROM ${names.table(collection.name)} AS record
WHERE expires_at IS NULL OR expires_at > extract(epoch FROM now()) * 1000`
  })
  return statements.map((statement) => `${statement};\n`).join('')
}

function read(path: readonly string[], type: ViewColumnType): string {
  const at = `'{${path.join(',')}}'`
  const text = `(value::jsonb #>> ${at})`
  switch (type) {
    case 'text':
      return text
    case 'flag':
      return `${text}::boolean`
    case 'instant':
      return `to_timestamp(${text}::float8 / 1000)`
    case 'json':
      return `(value::jsonb #> ${at})`
  }
}
