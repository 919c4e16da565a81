import {
  type Authorize,
  fetchHandler,
  identifyRequests,
  ownApiRoutes,
  whoAmI,
} from '@gatehouse/core/adapter'
import { createAlerts } from '@gatehouse/core/alerts'
import { createAuth, createScryptHasher, userRoutes } from '@gatehouse/core/auth'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'

/** The part of a JSON Schema that the test reads. */
interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

interface Content {
  readonly content?: { readonly 'application/json'?: { readonly schema: Schema } }
}

const authorize: Authorize = () => true
const storage = createMemoryStorage()
const alerts = createAlerts({
  storage,
  authorize,
  config: 'route: { receiver: team }\nreceivers: [{ name: team }]',
})
const auth = createAuth({
  storage,
  authorize,
  config: 'id: app\nhttp: { public_origin: https://app.example, allow_insecure: true }\n',
  secrets: [{ id: 'a', key: new Uint8Array(32) }],
  hasher: createScryptHasher({ N: 2 }),
})
const serve = fetchHandler(
  identifyRequests(
    [
      ...alerts.routes,
      ...userRoutes(auth, { subjectOf: ({ id }) => ({ id, kind: 'user' }) }),
      ...ownApiRoutes({ whoAmI: (caller) => whoAmI(alerts, caller), isGuarded: true }).filter(
        ({ method, path }) =>
          !alerts.routes.some((route) => route.method === method && route.path === path),
      ),
    ],
    () => ({ id: 'maya', kind: 'user' }),
  ),
)

const parts = [await alerts.openApi.load(), await auth.openApi.load()]
const schemas = Object.assign({}, ...parts.map((part) => part.schemas)) as Record<string, Schema>
const operations = parts.flatMap(({ paths }) =>
  Object.entries(paths)
    .filter(([path]) => path.startsWith('/gatehouse/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        // The document has this form; the client's types are written from it.
        operation: operation as unknown as Operation,
      })),
    ),
)

const resolved = ({ $ref, ...schema }: Schema): Schema =>
  $ref === undefined ? schema : (schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {})

/** Documents of others, which keep their keys: a record to import is Authgear's, and errors of sign-in have its details. */
const documents = /\/(?:ImportedUser|AuthErrorInfo)$/
/** Claims of OpenID Connect. */
const claims = /^(?:email_verified|phone_number|phone_number_verified|preferred_username)$/

/** The keys of a schema and of everything inside it. */
function keysOf(schema: Schema, seen: Set<string> = new Set()): readonly string[] {
  const { $ref } = schema
  if ($ref !== undefined && (seen.has($ref) || documents.test($ref))) return []
  if ($ref !== undefined) seen.add($ref)
  const { properties = {}, items, anyOf = [] } = resolved(schema)
  const inner = [...Object.values(properties), ...(items === undefined ? [] : [items]), ...anyOf]
  return [...Object.keys(properties), ...inner.flatMap((one) => keysOf(one, seen))]
}

const schemaOf = ({ content }: Content = {}): Schema => content?.['application/json']?.schema ?? {}

const send = async (method: string, path: string, body?: string) => {
  const url = `http://localhost${path.replace(/\{\w+\}/g, 'none')}`
  const answer = await serve(
    new Request(url, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    }),
  )
  const text = await answer.text()
  return { status: answer.status, type: answer.headers.get('content-type'), text }
}

function expectFailure({ type, text }: Awaited<ReturnType<typeof send>>): { reason: string } {
  expect(type).toBe('application/json')
  const { reason, message, info, ...rest } = JSON.parse(text)
  expect(reason).toMatch(/^[A-Z][A-Za-z]+$/)
  expect(message).toBeTypeOf('string')
  if (info !== undefined) expect(info).toBeTypeOf('object')
  expect(rest).toEqual({})
  return { reason }
}

describe.each(operations)('$method $path', ({ method, path, operation }) => {
  const { parameters = [], requestBody, responses } = operation

  it('has its keys and parameters in camelCase', () => {
    const answers = Object.values(responses).flatMap((answer) => keysOf(schemaOf(answer)))
    const names = parameters.filter((one) => one.in !== 'header').map(({ name }) => name)
    const wrong = [...answers, ...keysOf(schemaOf(requestBody)), ...names].filter(
      (name) => !/^[a-z][A-Za-z\d]*$/.test(name) && !claims.test(name),
    )
    expect(wrong).toEqual([])
    expect(names.filter((name) => /[A-Z]{2}/.test(name))).toEqual([])
  })

  it('answers a list as items, with limit and after for pages', () => {
    const { type, properties = {} } = resolved(schemaOf(responses[200]))
    expect(type).not.toBe('array')
    const { next: _next, total: _total, ...rest } = properties
    const [[name, only] = ['', {}], ...others] = Object.entries(rest)
    const isList = others.length === 0 && resolved(only).type === 'array'
    if (isList) expect(name).toBe('items')
    if (properties.items === undefined || properties.next === undefined) return
    const names = parameters.map((one) => one.name)
    expect(names).toEqual(expect.arrayContaining(['limit', 'after']))
  })

  it('documents one body of errors', () => {
    for (const [status, answer] of Object.entries(responses)) {
      if (/^[23]/.test(status)) continue
      expect(schemaOf(answer).$ref).toMatch(/\/(?:Alerts|Users)Failure$/)
    }
  })

  it('has that body for other methods, wrong parameters and wrong bodies', async () => {
    const other = await send('PUT', path)
    expect([other.status, expectFailure(other).reason]).toEqual([405, 'MethodNotAllowed'])
    const snake = await send(method, `${path}?some_thing=1`, method === 'POST' ? '{}' : undefined)
    if (method === 'GET') {
      expect([snake.status, expectFailure(snake).reason]).toEqual([400, 'InvalidQuery'])
    } else expect(snake.status).toBe(400)
    if (requestBody === undefined) return
    for (const body of ['{', '7', '']) {
      const { reason } = expectFailure(await send(method, path, body))
      expect(reason).toMatch(/^(?:UnparsableBody|InvalidInput|BadRequest|ValidationFailed)$/)
    }
  })
})

it.each(['', '/', '/nothing', '/alerts/x', '/users/a/b/c', '/me/x'])(
  'an unknown path such as /gatehouse/v1%s has that body',
  async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await send(method, `/gatehouse/v1${path}`)
      expect([answer.status, expectFailure(answer).reason]).toEqual([404, 'NotFound'])
    }
  },
)

it('walks all operations', () => {
  expect(operations.length).toBeGreaterThan(30)
})
