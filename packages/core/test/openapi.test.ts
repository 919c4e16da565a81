import {
  createAlerts,
  createAuth,
  createWebhooks,
  fetchHandler,
  type OpenApiOptions,
  openApiRoutes,
} from '@gatehouse/core'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import { authReasons } from '../src/auth/api/errors.ts'
import { sources } from '../src/sources.fixture.ts'

const storage = createMemoryStorage()
const alerts = createAlerts({
  storage,
  config: 'route: { receiver: a }\nreceivers: [{ name: a }]\n',
  basePath: '/alerts',
})
const auth = createAuth({
  storage,
  config: { id: 'test', http: { public_origin: 'https://auth.example.com', base_path: '/auth' } },
  secrets: [{ id: 'k1', key: 'a key for tests, of 32 bytes or more' }],
  authorize: () => true,
})
const webhooks = createWebhooks({
  storage,
  config: { base_path: '/hooks', hash_endpoint: true, metrics: true, webhooks: [] },
  environment: {},
})

interface Document {
  readonly openapi: string
  readonly servers: readonly { readonly url: string }[]
  readonly paths: { readonly [path: string]: { readonly [method: string]: object } }
  readonly components: { readonly schemas: object }
}

async function documentAt(mountPath = '', options: OpenApiOptions = {}): Promise<Document> {
  const routes = openApiRoutes([alerts, auth, webhooks], options)
  const serve = fetchHandler(routes, { basePath: mountPath })
  const response = await serve(new Request(`http://host${mountPath}/openapi.json`))
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  return (await response.json()) as Document
}

describe('the OpenAPI document', () => {
  it('leaves out operations without a route', async () => {
    const { paths } = await documentAt('', {
      routes: [{ method: 'GET', path: '/hooks/runs/:run_id' }],
    })
    expect(Object.keys(paths)).toEqual(['/hooks/runs/{run_id}'])
    expect(Object.keys(paths['/hooks/runs/{run_id}'] ?? {})).toEqual(['get'])
  })

  it('says where the services are mounted', async () => {
    expect(await documentAt()).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/' }] })
    expect((await documentAt('/api')).servers).toEqual([{ url: '/api' }])
  })

  it('refers only to its own schemas', async () => {
    const document = await documentAt()
    const names = Object.keys(document.components.schemas)
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)
    for (const [, name] of references) expect(names).toContain(name)
  })

  it('gives operations different names', async () => {
    const { paths } = await documentAt()
    const ids = Object.values(paths).flatMap((operations) =>
      Object.values(operations).map((operation) => Reflect.get(operation, 'operationId')),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('the catalogue of reasons', () => {
  /** Reasons of failures that no request to the service can have: those of a token verifier are answered by apps. */
  const neverAnswered = new Set([
    'InvalidConfiguration',
    'InvalidDpopProof',
    'MissingPackage',
    'SessionExists',
    'TokenVerifierUnavailable',
  ])

  it('has every reason that the sign-in service gives', () => {
    const pattern = /(?:authError|new GatehouseError)\(\s*'\w+',\s*'(\w+)'/g
    const given = sources
      .filter(({ path }) => path.startsWith('core/src/auth/'))
      .flatMap(({ code }) => [...code.matchAll(pattern)].map(([, reason = '']) => reason))
      .filter((reason) => !neverAnswered.has(reason))
    expect(given.length).toBeGreaterThan(50)
    expect([...new Set(given)].filter((reason) => !authReasons.includes(reason as never))).toEqual(
      [],
    )
  })
})
