import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nodeAdapter } from '@gatehouse/adapter-node'
import {
  type AlertsContext,
  type AuthContext,
  createAlerts,
  createAuth,
  createSession,
  createSilence,
  createUser,
  createWebhooks,
  identifyRequests,
  postAlerts,
  resolveSession,
  type Subject,
  startDispatcher,
  startWebhooks,
  userRoutes,
  type WebhooksContext,
} from '@gatehouse/core'
import { startHistory } from '@gatehouse/core/alerts'
import { createScryptHasher } from '@gatehouse/core/auth'
import { closeWebhooks } from '@gatehouse/core/webhook'
import { signInRoutes } from '@gatehouse/sign-in'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { listenAgain } from '../../../test-support/listen-again.ts'
import { consoleRoutes } from '../src/index.ts'
import { operator } from './open-people.fixture.ts'

/** A server with all three services, in the middle of an outage. */
export interface BusyServer {
  readonly alerts: AlertsContext
  readonly auth: AuthContext
  readonly webhooks: WebhooksContext
  readonly url: string
  /** Bodies that the receiver got, by path. */
  readonly received: readonly string[]
  stop(): Promise<void>
}

const minute = 60_000
const teams = ['checkout', 'database', 'search', 'network', 'payments']

/** Where notifications go. */
async function startReceiver(): Promise<{ url: string; received: string[]; stop: () => void }> {
  const received: string[] = []
  const server = createServer((request, response) => {
    received.push(request.url ?? '')
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}`, received, stop }
}

const alertsConfig = (receiver: string): string => `
route:
  receiver: everybody
  group_by: [alertname, team]
  group_wait: 0s
  routes: [{ receiver: on-call, matchers: [severity="critical"] }]
receivers:
- { name: everybody, webhook_configs: [{ url: "${receiver}/everybody" }] }
- { name: on-call, webhook_configs: [{ url: "${receiver}/on-call" }] }
inhibit_rules:
- { source_matchers: [alertname="ClusterDown"], target_matchers: [severity="warning"], equal: [cluster] }
`

/** The `n`-th of the alerts: half began long ago, one in four in the last ten minutes. */
function alertOf(n: number): { labels: Readonly<Record<string, string>>; startsAt: string } {
  const severity = n % 10 === 0 ? 'critical' : n % 10 < 7 ? 'warning' : 'info'
  const ageMs = n % 4 === 0 ? (1 + (n % 9)) * minute : (20 + (n % 300)) * minute
  return {
    labels: {
      alertname: `Symptom${n % 20}`,
      cluster: `c${n % 8}`,
      instance: `host-${n}:9100`,
      severity,
      team: teams[n % teams.length] ?? '',
    },
    startsAt: new Date(Date.now() - ageMs).toISOString(),
  }
}

/** Everybody may look; who has signed in as the operator may do everything. */
const authorize = (subject: Subject | undefined, action: string): boolean =>
  subject?.roles?.includes('operator') === true || /^(?:alerts|webhooks):read$/.test(action)

/** Starts a server where so many alerts fire. */
export async function startBusy(alertCount: number): Promise<BusyServer> {
  const server = createServer((request, response) => listener(request, response))
  const origin = `http://127.0.0.1:${await listenAgain(server)}`
  const receiver = await startReceiver()
  const storage = createMemoryStorage()
  const config = alertsConfig(receiver.url)
  const alerts = createAlerts({ storage, authorize, config })
  const auth = createAuth({
    storage,
    authorize,
    config: { id: 'busy', http: { public_origin: origin, allow_insecure: true } },
    secrets: [{ id: 'k1', key: 'a key for tests, of 32 bytes or more' }],
    hasher: createScryptHasher({ N: 16, r: 1, p: 1 }),
    senders: { sendEmail: async () => {} },
  })
  const webhooks = createWebhooks({
    storage,
    authorize,
    workdir: process.cwd(),
    environment: { PATH: process.env.PATH },
    config: {
      webhooks: [
        {
          id: 'deploy',
          token: 'token-of-deploy',
          execute_command: `${process.execPath} -e 'console.log("deployed", process.argv[1])' --`,
          workdir: '',
          command_arguments: [{ source: 'data.image', pattern: '[a-z0-9:]+', max_length: 40 }],
        },
      ],
    },
  })
  const operatorId = await createUser(auth, { ...operator, email_verified: true })
  await enterPeople(auth)
  const subjectOf = (id: string): Subject => ({
    id,
    kind: 'session',
    roles: id === operatorId ? ['operator'] : [],
  })
  const routes = identifyRequests(
    [
      ...alerts.routes,
      ...webhooks.routes,
      ...auth.routes,
      ...signInRoutes(auth),
      ...userRoutes(auth, { subjectOf: ({ id }) => subjectOf(id) }),
    ],
    async (request) => {
      const session = await resolveSession(auth, request)
      return session && subjectOf(session.user_id)
    },
  )
  const listener = nodeAdapter([...routes, ...consoleRoutes({ alerts, webhooks, auth })])
  const running = [startDispatcher(alerts), startHistory(alerts), startWebhooks(webhooks)]
  await breakOut(alerts, alertCount)
  return {
    alerts,
    auth,
    webhooks,
    url: `${origin}/`,
    received: receiver.received,
    async stop() {
      await closeWebhooks(webhooks, { graceMs: 0, killGraceMs: 0 })
      for (const one of running) await one.stop()
      receiver.stop()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

/** Forty people, of whom one has two sessions. */
async function enterPeople(auth: AuthContext): Promise<void> {
  for (let n = 0; n < 40; n++) {
    const email = `person-${n}@example.com`
    const standard_attributes = { name: `Person ${n}` }
    const id = await createUser(auth, { email, email_verified: true, standard_attributes })
    for (let sessions = n === 7 ? 2 : 0; sessions > 0; sessions--) {
      await createSession(auth, id, { amr: ['pwd'] })
    }
  }
}

/** The alerts of the outage, some of them silenced, and some inhibited. */
async function breakOut(alerts: AlertsContext, count: number): Promise<void> {
  const endsAt = new Date(Date.now() + 60 * minute).toISOString()
  const annotations = { summary: 'It does not answer.' }
  const all = Array.from({ length: count - 1 }, (_, n) => ({ ...alertOf(n), annotations, endsAt }))
  const cause = { alertname: 'ClusterDown', cluster: 'c3', severity: 'critical' }
  await postAlerts(alerts, [{ labels: cause, endsAt }])
  for (let i = 0; i < all.length; i += 1_000) await postAlerts(alerts, all.slice(i, i + 1_000))
  await createSilence(alerts, {
    matchers: [{ name: 'team', value: 'network', isRegex: false }],
    startsAt: Date.now(),
    endsAt: Date.now() + 60 * minute,
    createdBy: 'ana',
    comment: 'the switch is replaced',
  })
}
