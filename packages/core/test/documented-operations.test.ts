import { fetchHandler, identifyRequests, type Route } from '@gatehouse/core/adapter'
import { createAlerts, postAlerts } from '@gatehouse/core/alerts'
import { accountRoutes, createAuth, createScryptHasher, userRoutes } from '@gatehouse/core/auth'
import { createWebhooks } from '@gatehouse/core/webhook'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import { expectDescribed, services } from './openapi.fixture.ts'
import { samplesOf } from './schema-samples.ts'

type Service = keyof typeof services

const storage = createMemoryStorage()
const authorize = (): boolean => true
const draft = 'route: { receiver: team }\nreceivers: [{ name: team }]'
const alerts = createAlerts({ storage, authorize, config: draft, historyRetentionMs: 60_000 })
await postAlerts(alerts, [{ labels: { alertname: 'DiskFull' } }])
const auth = createAuth({
  storage,
  authorize,
  config:
    'id: app\nhttp: { public_origin: https://app.example, allow_insecure: true }\ntokens: {}\n',
  secrets: [{ id: 'a', key: new Uint8Array(32) }],
  hasher: createScryptHasher({ N: 2 }),
})
const webhooks = createWebhooks({
  storage,
  config: { hash_endpoint: true, metrics: true, webhooks: [] },
  environment: {},
})

const authRoutes = [
  ...auth.routes,
  ...accountRoutes(auth),
  ...userRoutes(auth, { subjectOf: ({ id }) => ({ id, kind: 'user' }) }),
]

const served = (routes: readonly Route[]) =>
  fetchHandler(identifyRequests(routes, () => ({ id: 'maya', kind: 'user' })))
const servers = {
  alerts: served(alerts.routes),
  auth: served(authRoutes),
  webhook: served(webhooks.routes),
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: true
  }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { schema: object } } }
}

/** Texts that operations accept, by the name of their member. */
const texts: Readonly<Record<string, string>> = {
  startTime: '08:00',
  endTime: '17:00',
  weekdays: 'monday:friday',
  daysOfMonth: '1:5',
  months: 'january:march',
  years: '2026',
  location: 'Europe/Berlin',
  config: draft,
}
const later = new Date(Date.now() + 3_600_000).toISOString()
const options = {
  text: (name: string, format?: string) => texts[name] ?? (format === 'date-time' ? later : 'x'),
  alone: new Set(['name', 'batch_input']),
}

/** Members that are needed, or refused, at times: the configuration decides, or the other members. */
const neededAtTimes: Readonly<Record<string, object>> = {
  advanceFlow: { state_token: 'x' },
  // Only with a `groupKey`.
  postAcknowledgements: { receiver: undefined },
  createUser: { email: 'maya@app.example' },
  createApiKey: { userId: undefined, service: 'billing' },
  createInvitation: { email: 'lee@app.example', locale: 'de' },
  runWebhook: { token: 'x' },
}

/** Only its first sample: the kinds of identities and of hashes decide about the members of its parts. */
const ofUsers = 'createUser'

function bodiesOf({ service, operation }: (typeof operations)[number]): readonly object[] {
  const { operationId: id, requestBody } = operation
  if (requestBody === undefined) return []
  const { schema } = requestBody.content['application/json']
  const samples = samplesOf(schema, services[service].schemas, options)
  const taken = id === ofUsers ? samples.slice(0, 1) : samples
  return taken.map((body) => ({ ...body, ...neededAtTimes[id] }))
}

const operations = Object.entries(services).flatMap(([service, { paths }]) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      service: service as Service,
      method: method.toUpperCase(),
      path,
      // The document has this form.
      operation: operation as unknown as Operation,
    })),
  ),
)

async function send(
  { service, method, path, operation }: (typeof operations)[number],
  body?: object,
) {
  const needed = operation.parameters?.filter((one) => one.in === 'query' && one.required) ?? []
  const query = new URLSearchParams(
    needed.map(({ name }): [string, string] => [name, 'x']),
  ).toString()
  const target = path.replace(/\{\w+\}/g, 'none')
  const text = body === undefined ? undefined : JSON.stringify(body)
  const response = await servers[service](
    new Request(`http://localhost${target}${query === '' ? '' : `?${query}`}`, {
      method,
      ...(text === undefined
        ? {}
        : { body: text, headers: { 'content-type': 'application/json' } }),
    }),
  )
  // A stream goes on.
  const isStream = response.headers.get('content-type') === 'text/event-stream'
  if (isStream) await response.body?.cancel()
  const received = {
    status: response.status,
    header: (name: string) => response.headers.get(name) ?? undefined,
    values: (name: string) => [response.headers.get(name)].filter((one) => one !== null),
    text: isStream ? '' : await response.text(),
  }
  expectDescribed(service, { method, path: target, body: text, received })
  return received
}

/** The reasons by which a request is refused for its form. */
const ofForm = /"(?:InvalidInput|ValidationFailed|UnparsableBody|invalid_request)"/

describe('every documented operation', () => {
  it.each(operations)('$method $path is served, and answers as the document says', async (one) => {
    const [first] = bodiesOf(one)
    const { status } = await send(one, first)
    expect([405, 500]).not.toContain(status)
  })

  const withBody = operations.filter((one) => bodiesOf(one).length > 0)

  it.each(withBody)('$method $path takes what the document offers', async (one) => {
    for (const body of bodiesOf(one)) {
      const { status, text } = await send(one, body)
      const isOfForm = status >= 400 && ofForm.test(text)
      expect(isOfForm, `${text} for ${JSON.stringify(body)}`).toBe(false)
    }
  })
})

describe('compression', () => {
  it('is allowed where no answer has a secret: not for sign-in, and not for the output of commands', () => {
    expect(alerts.routes.every(({ isCompressible }) => isCompressible === true)).toBe(true)
    expect([...authRoutes, ...webhooks.routes].some(({ isCompressible }) => isCompressible)).toBe(
      false,
    )
  })
})
