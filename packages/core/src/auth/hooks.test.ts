import { describe, expect, it } from 'vitest'
import { askHook } from './hooks.ts'
import type { AuthEvent, HookAnswer } from './ports.ts'
import { type ConfigDelta, errorOf, startFlow, stateOf, testAuth } from './service.fixture.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'

const event: AuthEvent = {
  id: 'e1',
  type: 'user.pre_create',
  payload: {},
  context: {
    timestamp: 0,
    user_id: null,
    triggered_by: 'user',
    client_id: null,
    ip_address: null,
    user_agent: null,
    authentication_flow: null,
  },
}

const unverified: ConfigDelta = { verification: { claims: { email: { required: false } } } }

/** A service whose sign-ups need no code, with a hook that is asked before a user is made, and lets pass all else. */
const withHook = (hook: (event: AuthEvent) => Promise<HookAnswer>) =>
  testAuth(unverified, {
    hook: async (event) => (event.type === 'user.pre_create' ? hook(event) : { is_allowed: true }),
  })

describe('a sign-up', () => {
  it('is told to the hook before there is a user', async () => {
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

  it('that the hook refuses stores nothing, and can be tried again', async () => {
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
      info: { event_type: 'user.pre_create', reasons: [{ title: 'Closed', reason: 'full' }] },
    })
    isAllowed = true
    expect(stateOf(await flow.input(input)).action.type).toBe('finished')
  })
})

describe('a hook', () => {
  it('that nobody gave is not asked', async () => {
    await expect(askHook(testAuth().auth, event)).resolves.toBeUndefined()
  })

  it('that takes too long refuses, and is waited for no longer than configured', async () => {
    const world = testAuth({}, { hook: () => new Promise(() => {}) })
    const asking = askHook(world.auth, event)
    const refused = expect(asking).rejects.toMatchObject({
      kind: 'InternalError',
      reason: 'HookDeliveryTimeout',
    })
    world.clock.advance(5_000)
    await refused
  })

  it('that fails refuses, and does not say of what', async () => {
    const { auth } = testAuth({}, { hook: () => Promise.reject(new Error('secret of the host')) })
    const failure: unknown = await askHook(auth, event).catch((error: unknown) => error)
    expect(failure).toMatchObject({ reason: 'HookDeliveryUnknownFailure' })
    expect(String(failure)).not.toContain('secret')
  })

  it('that fails before it promises anything refuses in the same way', async () => {
    const world = testAuth(
      {},
      {
        hook: () => {
          throw new Error('at once')
        },
      },
    )
    await expect(askHook(world.auth, event)).rejects.toMatchObject({
      reason: 'HookDeliveryUnknownFailure',
    })
  })

  it.each([undefined, null, {}, { is_allowed: 'yes' }, 'no'])(
    'that answers %j refuses',
    async (answer) => {
      const world = testAuth({}, { hook: async () => answer as unknown as HookAnswer })
      await expect(askHook(world.auth, event)).rejects.toMatchObject({
        reason: 'HookInvalidResponse',
      })
    },
  )

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
      await askHook(world.auth, event).catch(() => undefined)
      expect(world.clock.pendingTimers).toBe(0)
    }
  })
})
