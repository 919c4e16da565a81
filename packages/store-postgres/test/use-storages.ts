import { once } from 'node:events'
import type { Storage } from '@gatehouse/core'
import pg from 'pg'
import { afterEach, expect } from 'vitest'
import { useDatabase } from '../../../test-support/use-postgres.ts'
import { createPostgresStorage, type PostgresStorageOptions } from '../src/index.ts'
import { type DatabaseProxy, startProxy } from './proxy.ts'

/** A fresh database for each test, and what a test opens on it. */
export interface StoragesUnderTest {
  readonly url: string
  /** A storage that does not outlive the test. */
  open(options?: PostgresStorageOptions): Storage
  /** A pool that does not outlive the test. */
  pool(config?: pg.PoolConfig): pg.Pool
  /** A connection beside the storages that does not outlive the test. */
  connect(config?: pg.ClientConfig): Promise<pg.Client>
  /** A proxy before the database that does not outlive the test. */
  proxy(): Promise<DatabaseProxy>
  /** The rows of a statement, each as its values. */
  rows(sql: string, values?: unknown[]): Promise<unknown[][]>
  /** The first value of the first row of a statement. */
  value(sql: string, values?: unknown[]): Promise<unknown>
  /** Waits until one more connection waits for a lock with a statement that begins so, and answers its number. */
  nextWaiting(statement: string): Promise<number>
  /** Ends a connection of somebody else. */
  terminate(pid: number): Promise<void>
}

/** Must be called in a suite whose tests need PostgreSQL. */
export function useStorages(): StoragesUnderTest {
  const database = useDatabase()
  const endings: (() => Promise<unknown>)[] = []
  const seen = new Set<number>()
  let beside: pg.Client | undefined

  afterEach(async () => {
    seen.clear()
    // Last in, first out: storages before the pools they were given.
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

  return {
    get url() {
      return database.url
    },
    open(options = {}) {
      const place = options.database === undefined ? { url: database.url } : {}
      const storage = createPostgresStorage({ ...place, ...options })
      endings.push(() => storage.close())
      return storage
    },
    pool(config = {}) {
      const pool = new pg.Pool({ connectionString: database.url, ...config })
      const connected = new Set<pg.PoolClient>()
      pool.on('connect', (client) => connected.add(client))
      pool.on('remove', (client) => connected.delete(client))
      endings.push(async () => {
        if (!pool.ending) await pool.end()
        // It ends before its connections do, which must not hear that their database is dropped.
        while (connected.size > 0) await once(pool, 'remove')
      })
      return pool
    },
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
      await expect
        .poll(async () => {
          pid = await find()
          return pid
        })
        .toBeGreaterThan(0)
      seen.add(pid)
      return pid
    },
    async terminate(pid) {
      expect(await value('SELECT pg_terminate_backend($1::int)', [pid])).toBe(true)
    },
  }
}
