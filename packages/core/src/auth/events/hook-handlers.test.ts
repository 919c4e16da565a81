import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { SendRequest } from '../../http-client/send-request.ts'
import { createAuth } from '../create-auth.ts'
import { createUser } from '../people/create-user.ts'
import { getUser } from '../people/get-user.ts'
import { errorOf, startFlow, stateOf, type TestAuth, testAuth } from '../service.fixture.ts'
import { startEvents } from '../start/start-events.ts'
import { verifyEventSignature } from './event-signature.ts'
import { outboxCollection } from './outbox.ts'

const email = 'maya@harborlight.example'
const secret = 'a secret of the hook'
const unverified = { verification: { claims: { email: { required: false } } } }

interface Sent {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Answer = { readonly status?: number; readonly body?: unknown } | Error

/** A service with handlers, whose webhooks are answered by their URL. */
function withHandlers(hook: object, answers: { [url: string]: (sent: Sent) => Answer }) {
  const sent: Sent[] = []
  const send: SendRequest = async ({ url, headers = {}, body = '' }) => {
    const one = { url, headers, body }
    sent.push(one)
    const answer = answers[url]?.(one) ?? {}
    if (answer instanceof Error) throw answer
    const { status = 200, body: given = { is_allowed: true } } = answer
    return { status, headers: new Headers(), body: JSON.stringify(given) }
  }
  const world = testAuth({ ...unverified, hook }, { hookSecret: secret, send })
  return { ...world, sent }
}

const signUp = async (world: TestAuth) => {
  const flow = await startFlow(world, 'signup')
  await flow.input({ identification: 'email', login_id: email })
  return flow.input({ authentication: 'primary_password', new_password: 'tidal-lantern-42' })
}

describe('blocking handlers of the configuration', () => {
  const blocking_handlers = [
    { event: 'user.pre_create', url: 'https://a.example/' },
    { event: 'authentication.pre_initialize', url: 'https://other.example/' },
    { event: 'user.pre_create', url: 'https://b.example/' },
  ]
  const nameOf = ({ body }: Sent) => JSON.parse(body).payload.user.standard_attributes.name
  const naming = (name: string): Answer => ({
    body: { is_allowed: true, mutations: { user: { standard_attributes: { email, name } } } },
  })

  it('are asked in turn, signed, and each sees the changes of the one before', async () => {
    const world = withHandlers(
      { blocking_handlers },
      {
        'https://a.example/': () => naming('A'),
        'https://b.example/': (sent) => naming(`${nameOf(sent)}B`),
      },
    )
    const done = stateOf(await signUp(world))
    expect(done.action.type).toBe('finished')
    const created = world.sent.filter(({ body }) => JSON.parse(body).type === 'user.pre_create')
    expect(created.map(({ url }) => url)).toEqual(['https://a.example/', 'https://b.example/'])
    for (const { headers, body } of created) {
      const signature = headers['x-gatehouse-signature']
      expect(verifyEventSignature({ body, signature }, { secret, clock: world.clock })).toBe(true)
      expect(headers['x-authgear-body-signature']).toMatch(/^[\da-f]{64}$/)
      expect(body).not.toContain('tidal-lantern-42')
    }
    const id = JSON.parse(created[0]?.body ?? '').context.user_id
    expect(await getUser(world.auth, id)).toMatchObject({ standard_attributes: { name: 'AB' } })
  })

  it('refuse, and the rest are not asked', async () => {
    const world = withHandlers(
      { blocking_handlers },
      {
        'https://a.example/': () => ({ body: { is_allowed: false, title: 'No', reason: 'full' } }),
      },
    )
    expect(errorOf(await signUp(world))).toMatchObject({
      reason: 'HookDisallowed',
      info: { reasons: [{ title: 'No', reason: 'full' }] },
    })
    expect(world.sent.some(({ url }) => url === 'https://b.example/')).toBe(false)
  })

  it.each<[string, Answer, string]>([
    ['answers with an error', { status: 500 }, 'HookDeliveryUnknownFailure'],
    ['redirects', { status: 302 }, 'HookDeliveryUnknownFailure'],
    ['cannot be reached', new Error('refused'), 'HookDeliveryUnknownFailure'],
    ['answers something else', { body: 'yes' }, 'HookInvalidResponse'],
  ])('let nobody in where one %s', async (_what, answer, reason) => {
    const world = withHandlers({ blocking_handlers }, { 'https://a.example/': () => answer })
    expect(errorOf(await signUp(world)).reason).toBe(reason)
  })
})

describe('non-blocking handlers of the configuration', () => {
  const non_blocking_handlers = [
    { events: ['*'], url: 'https://all.example/' },
    { events: ['user.created'], url: 'https://created.example/' },
    { events: ['user.deleted'], url: 'https://deleted.example/' },
  ]

  it('receive their events, and again until they accept them', async () => {
    let isUp = false
    const world = withHandlers(
      { non_blocking_handlers },
      { 'https://created.example/': () => (isUp ? {} : { status: 503 }) },
    )
    const running = startEvents(world.auth)
    await createUser(world.auth, { email })
    const urls = () => world.sent.map(({ url }) => url).sort()
    const left = () => outboxCollection.find(world.storage, { by: 'id', limit: 10 })
    /** Advances the clock until a condition holds. */
    const until = (condition: () => Promise<boolean>) =>
      expect
        .poll(async () => {
          world.clock.advance(1_000)
          return condition()
        })
        .toBe(true)
    await until(async () => urls().length >= 2 && (await left())[0]?.value.attempts === 1)
    isUp = true
    await until(async () => (await left()).length === 0)
    await running.stop()
    expect(urls().filter((url) => url === 'https://all.example/')).toHaveLength(1)
    expect(urls()).not.toContain('https://deleted.example/')
    expect(world.events).toHaveLength(1)
    const ids = new Set(world.sent.map(({ body }) => JSON.parse(body).id))
    expect(ids.size).toBe(1)
  })

  it('receive a request of the HTTP client from a program without onEvent', async () => {
    const requests: { request: IncomingMessage; body: string }[] = []
    const server = createServer(async (request, response) => {
      requests.push({ request, body: await text(request) })
      response.end()
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const { storage } = testAuth()
    const auth = createAuth({
      storage,
      config: {
        id: 'test',
        http: { public_origin: 'https://auth.example.com' },
        hook: { non_blocking_handlers: [{ events: ['*'], url: `http://127.0.0.1:${port}/in` }] },
      },
      secrets: [{ id: 'k1', key: new Uint8Array(32) }],
      hookSecret: secret,
    })
    await createUser(auth, { email })
    const running = startEvents(auth)
    await expect.poll(() => requests.length).toBe(1)
    await running.stop()
    server.close()
    const [{ request, body } = { request: undefined, body: '' }] = requests
    const signature = request?.headers['x-gatehouse-signature'] as string
    expect(verifyEventSignature({ body, signature }, { secret })).toBe(true)
    expect(JSON.parse(body)).toMatchObject({ type: 'user.created', seq: 1 })
  })

  it('need a secret', () => {
    expect(() => testAuth({ hook: { non_blocking_handlers } })).toThrow('options.hookSecret')
  })

  it('that are code for Deno are passed over with a warning', () => {
    const handlers = [{ events: ['*'], url: 'authgeardeno:///deno/a.ts' }]
    const { auth } = testAuth({ hook: { non_blocking_handlers: handlers } })
    expect(auth.config.current.warnings).toContainEqual(
      expect.stringContaining('hook.non_blocking_handlers[0].url: is code for Deno'),
    )
  })
})
