import { once } from 'node:events'
import type { Storage } from '@gatehouse/core'
import pg from 'pg'
import { afterEach, expect, vi } from 'vitest'
import { useDatabase } from '../../../test-support/postgres/use-postgres.ts'
import {
  createPostgresStorage,
  migratePostgres,
  type PostgresSchemaOptions,
  type PostgresStorageOptions,
} from '../src/index.ts'
import { type DatabaseProxy, startProxy } from './proxy.ts'

/** For a busy machine. Unlike `expect.poll()`, `vi.waitFor()` may be called in concurrent tests. */
const patience = { timeout: 60_000 }

/** An empty database for each test, and resources that the test opens on it. */
export interface StoragesUnderTest {
  readonly url: string
  /** Opens a storage that is closed after the test. A busy machine has a minute for each answer. */
  open(options?: PostgresStorageOptions): Storage
  /** Creates the tables of collections, however long the server takes to accept a connection. */
  migrate(options: PostgresSchemaOptions): Promise<void>
  /** Opens a pool that is closed after the test. */
  pool(config?: pg.PoolConfig): pg.Pool
  /** Opens a connection that is closed after the test. */
  connect(config?: pg.ClientConfig): Promise<pg.Client>
  /** Starts a proxy for the database that is closed after the test. */
  proxy(): Promise<DatabaseProxy>
  /** Runs a statement and returns its rows as arrays of values. */
  rows(sql: string, values?: unknown[]): Promise<unknown[][]>
  /** Runs a statement and returns the first value of its first row. */
  value(sql: string, values?: unknown[]): Promise<unknown>
  /** Waits until one more connection waits for a lock with a statement that begins like this, and returns its process id. */
  nextWaiting(statement: string): Promise<number>
  /** Terminates another connection. */
  terminate(pid: number): Promise<void>
}

/** Sets up {@link StoragesUnderTest}. Call it in a suite whose tests need PostgreSQL. */
export function useStorages(): StoragesUnderTest {
  const database = useDatabase()
  const endings: (() => Promise<unknown>)[] = []
  const seen = new Set<number>()
  let beside: pg.Client | undefined

  afterEach(async () => {
    seen.clear()
    // Last in, first out: storages are closed before the pools they use.
    for (const end of endings.splice(0).reverse()) await end()
    beside = undefined
  })

  const connect = async (config: pg.ClientConfig = {}): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: database.url, ...config })
    await client.connect()
    endings.push(() => client.end())
    return client
  }
  const rows = async (sql: string, values: unknown[] = []): Promise<unknown[][]> => {
    beside ??= await connect()
    return (await beside.query({ text: sql, values, rowMode: 'array' })).rows as unknown[][]
  }
  const value = async (sql: string, values?: unknown[]): Promise<unknown> =>
    (await rows(sql, values))[0]?.[0]

  const openPool = (config: pg.PoolConfig = {}): pg.Pool => {
    const pool = new pg.Pool({ connectionString: database.url, ...config })
    const connected = new Set<pg.PoolClient>()
    pool.on('connect', (client) => connected.add(client))
    pool.on('remove', (client) => connected.delete(client))
    endings.push(async () => {
      if (!pool.ending) await pool.end()
      // The pool ends before its connections do. They must be gone before the database is dropped.
      while (connected.size > 0) await once(pool, 'remove')
    })
    return pool
  }

  return {
    get url() {
      return database.url
    },
    async migrate(options) {
      const pool = openPool({ max: 1 })
      // A migration gives up connecting after ten seconds; this waits, and leaves it the connection.
      ;(await pool.connect()).release()
      await migratePostgres({ ...options, database: pool })
    },
    open(options = {}) {
      const place = options.database === undefined ? { url: database.url } : {}
      const storage = createPostgresStorage({ timeoutMs: 60_000, ...place, ...options })
      endings.push(() => storage.close())
      return storage
    },
    pool: openPool,
    connect,
    async proxy() {
      const proxy = await startProxy(database.url)
      endings.push(() => proxy.end())
      return proxy
    },
    rows,
    value,
    async nextWaiting(statement) {
      const find = async (): Promise<number> => {
        const pid = await value(
          `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
           AND wait_event_type = 'Lock' AND query LIKE $1 AND pid <> ALL($2::int[])`,
          [`${statement}%`, [...seen]],
        )
        return Number(pid ?? 0)
      }
      let pid = 0
      await vi.waitFor(async () => {
        pid = await find()
        expect(pid).toBeGreaterThan(0)
      }, patience)
      seen.add(pid)
      return pid
    },
    async terminate(pid) {
      expect(await value('SELECT pg_terminate_backend($1::int)', [pid])).toBe(true)
    },
  }
}

/** Waits until no connection of a pool is in use, except those that listen. */
export async function untilIdle(
  pool: pg.Pool,
  { listening }: { readonly listening: number },
): Promise<void> {
  await vi.waitFor(
    () => expect([pool.totalCount - pool.idleCount, pool.waitingCount]).toEqual([listening, 0]),
    patience,
  )
}
