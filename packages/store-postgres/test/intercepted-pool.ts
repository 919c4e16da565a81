import type pg from 'pg'
import type { PostgresPool } from '../src/index.ts'

/** Decides the outcome of a statement; `run` runs it. */
export type Intercept = (
  text: string,
  run: () => Promise<{ rows: unknown[] }>,
  client: pg.PoolClient,
) => Promise<{ rows: unknown[] }>

/** Wraps a pool so that a test sees every statement and can make it fail. */
export function interceptedPool(pool: pg.Pool, intercept: Intercept): PostgresPool {
  return {
    options: { max: pool.options.max },
    on: (event, listener) => pool.on(event, listener),
    removeListener: (event, listener) => pool.removeListener(event, listener),
    async connect() {
      const client = await pool.connect()
      return {
        query: (text, values) => intercept(text, () => client.query(text, values), client),
        release: (destroy) => client.release(destroy),
        on: (event, listener) => client.on(event as 'error', listener),
        removeListener: (event, listener) => client.removeListener(event as 'error', listener),
      }
    },
  }
}
