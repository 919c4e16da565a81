import { createSqliteStorage } from '@gatehouse/store-sqlite'
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
const server = createApp(services).listen(port, process.env.HOST ?? '127.0.0.1', () => {
  console.log(`http://localhost:${port}`)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close()
    void running.stop().then(() => storage.close())
  })
}
