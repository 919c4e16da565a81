import { readFileSync } from 'node:fs'
import {
  createAlerts,
  createAuth,
  createWebhooks,
  type OutgoingMessage,
  startAlerts,
  startAuth,
  startWebhooks,
  stopAll,
} from '@gatehouse/core'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { serve } from '@hono/node-server'
import { createApp } from './app.ts'

const port = Number(process.env.PORT ?? 3000)
const file = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const storage = createSqliteStorage({ filename: 'shop.db' })
const alerts = createAlerts({
  storage,
  config: file('alertmanager.yml'),
  externalUrl: `http://localhost:${port}`,
})
const auth = createAuth({
  storage,
  config: { text: file('authgear.yaml'), filename: 'authgear.yaml' },
  secrets: [{ id: 'k1', key: process.env.AUTH_KEY ?? '' }],
  senders: { sendEmail: printMail },
})
const webhooks = createWebhooks({
  storage,
  config: { text: file('webhooks.yaml'), filename: 'webhooks.yaml' },
  environment: process.env,
})
const running = [startAlerts(alerts), startAuth(auth), startWebhooks(webhooks)]
const server = serve({ fetch: createApp({ alerts, auth, webhooks }).fetch, port }, () => {
  console.log(`http://localhost:${port}/orders and http://localhost:${port}/api/v2/alerts`)
})

/** Replaces a mail server. */
async function printMail({ target, text }: OutgoingMessage): Promise<void> {
  console.log(`\nmail to ${target}:\n${text}`)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    const stopped = stopAll(...running) // also ends the connections that wait for something
    server.close(() => stopped.then(() => storage.close()))
  })
}
