import {
  collectionInput,
  decodeInput,
  exactly,
  listOf,
  loggerPort,
  optional,
} from '@gatehouse/core/input'
import { type Collection, type Logger, loggerOf } from '@gatehouse/core/store'
import type { PostgresHandle } from './database.ts'
import { createMigrator } from './migrate.ts'
import { createNames } from './names.ts'
import { openDatabase } from './open-database.ts'
import { createOperations } from './operations.ts'
import { decodePlace, placeFields, tableFields } from './place-input.ts'
import { collectionParts, schemaSteps, setVersion, versionTable } from './schema.ts'

/** The tables for {@link migratePostgres} and {@link postgresSchemaSql}. */
export interface PostgresSchemaOptions {
  /** The collections of each service in use, such as `alertsCollections`. */
  collections: readonly Collection[]
  /** The schema of the tables (default the first schema in the search path of the connection). */
  schema?: string
  /** The prefix of all table names (default `gatehouse_`). */
  prefix?: string
}

/** Options of {@link migratePostgres}. One of `url` and `database` is given. */
export interface PostgresMigrationOptions extends PostgresSchemaOptions {
  /** The URL of the database. */
  url?: string
  /** An open database to use instead. Its owner closes it. */
  database?: PostgresHandle
  /** Receives a message for each migration (default silent). */
  logger?: Logger | false
}

const schemaFields = { collections: listOf(collectionInput), ...tableFields }
const decodeSchema = exactly<PostgresSchemaOptions>(schemaFields)
const decodeMigration = exactly<PostgresMigrationOptions>({
  ...schemaFields,
  ...placeFields,
  logger: optional(loggerPort),
})

/** Building an index over a large table may take long; a failure to connect is reported sooner. */
const limits = { timeoutMs: 3_600_000, connectTimeoutMs: 10_000 }

/**
 * Creates all missing tables and indexes. This needs the right to create them; the storage itself then does not (`migrate:
 * 'manual'`). Concurrent migrations wait for each other. Does nothing if everything exists.
 *
 * @throws {GatehouseError} `StorageUnavailable`, `StorageNewerVersion` or `StorageEncoding`; nothing was created.
 */
export async function migratePostgres(given: PostgresMigrationOptions): Promise<void> {
  const options = decodePlace(decodeMigration, given)
  const { collections, schema, prefix = 'gatehouse_', url, database: handle } = options
  const logger = loggerOf(options.logger)
  const names = createNames({ schema, prefix })
  const database = openDatabase({ url, database: handle, maxConnections: 2, ...limits, logger })
  const operations = createOperations({ limit: 1 })
  try {
    const migrator = createMigrator(database, { names, migrate: 'auto', logger })
    await operations.run(() => migrator.prepare(collections))
  } finally {
    await database.close()
  }
}

/** Returns the SQL that {@link migratePostgres} would run on an empty database, to review it and run it by other means. */
export function postgresSchemaSql(options: PostgresSchemaOptions): string {
  const {
    collections,
    schema,
    prefix = 'gatehouse_',
  } = decodeInput('options', decodeSchema, options)
  const names = createNames({ schema, prefix })
  const statements = [
    'BEGIN',
    `SELECT pg_advisory_xact_lock(${names.lock})`,
    ...(schema === undefined ? [] : [`CREATE SCHEMA IF NOT EXISTS "${schema}"`]),
    versionTable(names),
    ...schemaSteps.flatMap((step) => step(names)),
    setVersion(names, schemaSteps.length),
    ...collections.flatMap((collection) =>
      collectionParts(names, collection).flatMap((part) => part.statements),
    ),
    'COMMIT',
  ]
  return statements.map((statement) => `${statement};\n`).join('')
}
