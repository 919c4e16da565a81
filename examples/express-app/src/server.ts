import { readFileSync } from 'node:fs'
import {
  createAlerts,
  createAuth,
  createWebhooks,
  startAlerts,
  startAuth,
  startWebhooks,
  stopAll,
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
const webhooks = createWebhooks({
  storage,
  config: { text: file('webhooks.yaml'), filename: 'webhooks.yaml' },
  environment: process.env,
})
const running = [startAlerts(alerts), startAuth(auth), startWebhooks(webhooks)]
const server = createApp({ alerts, auth, webhooks }).listen(port, () => {
  console.log(
    `http://localhost:${port}/health and http://localhost:${port}/monitoring/api/v2/alerts`,
  )
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    const stopped = stopAll(...running) // also ends the connections that wait for something
    server.close(() => stopped.then(() => storage.close()))
  })
}
