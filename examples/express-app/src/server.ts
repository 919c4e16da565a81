import { readFileSync } from 'node:fs'
import { createAlerts, startDispatcher, startMaintenance } from '@gatehouse/core'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { createApp } from './app.ts'

const port = Number(process.env.PORT ?? 3000)
const storage = createSqliteStorage({ filename: 'monitoring.db' })
const alerts = createAlerts({
  storage,
  config: readFileSync(new URL('../alertmanager.yml', import.meta.url), 'utf8'),
})
const running = [startMaintenance(alerts), startDispatcher(alerts)]
const server = createApp(alerts).listen(port, () => {
  console.log(
    `http://localhost:${port}/health and http://localhost:${port}/monitoring/api/v2/alerts`,
  )
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close(async () => {
      await Promise.all(running.map((part) => part.stop()))
      await storage.close()
    })
  })
}
