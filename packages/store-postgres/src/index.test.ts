import { PGlite } from '@electric-sql/pglite'
import {
  describeSharedStorage,
  describeStorage,
  type SharedStorageFactory,
  type StorageFactory,
} from '@gatehouse/core/conformance'
import pg from 'pg'
import postgres from 'postgres'
import { afterAll, beforeAll, describe } from 'vitest'
import { isWide } from '../../../test-support/lane.ts'
import { dropDatabase } from '../../../test-support/postgres/postgres-database.ts'
import { describeWithPostgres, freshDatabase } from '../../../test-support/postgres/use-postgres.ts'
import { describeChanges } from '../../core/src/conformance/storage/changes.ts'
import { describeClosing } from '../../core/src/conformance/storage/closing.ts'
import { describeFind } from '../../core/src/conformance/storage/find.ts'
import { describePreconditions } from '../../core/src/conformance/storage/preconditions.ts'
import { describeValues } from '../../core/src/conformance/storage/values.ts'
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

/** Usually only what depends on how a driver passes values, rows, errors and notices, and on how it ends. All tests of a storage in the wide lane. */
function describeDriver(name: string, factory: StorageFactory): void {
  if (isWide) {
    describeStorage(name, factory)
    return
  }
  describe(`${name} storage`, () => {
    describe('values', () => describeValues(factory))
    describe('find', () => describeFind(factory))
    describe('preconditions', () => describePreconditions(factory))
    describe('changes', () => describeChanges(factory))
    describe('closing', () => describeClosing(factory))
  })
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

  const pool = storagesIn(handle('pool'))
  describeStorage('a pool of pg', pool)
  describeSharedStorage('a pool of pg', pool)
  const sql = storagesIn(handle('postgres'))
  describeDriver('a sql of postgres', sql)
  describeSharedStorage('a sql of postgres', sql)
  if (isWide) {
    // A URL makes a pool of pg, one for each storage.
    const byUrl = storagesIn(() => ({ url }))
    describeStorage('a URL', byUrl)
    describeSharedStorage('a URL', byUrl)
  }
})

const pglite = new PGlite()
afterAll(() => pglite.close())
const factory = storagesIn(() => ({ database: pglite }))
describeDriver('PGlite', factory)
// Nobody shares a database that lives in one process with another process.
if (isWide) describeSharedStorage('PGlite', factory)
