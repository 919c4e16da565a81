import type { Collection, Logger } from '@gatehouse/core/store'
import type { Database, Queryable } from './database.ts'
import { isSchemaRace, isUnsupported, newerVersion, notMigrated, wrongEncoding } from './errors.ts'
import type { Names } from './names.ts'
import { collectionParts, schemaSteps, setVersion, versionTable } from './schema.ts'

/** The part of a database that a migration uses. */
export type MigratedDatabase = Pick<Database, 'query' | 'transaction'>

/** Options of {@link createMigrator}. */
export interface MigratorOptions {
  names: Names
  /** `manual`: create nothing, reject if something is missing. */
  migrate: 'auto' | 'manual'
  logger: Logger
  steps?: typeof schemaSteps
}

/** Creates the tables and indexes that the store needs. */
export interface Migrator {
  /**
   * Makes sure that the schema version is current and that the tables of the collections exist.
   *
   * @throws {GatehouseError} `StorageNewerVersion`, `StorageEncoding` or `StorageNotMigrated`; nothing was created.
   */
  prepare(collections: readonly Collection[]): Promise<void>
}

/** The number of attempts at a migration that collides with another one. */
const maxRaces = 10

/** Creates a {@link Migrator} for one database. */
export function createMigrator(database: MigratedDatabase, options: MigratorOptions): Migrator {
  const { names, migrate, logger, steps = schemaSteps } = options
  /** Whether the engine has advisory locks. Without them, two migrations create the same object, and one of them fails. */
  let hasLocks = true
  let isCurrent = false

  const plain = [names.version, names.feeds].map(names.plain)

  /** The schema version; 0 in an empty database. */
  const readVersion = async (on: Queryable): Promise<number> => {
    const there = await existing(on, names, plain)
    if (!there.has(plain[0] ?? '')) return 0
    const [row] = await on.query(`SELECT version FROM ${names.version}`)
    const version = Number(row?.version ?? 0)
    if (version > steps.length) throw newerVersion(version, steps.length)
    return version
  }

  const make = (collections: readonly Collection[]): Promise<void> =>
    database.transaction(async (transaction) => {
      if (hasLocks)
        await transaction.query('SELECT pg_advisory_xact_lock($1::bigint)', [names.lock])
      const version = await readVersion(transaction)
      const statements = [
        ...(await schemaStatement(transaction, names)),
        ...(version < steps.length ? [versionTable(names)] : []),
        ...steps.slice(version).flatMap((step) => step(names)),
        ...(version < steps.length ? [setVersion(names, steps.length)] : []),
        ...(await missingParts(transaction, names, collections)).flatMap((part) => part.statements),
      ]
      for (const statement of statements) await transaction.query(statement)
      if (version > 0 && version < steps.length) {
        logger.info({ from: version, to: steps.length }, 'upgraded the schema of the database')
      }
    })

  const makeAlone = async (collections: readonly Collection[]): Promise<void> => {
    for (let race = 1; ; race++) {
      try {
        return await make(collections)
      } catch (error) {
        if (hasLocks && isUnsupported(error)) hasLocks = false
        else if (!isSchemaRace(error) || race >= maxRaces) throw error
      }
    }
  }

  const findMissing = async (collections: readonly Collection[]): Promise<readonly string[]> => {
    const version = isCurrent ? steps.length : await readVersion(database)
    if (version === 0) return plain
    if (version < steps.length) return [`version ${steps.length} of its schema`]
    return (await missingParts(database, names, collections)).map(({ name }) => name)
  }

  return {
    async prepare(collections) {
      if (!isCurrent) await checkEncoding(database)
      const missing = await findMissing(collections)
      if (missing.length > 0) {
        if (migrate === 'manual') throw notMigrated(missing)
        await makeAlone(collections)
      }
      isCurrent = true
    },
  }
}

async function checkEncoding(database: MigratedDatabase): Promise<void> {
  const [row] = await database.query('SHOW server_encoding')
  const encoding = String(Object.values(row ?? {})[0] ?? '').toUpperCase()
  if (!/^UTF-?8$/.test(encoding)) throw wrongEncoding(encoding)
}

/** Creating a schema needs a right that the user may lack, even if the schema exists. */
async function schemaStatement(on: Queryable, { schema }: Names): Promise<readonly string[]> {
  if (schema === undefined) return []
  const rows = await on.query('SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1', [schema])
  return rows.length > 0 ? [] : [`CREATE SCHEMA IF NOT EXISTS "${schema}"`]
}

async function missingParts(
  on: Queryable,
  names: Names,
  collections: readonly Collection[],
): Promise<readonly { readonly name: string; readonly statements: readonly string[] }[]> {
  const parts = collections.flatMap((collection) => collectionParts(names, collection))
  const there = await existing(
    on,
    names,
    parts.map(({ name }) => name),
  )
  return parts.filter(({ name }) => !there.has(name))
}

/** The names of these tables and indexes that exist. */
async function existing(
  on: Queryable,
  { schema }: Names,
  wanted: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await on.query(
    `SELECT c.relname AS name FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = COALESCE($1::text, current_schema()) AND c.relname = ANY($2::text[])`,
    [schema ?? null, [...wanted]],
  )
  return new Set(rows.map(({ name }) => String(name)))
}
