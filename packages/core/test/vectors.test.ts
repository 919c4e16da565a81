import { alertsCollections, createAlerts, type Storage } from '@gatehouse/core'
import { createManualClock, type ManualClock } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { createPostgresStorage, migratePostgres } from '@gatehouse/store-postgres'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { dropDatabase } from '../../../test-support/postgres-database.ts'
import { describeWithPostgres, freshDatabase } from '../../../test-support/use-postgres.ts'
import { adapters, type SwitchingServer, startServer } from './servers.ts'
import { readVectorFile, readVectors, runVector } from './vector-runner.ts'

/** Makes an empty storage. */
type StorageFactory = (clock: ManualClock) => Promise<Storage>

const stores: Readonly<Record<string, StorageFactory>> = {
  memory: async (clock) => createMemoryStorage({ clock }),
  sqlite: async (clock) => createSqliteStorage({ filename: ':memory:', clock }),
}

const files = [
  'http',
  'status-receivers',
  'alerts-post',
  'alerts-merge',
  'alerts-get',
  'alert-groups',
  'silences-post',
  'silences',
  'suppression',
]

const config = readVectorFile('base.yml')
const now = Date.UTC(2026, 10, 21, 1, 24, 10)

/** Runs every vector through an adapter, each on an empty storage. */
function describeVectors(adapter: string, store: string, createStorage: StorageFactory): void {
  describe(`the alert API through ${adapter} on ${store}`, () => {
    let server: SwitchingServer
    beforeAll(async () => {
      server = await startServer(adapter)
    })
    afterAll(() => server.close())

    describe.each(files)('%s', (file) => {
      const vectors = readVectors(`${file}.json`)
      it.each(vectors.map((vector) => [vector.name, vector] as const))('%s', async (_, vector) => {
        const clock = createManualClock(now + 300)
        const storage = await createStorage(clock)
        const alerts = createAlerts({ storage, clock, config })
        server.serve([...alerts.routes, ...alerts.fallbackRoutes])
        try {
          const advance = (ms: number) => clock.advance(ms)
          await runVector(vector, vectors, { port: server.port, now, advance })
        } finally {
          await storage.close()
        }
      })
    })
  })
}

for (const adapter of adapters) {
  for (const [store, createStorage] of Object.entries(stores)) {
    describeVectors(adapter, store, createStorage)
  }
}

describeWithPostgres('on PostgreSQL', () => {
  let url = ''
  let pool: pg.Pool
  beforeAll(async () => {
    url = await freshDatabase()
    pool = new pg.Pool({ connectionString: url, max: 5 })
    await migratePostgres({ database: pool, collections: alertsCollections })
  })
  afterAll(async () => {
    await pool.end()
    await dropDatabase(url)
  })

  /** Emptied by hand: to make the tables anew for each vector would take most of the time. */
  const createStorage: StorageFactory = async (clock) => {
    for (const { name } of alertsCollections) await pool.query(`DELETE FROM gatehouse_${name}`)
    return createPostgresStorage({ database: pool, clock })
  }
  for (const adapter of adapters) describeVectors(adapter, 'postgres', createStorage)
})
