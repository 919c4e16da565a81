import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../../../test-support/free-port.mjs'
import {
  type CaptureServer,
  captureServer,
  type GivenAnswer,
} from '../../http/capture-server.fixture.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import { errorOf, startFlow, startOfTests, stateOf, testAuth } from '../service.fixture.ts'
import { startEvents } from '../start/start-events.ts'
import type { AuthEvent } from './auth-event.ts'
import { verifyEventSignature } from './event-signature.ts'
import { createEventWebhook, createHookWebhook, type EventWebhookOptions } from './event-webhook.ts'
import { signUpMaya } from './hook.fixture.ts'
import type { HookEvent } from './hook.ts'

const secret = 'a secret of webhooks'
const clock = createManualClock(startOfTests)

const event: AuthEvent = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  seq: 7,
  type: 'user.created',
  payload: { user: { id: 'u1', standard_attributes: { name: 'Måya' } } },
  context: {
    timestamp: startOfTests + 500,
    user_id: 'u1',
    triggered_by: 'user',
    client_id: null,
    ip_address: '192.0.2.1',
    user_agent: null,
    app_id: 'test',
    preferred_languages: ['en'],
    language: 'en',
    oauth: { state: 's' },
    authentication_flow: { type: 'signup', name: 'default' },
  },
}

const asked: HookEvent = {
  ...event,
  type: 'user.pre_create',
  payload: {
    user: { id: 'u1', standard_attributes: { name: 'Måya' }, custom_attributes: {} },
    identities: [],
  },
}

/** A receiver that gives one answer, or none, and the options to reach it. */
async function receiver(answer?: GivenAnswer): Promise<{
  readonly options: EventWebhookOptions
  readonly received: CaptureServer['requests']
}> {
  const { url, requests } = await captureServer(() => answer ?? new Promise(() => {}))
  return { options: optionsFor(url), received: requests }
}

const optionsFor = (origin: string): EventWebhookOptions => ({
  url: `${origin}/hooks?of=gatehouse`,
  secret,
  allowHttp: true,
  clock,
})

const call = { signal: new AbortController().signal }

describe('an event sent to another program', () => {
  it('is JSON without unknown members, with signatures', async () => {
    const { options, received } = await receiver({ status: 204 })
    await createEventWebhook(options)(event)
    const [request] = received
    expect(request).toMatchObject({ method: 'POST', path: '/hooks?of=gatehouse' })
    expect(request?.headers['content-type']).toBe('application/json')
    expect(JSON.parse(request?.body ?? '')).toEqual({
      id: event.id,
      seq: 7,
      type: 'user.created',
      payload: event.payload,
      context: {
        timestamp: startOfTests / 1_000,
        user_id: 'u1',
        triggered_by: 'user',
        app_id: 'test',
        ip_address: '192.0.2.1',
        preferred_languages: ['en'],
        language: 'en',
        oauth: { state: 's' },
        authentication_flow: { type: 'signup', name: 'default' },
      },
    })
    const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('hex')
    const seconds = startOfTests / 1_000
    const body = request?.body ?? ''
    expect(request?.headers['x-authgear-body-signature']).toBe(hmac(body))
    const signature = `t=${seconds},v1=${hmac(`${seconds}.${body}`)}`
    expect(request?.headers['x-gatehouse-signature']).toBe(signature)
    expect(verifyEventSignature({ body, signature }, { secret, clock })).toBe(true)
  })

  it.each([300, 302, 307, 400, 401, 404, 410, 500, 503])(
    'fails with the status %i, and follows no redirection',
    async (status) => {
      const { options, received } = await receiver({ status, headers: { location: '/elsewhere' } })
      await expect(createEventWebhook(options)(event)).rejects.toThrow(
        `the answer has the status ${status}`,
      )
      expect(received).toHaveLength(1)
    },
  )

  it('fails without naming the address if nobody listens', async () => {
    const options = optionsFor(`http://127.0.0.1:${await freePort()}`)
    const failure: unknown = await createEventWebhook(options)(event).catch(
      (error: unknown) => error,
    )
    expect(String(failure)).toContain('could not be reached')
    expect(String(failure)).not.toContain('hooks')
  })

  it('times out', async () => {
    const { options } = await receiver()
    const own = createManualClock(startOfTests)
    const sending = createEventWebhook({ ...options, clock: own, timeoutMs: 1_000 })(event)
    const refused = expect(sending).rejects.toThrow('there was no answer in 1000 ms')
    own.advance(1_000)
    await refused
  })

  it('is sent by a service, in order', async () => {
    const { options, received } = await receiver({})
    const world = testAuth({}, { onEvent: createEventWebhook(options) })
    await signUpMaya(world)
    const running = startEvents(world.auth)
    await expect.poll(() => received.length).toBe(4)
    await running.stop()
    const delivered = received.map(({ body }) => JSON.parse(body))
    expect(delivered.map(({ seq }) => seq)).toEqual(delivered.map((_, index) => index + 1))
    expect(delivered.map(({ type }) => type)).toContain('user.created')
  })
})

describe('a hook in another program', () => {
  it('returns the answer of the program', async () => {
    const answer = { is_allowed: false, title: 'No', reason: 'not today' }
    const { options, received } = await receiver({ body: JSON.stringify(answer) })
    expect(await createHookWebhook(options)(asked, call)).toEqual(answer)
    expect(received[0]?.headers['x-authgear-body-signature']).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each([
    ['HookDeliveryUnknownFailure', { status: 500 }],
    ['HookDeliveryUnknownFailure', { status: 302, headers: { location: '/' } }],
    ['HookInvalidResponse', { body: '' }],
    ['HookInvalidResponse', { body: 'yes' }],
    ['HookInvalidResponse', { body: `"${'x'.repeat(1_100_000)}"` }],
  ])('fails with %s for an invalid answer: case %#', async (reason, answer) => {
    const { options } = await receiver(answer)
    await expect(createHookWebhook(options)(asked, call)).rejects.toMatchObject({
      kind: 'InternalError',
      reason,
    })
  })

  it('fails with HookDeliveryTimeout without an answer', async () => {
    const { options } = await receiver()
    const own = createManualClock(startOfTests)
    const asking = createHookWebhook({ ...options, clock: own, timeoutMs: 1_000 })(asked, call)
    const refused = expect(asking).rejects.toMatchObject({ reason: 'HookDeliveryTimeout' })
    own.advance(1_000)
    await refused
  })

  it('closes the connection once the caller gives up', async () => {
    const { options } = await receiver()
    const controller = new AbortController()
    const asking = createHookWebhook(options)(asked, { signal: controller.signal })
    const refused = expect(asking).rejects.toMatchObject({ reason: 'HookDeliveryUnknownFailure' })
    controller.abort()
    await refused
  })

  it('works as the hook of a service', async () => {
    const answer = { is_allowed: true, constraints: { amr: ['mfa'] } }
    const { options, received } = await receiver({ body: JSON.stringify(answer) })
    const world = testAuth(
      { authentication: { secondary_authentication_mode: 'disabled' } },
      { hook: createHookWebhook(options) },
    )
    const flow = await signUpMaya(world)
    expect(stateOf(flow.last).action.data.options).toEqual([{ authentication: 'secondary_totp' }])
    expect(received.map(({ body }) => JSON.parse(body).type)).toEqual([
      'authentication.pre_initialize',
      'authentication.post_identified',
      'authentication.pre_authenticated',
    ])
  })

  it.each([
    ['HookInvalidResponse', { body: '{"is_allowed":"yes"}' }],
    ['HookInvalidResponse', { body: 'no JSON' }],
    ['HookDeliveryUnknownFailure', { status: 503 }],
  ])('fails a sign-up with %s: case %#', async (reason, answer) => {
    const lines: object[] = []
    const log = (fields: object): void => {
      lines.push(fields)
    }
    const { options } = await receiver(answer)
    const hook = createHookWebhook(options)
    const world = testAuth(
      {},
      {
        hook: (one, asked) =>
          one.type === 'authentication.post_identified'
            ? hook(one, asked)
            : Promise.resolve({ is_allowed: true }),
        logger: { debug: log, info: log, warn: log, error: log },
      },
    )
    const flow = await startFlow(world, 'signup')
    const input = { identification: 'email', login_id: 'maya@harborlight.example' }
    expect(errorOf(await flow.input(input))).toMatchObject({ code: 500, reason })
    expect(lines).toHaveLength(1)
    expect(JSON.stringify(lines)).not.toContain(secret)
  })
})

describe('a webhook', () => {
  it.each([
    [{ url: 'http://hooks.example.com/' }, 'url: expected an https URL, got a string'],
    [
      { url: 'ftp://hooks.example.com/', allowHttp: true },
      'url: expected an https URL, got a string',
    ],
    [{ url: 'hooks' }, 'url: expected an https URL, got a string'],
    [
      { url: 'https://maya:secret@hooks.example.com/' },
      'url: expected a URL without a user name and password, got a string',
    ],
    [{ secret: '' }, 'secret: expected a non-empty string, got an empty string'],
  ])('is not created with %j', (given, message) => {
    const options = { url: 'https://hooks.example.com/', secret, ...given }
    for (const create of [createEventWebhook, createHookWebhook]) {
      expect(() => create(options)).toThrow(
        expect.objectContaining({ reason: 'InvalidInput', message: `options.${message}` }),
      )
    }
  })
})
