import { PGlite } from '@electric-sql/pglite'
import {
  describeSharedStorage,
  describeStorage,
  type SharedStorageFactory,
} from '@gatehouse/core/conformance'
import pg from 'pg'
import postgres from 'postgres'
import { afterAll, beforeAll } from 'vitest'
import { isWide } from '../../../test-support/lane.ts'
import { dropDatabase } from '../../../test-support/postgres/postgres-database.ts'
import { describeWithPostgres, freshDatabase } from '../../../test-support/postgres/use-postgres.ts'
import type { PostgresHandle } from './database.ts'
import { createPostgresStorage, type PostgresStorageOptions } from './index.ts'

let schemas = 0

/** Makes a new schema for each store, which is faster than a new database. */
function storagesIn(
  place: () => Pick<PostgresStorageOptions, 'url' | 'database'>,
): SharedStorageFactory {
  return async (clock) => {
    const schema = `test_${schemas++}`
    // A busy machine may stop this process for longer than the usual limit.
    const open = () => createPostgresStorage({ timeoutMs: 60_000, ...place(), schema, clock })
    return { storage: open(), another: async () => open() }
  }
}

describeWithPostgres('on PostgreSQL', () => {
  let url = ''
  const handles = new Map<string, { database: PostgresHandle; end: () => Promise<void> }>()
  const handle = (name: string) => () => {
    const open = handles.get(name)
    if (open === undefined) throw new Error(`${name} is open only while tests run`)
    return { database: open.database }
  }

  beforeAll(async () => {
    url = await freshDatabase()
    const pool = new pg.Pool({ connectionString: url, max: 5 })
    const sql = postgres(url, { onnotice: () => {} })
    handles.set('pool', { database: pool, end: () => pool.end() })
    handles.set('postgres', { database: sql, end: () => sql.end() })
  })
  afterAll(async () => {
    for (const { end } of handles.values()) await end()
    await dropDatabase(url)
  })

  const places = {
    'a pool of pg': storagesIn(handle('pool')),
    // A URL makes such a pool, one for each storage.
    ...(isWide && { 'a URL': storagesIn(() => ({ url })) }),
    'a sql of postgres': storagesIn(handle('postgres')),
  }
  for (const [name, factory] of Object.entries(places)) {
    describeStorage(name, factory)
    describeSharedStorage(name, factory)
  }
})

const pglite = new PGlite()
afterAll(() => pglite.close())
const factory = storagesIn(() => ({ database: pglite }))
describeStorage('PGlite', factory)
// Nobody shares a database that lives in one process with another process.
if (isWide) describeSharedStorage('PGlite', factory)
