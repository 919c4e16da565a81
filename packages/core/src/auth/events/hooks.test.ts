import { describe, expect, it } from 'vitest'
import { GatehouseError } from '../../errors.ts'
import type { HookAnswer } from '../flow/hooks/host-hook.ts'
import {
  type ConfigDelta,
  errorOf,
  startFlow,
  stateOf,
  type TestAuth,
  testAuth,
} from '../service.fixture.ts'
import type { AuthEvent } from './auth-event.ts'
import type { HookEvent } from './hook.ts'
import { askHook } from './hooks.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'

const event: HookEvent = {
  id: 'e1',
  type: 'user.pre_create',
  payload: {
    user: { id: 'u1', standard_attributes: {}, custom_attributes: {} },
    identities: [],
  },
  context: {
    timestamp: 0,
    user_id: null,
    triggered_by: 'user',
    client_id: null,
    ip_address: null,
    user_agent: null,
    app_id: 'test',
    preferred_languages: ['en'],
    language: 'en',
    oauth: {},
    authentication_flow: null,
  },
}

/** The hook state of a new request. */
const run = ({ auth }: TestAuth): Parameters<typeof askHook>[0] => ({
  auth,
  hook_time: { spentMs: 0 },
})

const unverified: ConfigDelta = { verification: { claims: { email: { required: false } } } }

/** A service whose sign-ups need no code, with a hook for new users that allows everything else. */
const withHook = (hook: (event: AuthEvent) => Promise<HookAnswer>) =>
  testAuth(unverified, {
    hook: async (event) => (event.type === 'user.pre_create' ? hook(event) : { is_allowed: true }),
  })

describe('a sign-up', () => {
  it('asks the hook before the user is stored', async () => {
    const asked: AuthEvent[] = []
    const world = withHook(async (one) => {
      asked.push(one)
      return { is_allowed: true }
    })
    const flow = await startFlow(world, 'signup', { ip: '192.0.2.1', userAgent: 'test' })
    await flow.input({ identification: 'email', login_id: email })
    expect(asked).toEqual([])
    stateOf(await flow.input({ authentication: 'primary_password', new_password: password }))
    expect(asked).toMatchObject([
      {
        type: 'user.pre_create',
        context: {
          triggered_by: 'user',
          ip_address: '192.0.2.1',
          user_agent: 'test',
          authentication_flow: { type: 'signup', name: 'default' },
        },
      },
    ])
    expect(JSON.stringify(asked)).not.toContain(password)
  })

  it('stores nothing if the hook refuses, and can be tried again', async () => {
    let isAllowed = false
    const world = withHook(async () => ({ is_allowed: isAllowed, title: 'Closed', reason: 'full' }))
    const flow = await startFlow(world, 'signup')
    await flow.input({ identification: 'email', login_id: email })
    const input = { authentication: 'primary_password', new_password: password }
    const refused = await flow.input(input)
    expect(errorOf(refused)).toEqual({
      name: 'Forbidden',
      reason: 'HookDisallowed',
      message: 'disallowed by hook event handler',
      code: 403,
      info: {
        FlowType: 'signup',
        event_type: 'user.pre_create',
        reasons: [{ title: 'Closed', reason: 'full' }],
      },
    })
    isAllowed = true
    expect(stateOf(await flow.input(input)).action.type).toBe('finished')
  })
})

describe('a hook', () => {
  it('is optional', async () => {
    await expect(askHook(run(testAuth()), event)).resolves.toEqual({ is_allowed: true })
  })

  it('refuses after its timeout', async () => {
    const lines: [object, string][] = []
    const log = (fields: object, message: string): void => {
      lines.push([fields, message])
    }
    const world = testAuth(
      {},
      {
        hook: () => new Promise(() => {}),
        logger: { debug: log, info: log, warn: log, error: log },
      },
    )
    const asking = askHook(run(world), event)
    const refused = expect(asking).rejects.toMatchObject({
      kind: 'InternalError',
      reason: 'HookDeliveryTimeout',
    })
    world.clock.advance(5_000)
    await refused
    expect(lines).toEqual([[{ event: 'user.pre_create', ms: 5_000 }, 'a hook took too long']])
  })

  it('refuses if it fails, and does not reveal the reason', async () => {
    const world = testAuth({}, { hook: () => Promise.reject(new Error('secret of the host')) })
    const failure: unknown = await askHook(run(world), event).catch((error: unknown) => error)
    expect(failure).toMatchObject({ reason: 'HookDeliveryUnknownFailure' })
    expect(String(failure)).not.toContain('secret')
  })

  it('refuses if it throws synchronously', async () => {
    const world = testAuth(
      {},
      {
        hook: () => {
          throw new Error('at once')
        },
      },
    )
    await expect(askHook(run(world), event)).rejects.toMatchObject({
      reason: 'HookDeliveryUnknownFailure',
    })
  })

  it.each([undefined, null, {}, { is_allowed: 'yes' }, 'no'])(
    'refuses if it answers %j',
    async (answer) => {
      const world = testAuth({}, { hook: async () => answer as unknown as HookAnswer })
      await expect(askHook(run(world), event)).rejects.toMatchObject({
        reason: 'HookInvalidResponse',
      })
    },
  )

  it('gets an abort signal when its time is over', async () => {
    let isAborted = false
    const world = testAuth(
      {},
      {
        hook: (_event, { signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              isAborted = true
              reject(signal.reason)
            })
          }),
      },
    )
    const refused = expect(askHook(run(world), event)).rejects.toMatchObject({
      reason: 'HookDeliveryTimeout',
    })
    world.clock.advance(5_000)
    await refused
    expect(isAborted).toBe(true)
  })

  it('shares one time budget with the other hooks of a request', async () => {
    const asked: string[] = []
    const world = testAuth(
      {},
      {
        hook: async ({ id }) => {
          asked.push(id)
          world.clock.advance(4_000)
          return { is_allowed: true }
        },
      },
    )
    const request = run(world)
    for (const id of ['e1', 'e2']) await askHook(request, { ...event, id })
    // Two seconds are left.
    const late = askHook(request, { ...event, id: 'e3' })
    await expect(late).rejects.toMatchObject({ reason: 'HookDeliveryTimeout' })
    const refused = askHook(request, { ...event, id: 'e4' })
    await expect(refused).rejects.toMatchObject({ reason: 'HookDeliveryTimeout' })
    expect(asked).toEqual(['e1', 'e2', 'e3'])
    await askHook(run(world), { ...event, id: 'of another request' })
  })

  it('may report how its own delivery failed', async () => {
    for (const reason of ['HookDeliveryTimeout', 'HookInvalidResponse']) {
      const hook = () => Promise.reject(new GatehouseError('InternalError', reason, 'away'))
      await expect(askHook(run(testAuth({}, { hook })), event)).rejects.toMatchObject({ reason })
    }
    const hook = () => Promise.reject(new GatehouseError('NotFound', 'UserNotFound', 'of the host'))
    await expect(askHook(run(testAuth({}, { hook })), event)).rejects.toMatchObject({
      reason: 'HookDeliveryUnknownFailure',
    })
  })

  it('leaves no timer behind, however it ends', async () => {
    const outcomes: (() => Promise<HookAnswer>)[] = [
      async () => ({ is_allowed: true }),
      async () => ({ is_allowed: false }),
      () => Promise.reject(new Error('away')),
      () => {
        throw new Error('at once')
      },
    ]
    for (const hook of outcomes) {
      const world = testAuth({}, { hook })
      await askHook(run(world), event).catch(() => undefined)
      expect(world.clock.pendingTimers).toBe(0)
    }
  })
})
