import { createServer } from 'node:http'
import { nodeAdapter } from '@gatehouse/adapter-node'
import {
  type AuthContext,
  createAlerts,
  createAuth,
  createUser,
  identifyRequests,
  type Route,
  resolveSession,
  type Subject,
  startAuth,
  userRoutes,
} from '@gatehouse/core'
import { createScryptHasher } from '@gatehouse/core/auth'
import { createPasskeys } from '@gatehouse/core/passkeys'
import { signInRoutes } from '@gatehouse/sign-in'
import { createMemoryStorage } from '@gatehouse/store-memory'
import type { Page } from 'playwright-core'
import { listenAgain } from '../../../test-support/listen-again.ts'
import { consoleRoutes } from '../src/index.ts'

export const operator = { email: 'olga@example.com', password: 'tidal-lantern-42' } as const

/** Signs in by the pages of the service, which have been opened. */
export async function signIn(
  page: Page,
  { email, password }: { email: string; password: string } = operator,
): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
}

/** A server with alerts, sign-in and the console. */
export interface PeopleServer {
  readonly auth: AuthContext
  readonly url: string
  /** Writes the audit log as far as there are events. */
  record(): Promise<void>
  stop(): Promise<void>
}

/**
 * Everybody may read alerts. Who has signed in as the operator, or has the password of the server, may do everything.
 *
 * @param managesUsers whether there are routes to manage users.
 */
export async function startPeople({
  managesUsers = true,
  serverPasswords = true,
  authentication = {},
}: {
  managesUsers?: boolean
  serverPasswords?: boolean
  /** More keys of the section of the configuration. */
  authentication?: object
} = {}): Promise<PeopleServer> {
  const server = createServer((request, response) => listener(request, response))
  const origin = `http://127.0.0.1:${await listenAgain(server)}`
  const storage = createMemoryStorage()
  const authorize = (subject: Subject | undefined, action: string): boolean =>
    subject?.roles?.includes('operator') === true || action === 'alerts:read'
  const alerts = createAlerts({
    storage,
    authorize,
    config: 'route: { receiver: a }\nreceivers: [{ name: a }]\n',
  })
  const auth = createAuth({
    storage,
    authorize,
    config: {
      id: 'test',
      http: { public_origin: origin, allow_insecure: true },
      api_keys: { scopes: ['orders:read', 'orders:write'], max_per_owner: 2 },
      links: { invitation: `${origin}/signup?x_invitation={code}` },
      authentication: {
        ...authentication,
        lockout: {
          max_attempts: 2,
          history_duration: '1h',
          minimum_duration: '5m',
          maximum_duration: '5m',
          backoff_factor: 1,
          lockout_type: 'per_user',
          password: { enabled: true },
        },
      },
    },
    secrets: [{ id: 'k1', key: 'a key for tests, of 32 bytes or more' }],
    hasher: createScryptHasher({ N: 16, r: 1, p: 1 }),
    geoIp: () => 'NO',
    senders: { sendEmail: async () => {} },
    passkeys: createPasskeys(),
  })
  const operatorId = await createUser(auth, { ...operator, email_verified: true })
  const routes: readonly Route[] = [
    ...alerts.routes,
    ...auth.routes,
    ...signInRoutes(auth),
    ...(managesUsers
      ? userRoutes(auth, {
          subjectOf: ({ id }) => ({
            id,
            kind: 'session',
            roles: id === operatorId ? ['operator'] : [],
          }),
        })
      : []),
  ]
  const password = `Basic ${Buffer.from('ops:secret').toString('base64')}`
  const identified = identifyRequests(
    routes,
    async (request) => {
      if (request.headers.get('authorization') === password) {
        return { id: 'ops', kind: 'user', roles: ['operator'] }
      }
      const session = await resolveSession(auth, request)
      const roles = session?.user_id === operatorId ? ['operator'] : []
      return session && { id: session.user_id, kind: 'session', roles }
    },
    { challenge: 'Basic' },
  )
  const listener = nodeAdapter([...identified, ...consoleRoutes({ alerts, auth, serverPasswords })])
  return {
    auth,
    url: `${origin}/`,
    record: () => startAuth(auth).stop(),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
