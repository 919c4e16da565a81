import { type Collection, checkCollection, type Logger, silentLogger } from '@gatehouse/core'
import {
  type Decode,
  decodeInput,
  exactly,
  having,
  listOf,
  loggerPort,
  optional,
  refuse,
} from '@gatehouse/core/input'
import type { PostgresHandle } from './database.ts'
import { createMigrator } from './migrate.ts'
import { createNames } from './names.ts'
import { openDatabase } from './open-database.ts'
import { createOperations } from './operations.ts'
import { decodePlace, placeFields, tableFields } from './place-input.ts'
import { collectionParts, schemaSteps, setVersion, versionTable } from './schema.ts'

/** What {@link migratePostgres} and {@link postgresSchemaSql} make. */
export interface PostgresSchemaOptions {
  /** The collections to be used: those of each service, such as `alertsCollections`. */
  collections: readonly Collection[]
  /** The schema the tables are in (default the first one of the connection). */
  schema?: string
  /** What the names of all tables begin with (default `gatehouse_`). */
  prefix?: string
}

/** Options of {@link migratePostgres}. One of `url` and `database` is given. */
export interface PostgresMigrationOptions extends PostgresSchemaOptions {
  /** Where the database is. */
  url?: string
  /** An open database instead. Its owner closes it. */
  database?: PostgresHandle
  /** Told of what is done (default silent). */
  logger?: Logger
}

const collection: Decode<Collection> = (value) => {
  const expected = 'a collection, as defineCollection() makes it'
  const given = having<Collection>(expected)(value)
  if (typeof given.name !== 'string') return refuse(expected, value)
  try {
    checkCollection(given)
  } catch {
    return refuse(expected, value)
  }
  return given
}

const schemaFields = { collections: listOf(collection), ...tableFields }
const decodeSchema = exactly<PostgresSchemaOptions>(schemaFields)
const decodeMigration = exactly<PostgresMigrationOptions>({
  ...schemaFields,
  ...placeFields,
  logger: optional(loggerPort),
})

/** A migration may have to build an index over a large table; that nobody lets it connect is known sooner. */
const limits = { timeoutMs: 3_600_000, connectTimeoutMs: 10_000 }

/**
 * Makes every table and index that is missing, with the rights that takes; the storage itself then needs none
 * (`migrate: 'manual'`). Several that migrate at once wait for each other. Does nothing where all is there.
 *
 * @throws {GatehouseError} `StorageUnavailable`, `StorageNewerVersion`, `StorageEncoding`; nothing was made.
 */
export async function migratePostgres(given: PostgresMigrationOptions): Promise<void> {
  const options = decodePlace(decodeMigration, given)
  const { collections, schema, prefix = 'gatehouse_', url, database: handle } = options
  const { logger = silentLogger } = options
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

/** The SQL that {@link migratePostgres} would run on an empty database, to review it and to run it by other means. */
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
