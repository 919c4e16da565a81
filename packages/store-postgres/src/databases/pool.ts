import type { Logger } from '@gatehouse/core/store'
import type {
  Database,
  Listener,
  PostgresClient,
  PostgresPool,
  Queryable,
  QueryOptions,
  Row,
} from '../database.ts'
import { isConnectionUseless, messageOf, outcomeUnknown, tookTooLong } from '../errors.ts'
import { fingerprint } from '../fingerprint.ts'

/** Options of {@link poolDatabase}. */
export interface PoolDatabaseOptions {
  /** Milliseconds after which a connection that does not answer is given up. */
  timeoutMs: number
  /** Milliseconds that connecting may take (default `timeoutMs`). */
  connectTimeoutMs?: number
  /** Whether to prepare statements once for each connection (default false). */
  prepare?: boolean
  /** Receives a message when an idle connection breaks. */
  logger: Logger
  /** Ends the pool, if the storage owns it. */
  end?: () => Promise<void>
}

/** A {@link Database} on a pool of connections. */
export function poolDatabase(pool: PostgresPool, options: PoolDatabaseOptions): Database {
  const { timeoutMs, connectTimeoutMs = timeoutMs, prepare = false, logger, end } = options
  const statements = prepare ? createStatementNames() : undefined
  // Without this listener, losing an idle connection would end the process.
  const onError = (error: Error): void => {
    logger.debug({ error: messageOf(error) }, 'an idle connection to PostgreSQL was lost')
  }
  pool.on?.('error', onError)

  /** Runs `work` on a connection, and closes the connection if it is broken instead of giving it back. */
  const withClient = async <T>(work: (client: Connection) => Promise<T>): Promise<T> => {
    const client = await checkOut(pool, connectTimeoutMs)
    const connection = connectionOf(client, statements)
    const timer = setTimeout(() => connection.giveUp(tookTooLong(timeoutMs)), timeoutMs)
    try {
      return await Promise.race([work(connection), connection.broken])
    } catch (error) {
      if (isConnectionUseless(error)) connection.giveUp(error)
      throw error
    } finally {
      clearTimeout(timer)
      connection.release()
    }
  }

  return {
    query: (...statement) => withClient((connection) => connection.query(...statement)),

    transaction: (work) =>
      withClient(async (connection) => {
        await connection.query('BEGIN ISOLATION LEVEL READ COMMITTED')
        const result = await work(connection).catch(async (error: unknown) => {
          await rollBack(connection)
          throw error
        })
        await connection.commit()
        return result
      }),

    reportsOutcome: true,

    // Listening occupies a connection, so it needs a second one. A pool that hides its size may have only one.
    listen:
      (pool.options?.max ?? 1) > 1
        ? (channel, listener) => listenOn(pool, channel, { listener, timeoutMs, connectTimeoutMs })
        : undefined,

    async close() {
      await end?.()
      pool.removeListener?.('error', onError)
    },
  }
}

/** A connection that is closed once it is known to be broken. */
interface Connection extends Queryable {
  /** @throws {GatehouseError} `StorageUnavailable` if it is not known whether the commit succeeded. */
  commit(): Promise<void>
  /** Rejects when the connection is given up. */
  readonly broken: Promise<never>
  giveUp(reason: unknown): void
  release(): void
}

function connectionOf(client: PostgresClient, statements?: StatementNames): Connection {
  let isReleased = false
  let isBroken = false
  let isCommitting = false
  let fail = (_reason: unknown): void => {}
  const broken = new Promise<never>((_, reject) => {
    fail = reject
  })
  // The connection may break while nothing awaits this promise.
  broken.catch(() => {})

  const release = (): void => {
    if (isReleased) return
    isReleased = true
    client.removeListener?.('error', giveUp)
    client.release(isBroken)
  }
  const giveUp = (reason: unknown): void => {
    if (isReleased) return
    isBroken = true
    fail(isCommitting ? outcomeUnknown(reason) : reason)
    release()
  }
  client.on?.('error', giveUp)

  const query = async (
    text: string,
    values: readonly unknown[] = [],
    { planEach = false }: QueryOptions = {},
  ): Promise<readonly Row[]> => {
    if (values.length === 0) return (await client.query(text)).rows as Row[]
    const name = planEach ? undefined : statements?.nameOf(text)
    const { rows } = await (name === undefined
      ? client.query(text, [...values])
      : (client as unknown as PreparingClient).query({ name, text, values: [...values] }))
    return rows as Row[]
  }
  return {
    query,
    broken,
    giveUp,
    release,
    async commit() {
      isCommitting = true
      try {
        await query('COMMIT')
      } catch (error) {
        throw isConnectionUseless(error) ? outcomeUnknown(error) : error
      }
    },
  }
}

/** The statement form that connections of `pg` also accept. Required for prepared statements. */
interface PreparingClient {
  query(statement: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>
}

/** Names for statements that are prepared once for each connection. */
interface StatementNames {
  /** `undefined` above the limit: each prepared statement uses server memory in every connection. */
  nameOf(text: string): string | undefined
}

const maxStatements = 500

/** Names derived from the statement text, because storages that share a pool also share its connections and their statements. */
function createStatementNames(): StatementNames {
  const names = new Map<string, string>()
  return {
    nameOf(text) {
      const known = names.get(text)
      if (known !== undefined || names.size >= maxStatements) return known
      const name = `gatehouse_${fingerprint(text).toString(36)}`
      names.set(text, name)
      return name
    },
  }
}

/** If ROLLBACK fails, closes the connection, which ends the transaction. */
async function rollBack(connection: Connection): Promise<void> {
  try {
    await connection.query('ROLLBACK')
  } catch (error) {
    connection.giveUp(error)
  }
}

/** Takes a connection from the pool within the time limit. A connection that arrives later is given back. */
function checkOut(pool: PostgresPool, timeoutMs: number): Promise<PostgresClient> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(tookTooLong(timeoutMs))
    }, timeoutMs)
    pool.connect().then(
      (client) => {
        clearTimeout(timer)
        if (isLate) client.release()
        else resolve(client)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

/** Holds one connection of the pool to listen on it. */
async function listenOn(
  pool: PostgresPool,
  channel: string,
  options: { listener: Listener; timeoutMs: number; connectTimeoutMs: number },
): Promise<() => Promise<void>> {
  const { listener, timeoutMs, connectTimeoutMs } = options
  const client = await checkOut(pool, connectTimeoutMs)
  const connection = connectionOf(client)
  const onNotification = (message: unknown): void => {
    const notification = message as { channel: string; payload?: string }
    if (notification.channel === channel) listener.onNotification(notification.payload ?? '')
  }
  client.on?.('notification', onNotification)
  client.on?.('end', connection.giveUp)
  connection.broken.catch(() => {
    client.removeListener?.('notification', onNotification)
    client.removeListener?.('end', connection.giveUp)
  })
  const timer = setTimeout(() => connection.giveUp(tookTooLong(timeoutMs)), timeoutMs)
  try {
    await Promise.race([connection.query(`LISTEN "${channel}"`), connection.broken])
  } catch (error) {
    connection.giveUp(error)
    throw error
  } finally {
    clearTimeout(timer)
  }
  let isWanted = true
  connection.broken.catch((error: unknown) => {
    if (isWanted) listener.onLost(error)
  })
  return async () => {
    isWanted = false
    // Close it: a reused connection would go on listening.
    connection.giveUp(undefined)
  }
}
