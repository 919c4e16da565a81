import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AuthContext, createAuth, createUser } from '@gatehouse/core'
import { type AuthOptions, createScryptHasher } from '@gatehouse/core/auth'
import { createPasskeys } from '@gatehouse/core/passkeys'
import { createMessageOutbox, type MessageOutbox } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll } from 'vitest'
import { maya } from '../../../packages/sign-in/test/sign-in.fixture.ts'
import { buildExample } from '../../../test-support/build-example.ts'
import { createApp } from './app.ts'

/** The app, served on a free port. Maya has an account. */
export interface RunningApp {
  readonly auth: AuthContext
  readonly origin: string
  readonly outbox: MessageOutbox
  stop(): void
}

/** Serves the app with these sections of a configuration. */
export async function startApp(
  sections: object = {},
  options: Partial<AuthOptions> = {},
  listenAt = 0,
): Promise<RunningApp> {
  await buildExample(new URL('../', import.meta.url))
  const server = createServer().listen(listenAt, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const outbox = createMessageOutbox()
  const auth = createAuth({
    storage: createMemoryStorage(),
    config: {
      id: 'test',
      http: { public_origin: origin, allow_insecure: true },
      links: { reset_password: `${origin}/recovery?code={code}` },
      ...sections,
    },
    secrets: [{ id: 'k1', key: 'a key for tests, of 32 bytes or more' }],
    hasher: createScryptHasher({ N: 16, r: 1, p: 1 }),
    senders: outbox.senders,
    passkeys: createPasskeys(),
    logger: false,
    ...options,
  })
  await createUser(auth, { ...maya, email_verified: true })
  server.on('request', getRequestListener(createApp(auth).fetch))
  const stop = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { auth, origin, outbox, stop }
}

/** Serves the app for the calling suite. The function returns it to the tests. */
export function useApp(start: () => Promise<RunningApp> = startApp): () => RunningApp {
  let app: RunningApp | undefined
  beforeAll(async () => {
    app = await start()
  })
  afterAll(() => app?.stop())
  return () => {
    if (app === undefined) throw new Error('a suite starts it before its tests')
    return app
  }
}
