import {
  accountRoutes,
  createAuth,
  createUser,
  createWebhooks,
  fetchHandler,
} from '@gatehouse/core'
import { createScryptHasher, createSession } from '@gatehouse/core/auth'
import { createManualClock } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import { createScriptedRunner } from '../src/webhook/scripted-runner.fixture.ts'

/** JSON texts of the wrong type for any place. */
const nearMisses = [
  'null',
  '0',
  '-0.0',
  '1e999',
  '9007199254740993',
  'true',
  '""',
  '"\\ud800"',
  '"\\u0000"',
  '"__proto__"',
  '"constructor"',
  '[]',
  '[[]]',
  '[null]',
  '{}',
  '{"toString":1}',
  '{"valueOf":1,"toJSON":1,"then":1,"length":1}',
  '{"__proto__":{"toString":1}}',
  '{"__proto__":null}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"\\udc00":"\\ud800"}',
  '{"0":{"toString":1},"length":1}',
  `${'['.repeat(200)}${']'.repeat(200)}`,
]

type Path = readonly (string | number)[]

/** Every path in a body, from the outside in. */
function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const below = Object.entries(value).flatMap(([key, one]) => pathsIn(one, [...path, key]))
  return [path, ...below]
}

/** The text of a body with another value at a path. */
function spoiled(body: unknown, [step, ...rest]: Path, by: string): string {
  if (step === undefined) return by
  const members = Object.entries(Object(body)).map(([key, one]) => {
    const text = key === step ? spoiled(one, rest, by) : JSON.stringify(one)
    return Array.isArray(body) ? text : `${JSON.stringify(key)}:${text}`
  })
  return Array.isArray(body) ? `[${members}]` : `{${members}}`
}

const clock = createManualClock(Date.UTC(2026, 0, 2))
const off = { enabled: false }
const unlimited = { per_ip: off, per_user_per_ip: off, per_user: off }

async function createService() {
  const storage = createMemoryStorage({ clock })
  const auth = createAuth({
    storage,
    clock,
    hasher: createScryptHasher({ N: 2, r: 1, p: 1 }),
    secrets: [{ id: 'a', key: new Uint8Array(32) }],
    config: {
      id: 'app',
      http: { public_origin: 'https://app.example' },
      authentication: {
        rate_limits: { general: unlimited, account_enumeration: { per_ip: off } },
      },
      authentication_flow: { rate_limits: { per_ip: off } },
    },
  })
  const webhooks = createWebhooks({
    storage,
    clock,
    runner: createScriptedRunner((command) => command.end()),
    config: {
      webhooks: [
        {
          id: 'a',
          token: 'tidal-lantern-42',
          execute_command: 'true',
          workdir: '/',
          mode: 'async',
          accept: ['json', 'form'],
          dedupe: { key: 'data.id' },
          rules: {
            any: [
              { source: 'data.ref', pattern: 'x' },
              { source: 'body:', exists: true },
            ],
          },
          command_arguments: [{ name: 'x', source: 'data.a.b', on_missing: 'skip' }],
          env: { V: { source: 'data.c', default: '' } },
          files: [{ env: 'F', source: 'data.d', base64: true }],
        },
      ],
    },
  })
  const user = await createUser(auth, { email: 'a@x.example', password: 'tidal-lantern-42' })
  const { cookies } = await createSession(auth, user, { amr: ['pwd'] })
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const routes = [...auth.routes, ...accountRoutes(auth), ...webhooks.routes]
  const ask = fetchHandler(routes, { client: () => ({ address: '192.0.2.1' }) })
  return async (method: string, path: string, body: string) => {
    const headers = { 'content-type': 'application/json', cookie, origin: 'https://app.example' }
    const response = await ask(new Request(`https://app.example${path}`, { method, headers, body }))
    return { status: response.status, text: await response.text() }
  }
}

const flows = '/api/v1/authentication_flows'

const email = { identification: 'email', login_id: 'a@x.example' }
const password = { authentication: 'primary_password', password: 'tidal-lantern-42' }

/** Valid bodies, and the status of their answers. */
const bodies: readonly (readonly [method: string, path: string, status: number, body: unknown])[] =
  [
    ['POST', flows, 200, { type: 'login', name: 'default', batch_input: [email] }],
    ['POST', `${flows}/states/input`, 200, { state_token: '$token', input: email }],
    [
      'POST',
      `${flows}/states/input`,
      200,
      { state_token: '$token', batch_input: [email, password] },
    ],
    ['POST', `${flows}/states`, 200, { state_token: '$token' }],
    ['POST', `${flows}/links/approve`, 403, { code: 'x' }],
    ['POST', '/api/v1/account/flows', 200, { fill_in_user_profile: ['/name'] }],
    ['POST', '/api/v1/account/flows', 200, { add_identity: 'email' }],
    ['PATCH', '/api/v1/account/profile', 200, { attributes: [{ pointer: '/name', value: 'Ann' }] }],
    [
      'POST',
      '/webhook',
      202,
      { id: 'a', token: 'tidal-lantern-42', data: { id: '1', a: { b: 'c' }, d: 'eA==' } },
    ],
    ['POST', '/hash', 200, { message: 'x' }],
  ]

describe('a body with an invalid value', () => {
  it.each(bodies)(
    'is answered with the problem by %s %s',
    async (method, path, expected, right) => {
      const send = await createService()
      const begun = await send('POST', flows, '{"type":"login","name":"default"}')
      const token: string = JSON.parse(begun.text).result.state_token
      const body: unknown = JSON.parse(JSON.stringify(right).replace('$token', token))
      const first = await send(method, path, JSON.stringify(body))
      expect([first.status, first.text]).toEqual([expected, expect.anything()])
      for (const place of pathsIn(body)) {
        for (const miss of nearMisses) {
          const sent = spoiled(body, place, miss)
          const { status, text } = await send(method, path, sent)
          expect(status, `${sent.slice(0, 200)}: ${text}`).toBeLessThan(500)
          expect(JSON.parse(text)).toBeTypeOf('object')
          expect(text.isWellFormed()).toBe(true)
        }
      }
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    },
  )
})
