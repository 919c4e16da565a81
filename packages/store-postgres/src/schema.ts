import type { Collection } from '@gatehouse/core/store'
import type { Names } from './names.ts'

/** A table or index that a collection needs. */
export interface SchemaPart {
  /** Its name in the catalogue. */
  readonly name: string
  /** The statements that create it. They do nothing if it exists. */
  readonly statements: readonly string[]
}

/**
 * The steps from one schema version to the next; the first one creates version 1. Never change a published step, only add new
 * ones. Processes of two versions may use one database at the same time, and the older ones must go on working: a step only adds,
 * and unused parts are dropped one version later.
 */
export const schemaSteps: readonly ((names: Names) => readonly string[])[] = [
  ({ feeds }) => [
    `CREATE TABLE IF NOT EXISTS ${feeds} (name text PRIMARY KEY, revision bigint NOT NULL, weight bigint NOT NULL)`,
  ],
]

/** Texts compare by their bytes, independent of the language of the database. */
const byBytes = 'COLLATE "C"'

/** The key of a record in an index, as an expression, so that a field that is declared later finds old records too. */
export function keyExpression(collection: Collection, field: string): string {
  if (field === 'id') return 'id'
  const [type, cast] =
    collection.fields[field] === 'number' ? ['number', '::float8'] : ['string', '']
  const key = `CASE WHEN jsonb_typeof(value::jsonb -> '${field}') = '${type}' THEN (value::jsonb ->> '${field}')${cast} END`
  return cast === '' ? `(${key}) ${byBytes}` : `(${key})`
}

/** Everything a collection needs, in the order of creation. */
export function collectionParts(names: Names, collection: Collection): readonly SchemaPart[] {
  const { name, fields } = collection
  const table = names.table(name)
  const parts: SchemaPart[] = [
    {
      name: names.plain(table),
      statements: [
        `CREATE TABLE IF NOT EXISTS ${table} (id text ${byBytes} PRIMARY KEY, version text NOT NULL, expires_at float8, value text NOT NULL)`,
      ],
    },
  ]
  const addIndex = (what: string, rest: string): void => {
    const index = names.index(name, what)
    parts.push({
      name: names.plain(index),
      statements: [`CREATE INDEX IF NOT EXISTS ${index} ON ${table} ${rest}`],
    })
  }
  addIndex('expires_at', '(expires_at) WHERE expires_at IS NOT NULL')
  for (const field of Object.keys(fields)) {
    addIndex(`by_${field}`, `((${keyExpression(collection, field)}), id)`)
  }
  if (collection.feed) parts.push(feedPart(names, collection), unnumberedPart(names, collection))
  return parts
}

/** The oldest row is where the feed begins. Older records are read by find(), not listed by the feed. */
function feedPart(names: Names, { name }: Collection): SchemaPart {
  const feed = names.feed(name)
  return {
    name: names.plain(feed),
    statements: [
      `CREATE TABLE IF NOT EXISTS ${feed} (revision bigint PRIMARY KEY, weight bigint NOT NULL, ids text[] NOT NULL)`,
      `INSERT INTO ${names.feeds} (name, revision, weight) SELECT '${name}', CASE WHEN EXISTS (SELECT 1 FROM ${names.table(name)}) THEN 1 ELSE 0 END, 0 ON CONFLICT (name) DO NOTHING`,
      `INSERT INTO ${feed} (revision, weight, ids) SELECT revision, weight, ARRAY[]::text[] FROM ${names.feeds} WHERE name = '${name}' AND NOT EXISTS (SELECT 1 FROM ${feed})`,
    ],
  }
}

/** Commits that found the feed's counter locked wait here for their number, in order of writing. */
function unnumberedPart(names: Names, { name }: Collection): SchemaPart {
  const unnumbered = names.unnumbered(name)
  return {
    name: names.plain(unnumbered),
    statements: [
      `CREATE TABLE IF NOT EXISTS ${unnumbered} (place bigint GENERATED ALWAYS AS IDENTITY, ids text[] NOT NULL)`,
    ],
  }
}

/** The statement that creates the table of the schema version. */
export const versionTable = ({ version }: Names): string =>
  `CREATE TABLE IF NOT EXISTS ${version} (only_row integer PRIMARY KEY CHECK (only_row = 1), version integer NOT NULL)`

/** The statement that sets the schema version, unless a later one is set. */
export const setVersion = ({ version }: Names, to: number): string =>
  `INSERT INTO ${version} AS known (only_row, version) VALUES (1, ${to}) ON CONFLICT (only_row) DO UPDATE SET version = GREATEST(known.version, excluded.version)`
