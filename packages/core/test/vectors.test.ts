import { createAlerts, type Storage } from '@gatehouse/core'
import { createManualClock, type ManualClock } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { adapters, type SwitchingServer, startServer } from './servers.ts'
import { readVectorFile, readVectors, runVector } from './vector-runner.ts'

const stores: Readonly<Record<string, (clock: ManualClock) => Storage>> = {
  memory: (clock) => createMemoryStorage({ clock }),
  sqlite: (clock) => createSqliteStorage({ filename: ':memory:', clock }),
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

for (const adapter of adapters) {
  for (const [store, createStorage] of Object.entries(stores)) {
    describe(`the alert API through ${adapter} on ${store}`, () => {
      let server: SwitchingServer
      beforeAll(async () => {
        server = await startServer(adapter)
      })
      afterAll(() => server.close())

      describe.each(files)('%s', (file) => {
        const vectors = readVectors(`${file}.json`)
        it.each(vectors.map((vector) => [vector.name, vector] as const))(
          '%s',
          async (_, vector) => {
            const clock = createManualClock(now + 300)
            const storage = createStorage(clock)
            const alerts = createAlerts({ storage, clock, config })
            server.serve([...alerts.routes, ...alerts.fallbackRoutes])
            try {
              const advance = (ms: number) => clock.advance(ms)
              await runVector(vector, vectors, { port: server.port, now, advance })
            } finally {
              await storage.close()
            }
          },
        )
      })
    })
  }
}
