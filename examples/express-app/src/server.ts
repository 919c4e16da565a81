import { readFileSync } from 'node:fs'
import {
  closeAuth,
  createAlerts,
  createAuth,
  startAuth,
  startDispatcher,
  startMaintenance,
} from '@gatehouse/core'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { createApp } from './app.ts'

const port = Number(process.env.PORT ?? 3000)
const file = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const storage = createSqliteStorage({ filename: 'house.db' })
const alerts = createAlerts({ storage, config: file('alertmanager.yml') })
const auth = createAuth({
  storage,
  config: { text: file('authgear.yaml'), filename: 'authgear.yaml' },
  secrets: [{ id: 'k1', key: process.env.AUTH_KEY ?? '' }],
})
const running = [startMaintenance(alerts), startDispatcher(alerts), startAuth(auth)]
const server = createApp({ alerts, auth }).listen(port, () => {
  console.log(
    `http://localhost:${port}/health and http://localhost:${port}/monitoring/api/v2/alerts`,
  )
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    closeAuth(auth)
    server.close(async () => {
      await Promise.all(running.map((part) => part.stop()))
      await storage.close()
    })
  })
}
