import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { serve } from '@hono/node-server'
import { printMail } from '../mail.ts' // with sign-in
import { createServices, runServices } from '../services.ts'
import { createApp } from './app.ts'

const port = Number(process.env.PORT ?? 3000)
const storage = createSqliteStorage({ filename: 'app.db' })
const services = createServices({
  storage,
  environment: process.env,
  senders: { sendEmail: printMail }, // with sign-in
})
const running = runServices(services)
const options = {
  fetch: createApp(services).fetch,
  port,
  hostname: process.env.HOST ?? '127.0.0.1',
}
const server = serve(options, () => {
  console.log(`http://localhost:${port}`)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close()
    void running.stop().then(() => storage.close())
  })
}
