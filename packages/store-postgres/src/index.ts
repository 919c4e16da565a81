import {
  clockPort,
  decodeInput,
  exactly,
  flag,
  loggerPort,
  oneOf,
  optional,
  wholeFrom,
} from '@gatehouse/core/input'
import {
  type Clock,
  type Collection,
  checkQuery,
  checkWrites,
  type DescribedStorage,
  type Logger,
  loggerOf,
  storageClosed,
  systemClock,
  type TransactionStorage,
  type Version,
  withoutFeed,
} from '@gatehouse/core/store'
import { type Commit, type CommitPart, planCommit, withParts, writtenVersions } from './commit.ts'
import type { Database, PostgresHandle, PostgresPool } from './database.ts'
import { createNames, type NameOptions } from './names.ts'
import { openDatabase } from './open-database.ts'
import type { OpenedCollection } from './opened-collections.ts'
import { createOperations } from './operations.ts'
import { decodePlace, hasMethod, placeFields, transactionClient } from './place-input.ts'
import { createStorageTables } from './storage-tables.ts'
import { createTransactionStorage, type PostgresTransaction } from './transaction.ts'

export type {
  PostgresClient,
  PostgresHandle,
  PostgresPool,
  PostgresSession,
  PostgresSql,
} from './database.ts'
export {
  migratePostgres,
  type PostgresMigrationOptions,
  type PostgresSchemaOptions,
  postgresSchemaSql,
} from './migration.ts'
export { type PostgresSnapshotOptions, readPostgresSnapshot } from './snapshot.ts'

export type {
  PostgresTransaction,
  PostgresTransactionClient,
  PostgresTransactionSql,
} from './transaction.ts'
export { type PostgresViewsOptions, postgresViewsSql } from './views.ts'

/** Options of {@link createPostgresStorage}. One of `url` and `database` is given. */
export interface PostgresStorageOptions {
  /** The URL of the database, as `postgres://user:password@host:5432/name`. The storage opens a pool of `pg` and closes it. */
  url?: string
  /**
   * An open database to use instead: a `Pool` of `pg`, a `PGlite`, a `sql` of `postgres`, or an object of the same shape. Its
   * owner closes it.
   */
  database?: PostgresHandle
  /** The schema of the tables (default the first schema in the search path of the connection, usually `public`). */
  schema?: string
  /** The prefix of all table names: at most 16 lower case letters, digits and underscores (default `gatehouse_`). */
  prefix?: string
  /**
   * Whether to create missing tables and indexes (`auto`), or to reject (`manual`, for a user without the right to create them)
   * (default `auto`).
   */
  migrate?: 'auto' | 'manual'
  /**
   * The number of connections that the pool of `url` opens for statements. It opens one more to listen to other processes
   * (default 10).
   */
  maxConnections?: number
  /**
   * Whether to prepare statements once for each connection, which makes commits about twice as cheap (default true with `url`,
   * false with `database`). A pooler in between must support prepared statements: PgBouncer does from 1.21 on.
   */
  prepare?: boolean
  /** How many operations may run or wait for a connection. Further ones are rejected (default 1,000). */
  maxPending?: number
  /** How long one attempt waits for a connection, and then for its answer, in milliseconds (default 10,000). */
  timeoutMs?: number
  /**
   * The clock for expiry times (default the machine's clock). The clocks of all processes must agree within what leases allow
   * for.
   */
  clock?: Clock
  /** Receives messages about migrations and reduced performance (default silent). */
  logger?: Logger | false
}

const positive = optional(wholeFrom(1, 2 ** 31 - 1))

const decodeOptions = exactly<PostgresStorageOptions>({
  ...placeFields,
  migrate: optional(oneOf(['auto', 'manual'])),
  maxConnections: positive,
  prepare: optional(flag),
  maxPending: positive,
  timeoutMs: positive,
  clock: optional(clockPort),
  logger: optional(loggerPort),
})

/** A Storage in a PostgreSQL database. */
export interface PostgresStorage extends DescribedStorage {
  /**
   * The storage within a transaction that the app has begun on a connection to the same database: pass it to `withStorage()`. Its
   * commits are savepoints: they are stored if the app commits, and a conflict among them does not fail the transaction. Records
   * that it writes stay locked until the app commits or rolls back, so do that soon.
   *
   * Its methods reject with `NotInTransaction` if the client is not in a transaction, `TransactionOver` if it is no longer in the
   * same one, `TransactionFailed` after a failed statement of the app, and `TransactionCollision` if PostgreSQL refuses it because
   * of a concurrent transaction; then repeat the whole transaction.
   *
   * @param client a client of `pg` after `BEGIN`, or the argument of the function that `transaction()` of PGlite or `begin()` of
   * `postgres` calls. Await each call before you use it again.
   * @throws {GatehouseError} `InvalidInput` if it cannot be in a transaction, such as a pool; `StorageClosed`.
   * @see docs/your-own-tables.md#one-transaction
   */
  within(client: PostgresTransaction): TransactionStorage
}

/**
 * A Storage in a PostgreSQL database, which any number of processes may share. It connects at the first call. While the database
 * cannot be reached, calls reject; later calls reconnect by themselves.
 *
 * Its methods reject with `StorageUnavailable` if the database cannot be reached, does not answer in time or refuses a statement,
 * `StorageNewerVersion` if a newer version made the tables, `StorageNotMigrated`, `StorageEncoding` if the database is not in
 * UTF-8, and `StorageDriverMissing` if `pg` is not installed.
 *
 * @throws {GatehouseError} `InvalidInput` if an option is not valid.
 */
export function createPostgresStorage(given: PostgresStorageOptions): PostgresStorage {
  const settings = settingsOf(decodePlace(decodeOptions, given))
  const { database: handle, migrate, maxPending, clock, logger } = settings
  const names = createNames(settings)
  const database = openDatabase(settings)
  const operations = createOperations({ limit: maxPending })
  const nextVersion = createVersions()
  const tables = createStorageTables(database, { names, migrate, self: nextVersion(), logger })
  const { collections } = tables

  const read = <T>(
    collection: Collection,
    work: (opened: OpenedCollection) => Promise<T>,
  ): Promise<T> =>
    operations.run(
      () => collections.use([collection], ([opened]) => work(opened as OpenedCollection)),
      { repeatable: () => true },
    )

  /** The commit before it has succeeded, so its failures are not reported to the caller. */
  const followUp = (parts: readonly CommitPart[]): void => {
    tables.notify(parts)
    operations.run(() => tables.sweep(clock.now())).catch(() => undefined)
  }

  const isExclusive = handle !== undefined && hasOneConnection(handle)
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await operations.close()
    await tables.close()
    await database.close()
  }

  return {
    get: (collection, ids) =>
      read(collection, ({ table }) => table.get(database, ids, clock.now())),

    find: (collection, query) =>
      read(collection, async ({ table }) =>
        table.find(database, checkQuery(collection, query), clock.now()),
      ),

    async commit(writes) {
      let commit: Commit | undefined
      return operations.run(
        async () => {
          checkWrites(writes)
          if (writes.length === 0) return []
          return withParts(writes, collections, async (parts) => {
            const version = nextVersion()
            commit = planCommit(database, parts, version)
            await commit.make(clock.now())
            followUp(parts)
            return writtenVersions(writes, version)
          })
        },
        { repeatable: () => commit?.repeatable !== false },
      )
    },

    changes(collection, since) {
      // Views ask before every answer, so answers from memory must cost next to nothing.
      if (operations.mayAnswer()) {
        const remembered = collections.feedOf(collection)?.remembered(since, clock.now())
        if (remembered !== undefined) return remembered
      }
      return read(collection, async ({ feed }) => {
        if (feed === undefined) throw withoutFeed(collection)
        return feed.changes(database, since, clock.now())
      })
    },

    describe: () =>
      operations.run(async () => ({ kind: 'postgres', bytes: await sizeOf(database, settings) }), {
        repeatable: () => true,
      }),

    within(client) {
      if (closing !== undefined) throw storageClosed()
      return createTransactionStorage({
        client: decodeInput('client', transactionClient, client),
        clock,
        isExclusive,
        nextVersion,
        // The tables are made outside of the transaction, if that is possible: making them locks more than records.
        collections: isExclusive ? tables.within : () => collections,
        channel: database.listen === undefined ? undefined : names.channel,
      })
    },

    close() {
      closing ??= close()
      return closing
    },
  }
}

/** The options with their defaults. */
const settingsOf = (options: PostgresStorageOptions) => ({
  url: options.url,
  database: options.database,
  schema: options.schema,
  prefix: options.prefix ?? 'gatehouse_',
  migrate: options.migrate ?? 'auto',
  maxConnections: options.maxConnections ?? 10,
  prepare: options.prepare ?? options.url !== undefined,
  maxPending: options.maxPending ?? 1_000,
  timeoutMs: options.timeoutMs ?? 10_000,
  clock: options.clock ?? systemClock,
  logger: loggerOf(options.logger),
})

/** Whether a database has one connection, as far as it says. */
const hasOneConnection = (handle: PostgresHandle): boolean =>
  hasMethod(handle, 'transaction') || (handle as PostgresPool).options?.max === 1

/** The bytes of all tables with the prefix, their indexes included. */
async function sizeOf(database: Database, { schema, prefix }: NameOptions): Promise<number> {
  const [row] = await database.query(
    `SELECT sum(pg_total_relation_size(c.oid))::float8 AS bytes
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = COALESCE($1::text, current_schema()) AND c.relkind IN ('r', 'p')
     AND left(c.relname, length($2::text)) = $2::text`,
    [schema ?? null, prefix],
  )
  return Number(row?.bytes ?? 0)
}

/** Generates unique versions: an id of this storage, and a number. */
function createVersions(): () => Version {
  const random = crypto.getRandomValues(new Uint8Array(9))
  const self = Array.from(random, (byte) => byte.toString(36).padStart(2, '0')).join('')
  let count = 0
  return () => `${self}-${(count++).toString(36)}`
}
