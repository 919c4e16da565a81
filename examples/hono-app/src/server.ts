import { readFileSync } from 'node:fs'
import { createAlerts, startDispatcher, startMaintenance } from '@gatehouse/core'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { serve } from '@hono/node-server'
import { createApp } from './app.ts'

const port = Number(process.env.PORT ?? 3000)
const storage = createSqliteStorage({ filename: 'shop.db' })
const alerts = createAlerts({
  storage,
  config: readFileSync(new URL('../alertmanager.yml', import.meta.url), 'utf8'),
  externalUrl: `http://localhost:${port}`,
})
const running = [startMaintenance(alerts), startDispatcher(alerts)]
const server = serve({ fetch: createApp(alerts).fetch, port }, () => {
  console.log(`http://localhost:${port}/orders and http://localhost:${port}/api/v2/alerts`)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close(async () => {
      await Promise.all(running.map((part) => part.stop()))
      await storage.close()
    })
  })
}
