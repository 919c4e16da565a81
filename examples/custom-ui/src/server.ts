import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAuth, type OutgoingMessage, startAuth } from '@gatehouse/core'
import { createOAuthClient } from '@gatehouse/core/oauth'
import { createPasskeys } from '@gatehouse/core/passkeys'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { getRequestListener } from '@hono/node-server'
import { createApp } from './app.ts'
import {
  type Environment,
  readClientSecrets,
  readConfig,
  readSettings,
  type Settings,
} from './settings.ts'

async function start(settings: Settings, environment: Environment): Promise<void> {
  const server = createServer()
  server.listen(settings.port, settings.host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const origin = settings.publicOrigin ?? `http://localhost:${port}`

  const config = readConfig(settings.configFile, origin)
  const { credentials, missing } = readClientSecrets(environment, config)
  for (const name of missing)
    console.warn(`${name} is not set: signing in with its provider will fail`)
  const storage = createSqliteStorage({ filename: settings.databaseFile })
  const auth = createAuth({
    storage,
    config: () => config,
    secrets: [{ id: 'k1', key: settings.key }],
    // A code in the log lets its readers sign in, so codes are logged only in development. In production, pass a mail server.
    senders: settings.isDevelopment ? { sendEmail: print, sendSms: print } : {},
    oauth: createOAuthClient({
      credentials,
      allowPrivateAddresses: settings.allowPrivateAddresses,
    }),
    passkeys: createPasskeys(),
  })
  const running = startAuth(auth)
  server.on('request', getRequestListener(createApp(auth).fetch))
  console.log(`${origin} (listening on ${settings.host}, port ${port})`)

  let isStopping = false // a terminal sends the signal, and npm sends it on
  async function stop(): Promise<void> {
    if (isStopping) return
    isStopping = true
    // Stopping also ends the connections that wait for links.
    await Promise.all([close(server), running.stop()])
    await storage.close()
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)
}

async function print({ kind, target, code, link, text }: OutgoingMessage): Promise<void> {
  console.log(`${kind} for ${target}: ${link ?? code ?? text}`)
}

/** Finishes running requests within a few seconds, and closes idle connections. */
function close(server: Server): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const giveUp = setTimeout(() => server.closeAllConnections(), 5_000)
  return new Promise((resolve, reject) => {
    server.close((error) => {
      clearInterval(sweep)
      clearTimeout(giveUp)
      if (error === undefined) resolve()
      else reject(error)
    })
  })
}

try {
  await start(readSettings(process.env), process.env)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
