import type { Logger } from '@gatehouse/core/store'
import type { Database, PostgresHandle, PostgresPool } from './database.ts'
import { poolDatabase } from './databases/pool.ts'
import { postgresJsDatabase } from './databases/postgres-js.ts'
import { sessionDatabase } from './databases/session.ts'
import { driverMissing, messageOf } from './errors.ts'
import { hasMethod } from './place-input.ts'

/** The database: `url` or `database`, already checked. */
export interface DatabaseOptions {
  url: string | undefined
  database: PostgresHandle | undefined
  maxConnections: number
  /** Milliseconds to wait for an answer. */
  timeoutMs: number
  /** Milliseconds that connecting may take (default `timeoutMs`). */
  connectTimeoutMs?: number
  /** Whether to prepare statements once for each connection (default false). */
  prepare?: boolean
  logger: Logger
}

/** The part of `pg` in use here. */
interface Driver {
  Pool: new (config: Readonly<Record<string, unknown>>) => PostgresPool & { end(): Promise<void> }
}

/** Opens the database at a URL or behind an open handle. Connects at the first statement. */
export function openDatabase(options: DatabaseOptions): Database {
  const {
    url,
    database,
    timeoutMs,
    connectTimeoutMs = timeoutMs,
    prepare = false,
    logger,
  } = options
  if (database === undefined) return openUrl(url ?? '', options)
  if (hasMethod(database, 'connect')) {
    return poolDatabase(database as PostgresPool, {
      timeoutMs,
      connectTimeoutMs,
      prepare,
      logger,
    })
  }
  return hasMethod(database, 'unsafe')
    ? postgresJsDatabase(database as Parameters<typeof postgresJsDatabase>[0])
    : sessionDatabase(database as Parameters<typeof sessionDatabase>[0])
}

function openUrl(url: string, options: DatabaseOptions): Database {
  const { timeoutMs, connectTimeoutMs = timeoutMs, prepare = false, logger } = options
  // One more, to listen on.
  const max = options.maxConnections + 1
  let opening: Promise<InstanceType<Driver['Pool']>> | undefined

  const openPool = async (): Promise<InstanceType<Driver['Pool']>> => {
    const { Pool } = await loadDriver()
    const pool = new Pool({
      connectionString: url,
      max,
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      application_name: 'gatehouse',
      statement_timeout: timeoutMs,
      // A process that hangs in a transaction must not block the others.
      idle_in_transaction_session_timeout: timeoutMs,
    })
    pool.on?.('error', (error) => {
      logger.debug({ error: messageOf(error) }, 'an idle connection to PostgreSQL was lost')
    })
    return pool
  }
  const open = (): Promise<InstanceType<Driver['Pool']>> => {
    opening ??= openPool().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  const pool: PostgresPool = {
    options: { max },
    connect: async () => (await open()).connect(),
  }
  return poolDatabase(pool, {
    timeoutMs,
    connectTimeoutMs,
    prepare,
    logger,
    end: async () => (await opening)?.end(),
  })
}

async function loadDriver(): Promise<Driver> {
  try {
    return (await importPg()).default
  } catch (cause) {
    throw driverMissing(cause)
  }
}

interface DriverModule {
  readonly default: Driver
}

/**
 * The `import()` is in a `try` of its own function: then bundlers accept that the package may be missing. Some put an empty module in
 * its place.
 */
async function importPg(): Promise<DriverModule> {
  try {
    const module = (await import('pg')) as unknown as DriverModule
    if (typeof module.default.Pool === 'function') return module
  } catch {
    // It is not in the bundle, or does not work there.
  }
  return importInstalled('pg')
}

/** Bundlers do not follow a name that is not written out. */
function importInstalled(name: string): Promise<DriverModule> {
  return import(/* webpackIgnore: true */ /* turbopackIgnore: true */ name)
}
