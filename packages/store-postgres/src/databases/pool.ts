import type { Logger } from '@gatehouse/core'
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
  /** After so long a connection that does not answer is given up. */
  timeoutMs: number
  /** How long it may take to connect (default as long as an answer). */
  connectTimeoutMs?: number
  /** Whether statements are prepared once for each connection (default false). */
  prepare?: boolean
  /** Told of idle connections that broke. */
  logger: Logger
  /** Ends the pool, if the storage shall. */
  end?: () => Promise<void>
}

/** A {@link Database} over a pool of connections. */
export function poolDatabase(pool: PostgresPool, options: PoolDatabaseOptions): Database {
  const { timeoutMs, connectTimeoutMs = timeoutMs, prepare = false, logger, end } = options
  const statements = prepare ? createStatementNames() : undefined
  // Without a listener the loss of an idle connection would end the process.
  const onError = (error: Error): void => {
    logger.debug({ error: messageOf(error) }, 'an idle connection to PostgreSQL was lost')
  }
  pool.on?.('error', onError)

  /** Runs `work` on a connection, and ends the connection rather than give a broken one back. */
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

    tellsOutcome: true,

    // It takes a connection for itself: never the only one, which a pool that does not count them may have.
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

/** A connection that is ended once it is known to be broken. */
interface Connection extends Queryable {
  /** @throws {GatehouseError} `StorageUnavailable` if whether the commit was made is not known. */
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
  // It may break when nobody waits for it.
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

/** What a connection of `pg` takes beside a text; who wants statements prepared has such connections. */
interface PreparingClient {
  query(statement: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>
}

/** Names for statements that are prepared once for each connection. */
interface StatementNames {
  /** `undefined` for one too many: each takes memory of the server in every connection. */
  nameOf(text: string): string | undefined
}

const mostStatements = 500

/** Names that tell the texts: storages that share a pool share its connections, and the names on them. */
function createStatementNames(): StatementNames {
  const names = new Map<string, string>()
  return {
    nameOf(text) {
      const known = names.get(text)
      if (known !== undefined || names.size >= mostStatements) return known
      const name = `gatehouse_${fingerprint(text).toString(36)}`
      names.set(text, name)
      return name
    },
  }
}

/** A failure to roll back ends the connection, and with it the transaction. */
async function rollBack(connection: Connection): Promise<void> {
  try {
    await connection.query('ROLLBACK')
  } catch (error) {
    connection.giveUp(error)
  }
}

/** A connection of the pool, within the time; one that comes too late is given back. */
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

/** Keeps one connection of the pool for what it hears. */
async function listenOn(
  pool: PostgresPool,
  channel: string,
  options: { listener: Listener; timeoutMs: number; connectTimeoutMs: number },
): Promise<() => Promise<void>> {
  const { listener, timeoutMs, connectTimeoutMs } = options
  const client = await checkOut(pool, connectTimeoutMs)
  const connection = connectionOf(client)
  const onNotification = (message: unknown): void => {
    const told = message as { channel: string; payload?: string }
    if (told.channel === channel) listener.onNotification(told.payload ?? '')
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
    // It would go on listening if it were used for something else.
    connection.giveUp(undefined)
  }
}
