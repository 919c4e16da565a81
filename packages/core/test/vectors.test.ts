import { createAlerts } from '@gatehouse/core'
import { alertsCollections } from '@gatehouse/core/alerts'
import { createManualClock } from '@gatehouse/core/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type SwitchingServer, startServer } from './servers.ts'
import { casesOn, forEachServedStore, type Store } from './stores.ts'
import { readVectorFile, readVectors, runVector } from './vector-runner.ts'

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

const vectors = files.flatMap((file) => {
  const all = readVectors(`${file}.json`)
  return all.map((vector) => [file, vector.name, vector, all] as const)
})

const config = readVectorFile('base.yml')
const now = Date.UTC(2026, 10, 21, 1, 24, 10)

/** Runs vectors through an adapter, each on an empty storage. */
function describeVectors(adapter: string, store: Store): void {
  describe(`the alert API through ${adapter} on ${store.name}`, () => {
    let server: SwitchingServer
    beforeAll(async () => {
      server = await startServer(adapter)
    })
    afterAll(() => server.close())

    it.each(casesOn(adapter, store, vectors))('%s: %s', async (_file, _name, vector, all) => {
      const clock = createManualClock(now + 300)
      const storage = await store.openEmpty(clock)
      const alerts = createAlerts({ storage, clock, config })
      server.serve([...alerts.routes, ...alerts.fallbackRoutes])
      try {
        const advance = (ms: number) => clock.advance(ms)
        await runVector(vector, all, { port: server.port, now, advance })
      } finally {
        await storage.close()
      }
    })
  })
}

forEachServedStore(alertsCollections, describeVectors)
