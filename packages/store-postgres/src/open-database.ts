import type { Logger } from '@gatehouse/core'
import type { Database, PostgresHandle, PostgresPool } from './database.ts'
import { poolDatabase } from './databases/pool.ts'
import { postgresJsDatabase } from './databases/postgres-js.ts'
import { sessionDatabase } from './databases/session.ts'
import { driverMissing, messageOf } from './errors.ts'

/** Where the database is. */
export interface DatabaseOptions {
  url: string | undefined
  database: PostgresHandle | undefined
  maxConnections: number
  /** How long an answer is waited for. */
  timeoutMs: number
  /** How long it may take to connect (default as long as an answer). */
  connectTimeoutMs?: number
  /** Whether statements are prepared once for each connection (default false). */
  prepare?: boolean
  logger: Logger
}

/** What `pg` is to us. */
interface Driver {
  Pool: new (config: Readonly<Record<string, unknown>>) => PostgresPool & { end(): Promise<void> }
}

/** The database at a URL or behind an open handle. Connects when it is first asked. */
export function openDatabase(options: DatabaseOptions): Database {
  const {
    url,
    database,
    timeoutMs,
    connectTimeoutMs = timeoutMs,
    prepare = false,
    logger,
  } = options
  if ((url === undefined) === (database === undefined)) {
    throw new TypeError('name the database either by url or by database')
  }
  if (url !== undefined) return openUrl(url, options)
  if (isObject(database)) {
    if (hasMethod(database, 'connect')) {
      return poolDatabase(database as PostgresPool, {
        timeoutMs,
        connectTimeoutMs,
        prepare,
        logger,
      })
    }
    if (hasMethod(database, 'unsafe') && hasMethod(database, 'begin')) {
      return postgresJsDatabase(database as Parameters<typeof postgresJsDatabase>[0])
    }
    if (hasMethod(database, 'query') && hasMethod(database, 'transaction')) {
      return sessionDatabase(database as Parameters<typeof sessionDatabase>[0])
    }
  }
  throw new TypeError('database is neither a pool of pg, nor a PGlite, nor a sql of postgres')
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

const hasMethod = (value: object, name: string): boolean =>
  typeof (value as Readonly<Record<string, unknown>>)[name] === 'function'

function openUrl(url: string, options: DatabaseOptions): Database {
  const { timeoutMs, connectTimeoutMs = timeoutMs, prepare = false, logger } = options
  // One more, to listen on.
  const max = options.maxConnections + 1
  if (!isPostgresUrl(url)) throw new TypeError('url must be a postgres:// URL')
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
      // A process that stands still in a transaction must not keep the others from theirs.
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

function isPostgresUrl(url: string): boolean {
  try {
    return /^postgres(ql)?:$/.test(new URL(url).protocol)
  } catch {
    return false // The error would quote the URL, with its password.
  }
}

async function loadDriver(): Promise<Driver> {
  try {
    const module = (await import('pg')) as unknown as { default: Driver }
    return module.default
  } catch (cause) {
    throw driverMissing(cause)
  }
}
