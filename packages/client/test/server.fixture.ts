import {
  type AuthContext,
  accountRoutes,
  createAlerts,
  createAuth,
  createWebhooks,
  type Route,
  startHistory,
  startWebhooks,
  userRoutes,
} from '@gatehouse/core'
import { closeAuth, createScryptHasher } from '@gatehouse/core/auth'
import { createPasskeys } from '@gatehouse/core/passkeys'
import { createMessageOutbox, type MessageOutbox } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { afterAll, beforeAll } from 'vitest'
import {
  createFakeOAuthClient,
  type FakeOAuthClient,
} from '../../core/src/auth/kinds/oauth/oauth.fixture.ts'
import { startServer } from '../../core/test/servers.ts'

export const email = 'maya@harborlight.example'
export const password = 'tidal-lantern-42'
export const adminToken = 'token-of-the-administrator'
export const webhookToken = 'token-of-the-webhooks'

/** All services on one server. */
export interface TestServer {
  readonly url: string
  readonly auth: AuthContext
  readonly outbox: MessageOutbox
  /** Identity providers without a network. */
  readonly oauth: FakeOAuthClient
}

/** Runs a server for the calling suite. */
export function useServer(config: object = {}, pages: readonly Route[] = []): TestServer {
  let running: (TestServer & { close(): Promise<void> }) | undefined
  beforeAll(async () => {
    const server = await startServer('hono', { sockets: true })
    // A browser takes this name for a secure place, which passkeys need.
    const url = `http://localhost:${server.port}`
    const storage = createMemoryStorage()
    const outbox = createMessageOutbox()
    const oauth = createFakeOAuthClient()
    const auth = createAuth({
      storage,
      config: { id: 'test', http: { public_origin: url, allow_insecure: true }, ...config },
      secrets: [{ id: 'k1', key: 'a key for tests, of 32 bytes or more' }],
      senders: outbox.senders,
      passkeys: createPasskeys(),
      oauth,
      hasher: createScryptHasher({ N: 16, r: 1, p: 1 }),
      authorize: () => true,
    })
    const alerts = createAlerts({
      storage,
      config: 'route: { receiver: team }\nreceivers: [{ name: team }]\n',
      basePath: '/alerts',
    })
    const webhooks = createWebhooks({
      storage,
      environment: { PATH: process.env.PATH ?? '' },
      config: {
        base_path: '/hooks',
        admin: { token: adminToken },
        webhooks: [
          { id: 'say', execute_command: `sh -c 'echo "hello"'`, include_output: 'always' as const },
          {
            id: 'fail',
            execute_command: `sh -c 'echo no >&2; exit 3'`,
            include_output: 'always' as const,
          },
          { id: 'text', execute_command: 'echo plain', response: 'text' as const },
          { id: 'wait', execute_command: 'sleep 60', mode: 'async' as const },
          {
            id: 'greet',
            execute_command: 'echo hello',
            include_output: 'always' as const,
            command_arguments: [{ source: 'query:name', format: 'value' as const }],
          },
        ].map((webhook) => ({ token: webhookToken, workdir: '', ...webhook })),
      },
    })
    const history = startHistory(alerts)
    const runs = startWebhooks(webhooks)
    const routes = [
      ...auth.routes,
      ...accountRoutes(auth),
      ...userRoutes(auth),
      ...alerts.routes,
      ...webhooks.routes,
    ]
    server.serve([...pages, ...routes])
    const close = async (): Promise<void> => {
      await closeAuth(auth)
      await Promise.all([history.stop(), runs.stop(), ...auth.sending])
      await server.close()
      await storage.close()
    }
    running = { url, auth, outbox, oauth, close }
  })
  afterAll(() => running?.close())
  const server = (): TestServer => {
    if (running === undefined) throw new Error('the server has not started yet')
    return running
  }
  return {
    get url() {
      return server().url
    },
    get auth() {
      return server().auth
    },
    get oauth() {
      return server().oauth
    },
    get outbox() {
      return server().outbox
    },
  }
}

/** A `fetch` that keeps cookies, as a browser does. */
export function createCookieFetch(): typeof fetch {
  const cookies = new Map<string, string>()
  return async (url, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(url, { ...init, headers })
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      cookies.set(name, value)
    }
    return response
  }
}
