import { describe, expect, it } from 'vitest'
import { deviceTokenCollection } from '../../accounts/device-token-record.ts'
import type { AuthorizationBridge, FlowOutcome } from '../../flow/session/authorization-bridge.ts'
import type { AuthorizationSession } from '../../flow/state.ts'
import { createUser } from '../../people/create-user.ts'
import { getLockout } from '../../people/lockouts.ts'
import { setPassword } from '../../people/set-password.ts'
import {
  type ConfigDelta,
  errorOf,
  startFlow,
  stateOf,
  type TestAuth,
  testAuth,
} from '../../service.fixture.ts'
import { listSessions } from '../../sessions/list-sessions.ts'
import { createFlow } from '../create-flow.ts'
import type { FlowResult } from '../flow-result.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'

async function withMaya(delta: ConfigDelta = {}, options: Parameters<typeof testAuth>[1] = {}) {
  const world = testAuth(delta, options)
  return { ...world, id: await createUser(world.auth, { email, password }) }
}

const trustDevice = async (world: TestAuth & { readonly id: string }): Promise<void> => {
  const token = { user_id: world.id, created_at: world.clock.now() }
  await world.storage.commit([deviceTokenCollection.write('t1', token)])
}

const deviceTokensIn = async ({ storage }: TestAuth): Promise<readonly string[]> => {
  const found = await deviceTokenCollection.find(storage, { by: 'id', limit: 9 })
  return found.map(({ id }) => id)
}

function login({ auth }: TestAuth, text = password, query = ''): Promise<FlowResult> {
  const inputs = [
    { identification: 'email', login_id: email },
    { authentication: 'primary_password', password: text },
  ]
  return createFlow(auth, { type: 'login', name: 'default', batch_input: inputs }, { query })
}

/** Recovers Maya's account by a link. */
async function recover(world: TestAuth): Promise<FlowResult> {
  const flow = await startFlow(world, 'account_recovery')
  await flow.input({ identification: 'email', login_id: email })
  await flow.input({ index: 0 })
  await Promise.all(world.auth.sending)
  await flow.input({ account_recovery_code: world.codeTo(email) })
  return flow.input({ new_password: 'copper-meadow-7' })
}

describe('an account recovery that ends', () => {
  it('opens no session, ends all sessions, and revokes trusted devices', async () => {
    const world = await withMaya()
    await login(world)
    await trustDevice(world)
    const done = await recover(world)
    expect(stateOf(done).action).toEqual({ type: 'finished', data: {} })
    expect(done.cookies).toEqual([])
    expect(await listSessions(world.auth, world.id)).toEqual([])
    expect(await deviceTokensIn(world)).toEqual([])
  })

  it('keeps sessions and trusted devices if configured so', async () => {
    const world = await withMaya({
      authentication: { device_token: { revoke_on_password_reset: false } },
      forgot_password: { revoke_sessions: false },
    })
    await login(world)
    await trustDevice(world)
    await recover(world)
    expect(await listSessions(world.auth, world.id)).toHaveLength(1)
    expect(await deviceTokensIn(world)).toEqual(['t1'])
  })

  it('keeps failed attempts, or clears them if configured so', async () => {
    const lockout = {
      max_attempts: 2,
      history_duration: '1h',
      minimum_duration: '30m',
      maximum_duration: '1h',
      lockout_type: 'per_user',
    }
    for (const resets of [false, true]) {
      const world = await withMaya({
        authentication: { lockout },
        forgot_password: { reset_lockout: resets },
      })
      await login(world, 'wrong')
      expect(errorOf(await login(world, 'wrong again')).reason).toBe('AccountLockout')
      stateOf(await recover(world))
      expect((await getLockout(world.auth, world.id)).attempts).toBe(resets ? 0 : 2)
      const next = await login(world, 'copper-meadow-7')
      expect(next.ok ? 'finished' : next.error.reason).toBe(resets ? 'finished' : 'AccountLockout')
    }
  })
})

describe('a password that was changed at login', () => {
  /** The sessions and the device tokens that remain. */
  const change = async (delta: ConfigDelta) => {
    const world = await withMaya(delta)
    await login(world)
    const [session] = await listSessions(world.auth, world.id)
    await setPassword(world.auth, world.id, 'temporary-1', {
      expireAfter: world.clock.now(),
      ...(session === undefined ? {} : { keepSession: session.id }),
    })
    await trustDevice(world)
    world.clock.advance(1)
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    await flow.input({ authentication: 'primary_password', password: 'temporary-1' })
    stateOf(await flow.input({ new_password: 'a-password-of-her-own' }))
    const sessions = await listSessions(world.auth, world.id)
    return [sessions.length, await deviceTokensIn(world)]
  }

  it('ends the other sessions and revokes trusted devices', async () => {
    expect(await change({})).toEqual([1, []])
  })

  it('keeps them if configured so', async () => {
    const left = await change({
      authentication: { device_token: { revoke_on_password_change: false } },
      session: { revoke_on_password_change: false },
    })
    expect(left).toEqual([2, ['t1']])
  })
})

describe('a sign-up that ends', () => {
  it('counts against the limit of its address, and is refused above it', async () => {
    const limits = { signup: { per_ip: { enabled: true, period: '1h', burst: 1 } } }
    const world = testAuth({
      authentication: { rate_limits: limits },
      verification: { claims: { email: { required: false } } },
    })
    const signUp = async (address: string, ip: string) => {
      const flow = await startFlow(world, 'signup', { ip })
      await flow.input({ identification: 'email', login_id: address })
      return flow.input({ authentication: 'primary_password', new_password: password })
    }
    stateOf(await signUp('a@harborlight.example', '192.0.2.1'))
    expect(errorOf(await signUp('b@harborlight.example', '192.0.2.1'))).toMatchObject({
      code: 429,
      reason: 'RateLimited',
      info: { bucket_name: 'SignupPerIP' },
    })
    stateOf(await signUp('b@harborlight.example', '192.0.2.2'))
  })
})

describe('a flow that serves an authorization request', () => {
  const request: AuthorizationSession = {
    id: 'r1',
    client_id: 'app',
    redirect_uri: 'https://app.example.com/cb',
  }

  /** A bridge with one request; it records outcomes. */
  function bridge() {
    const outcomes: (readonly [AuthorizationSession, FlowOutcome])[] = []
    const authorizationBridge: AuthorizationBridge = {
      resolve: async (reference) => (reference === 'ar_1' ? request : undefined),
      finish: async (session, outcome) => {
        outcomes.push([session, outcome])
        return `${session.redirect_uri}?code=once`
      },
    }
    return { authorizationBridge, outcomes }
  }

  it('returns the URI for its client, and reports the outcome to the bridge', async () => {
    const { authorizationBridge, outcomes } = bridge()
    const world = await withMaya({}, { authorizationBridge })
    const done = stateOf(await login(world, password, 'x_ref=ar_1&client_id=other'))
    expect(done.action.data).toEqual({
      finish_redirect_uri: 'https://app.example.com/cb?code=once',
    })
    const [session] = await listSessions(world.auth, world.id)
    expect(session?.client_id).toBe('app')
    expect(outcomes).toEqual([
      [
        request,
        {
          user_id: world.id,
          session_id: session?.id,
          amr: ['pwd', 'x_primary_password'],
          authenticated_at: world.clock.now(),
        },
      ],
    ])
  })

  it('finishes without a URI if the reference is unknown', async () => {
    const { authorizationBridge, outcomes } = bridge()
    const world = await withMaya({}, { authorizationBridge })
    const done = stateOf(await login(world, password, 'x_ref=ar_2'))
    expect(done.action).toEqual({ type: 'finished', data: {} })
    expect(outcomes).toEqual([])
  })

  it('reads the query of its body before that of its URL', async () => {
    const { authorizationBridge, outcomes } = bridge()
    const world = await withMaya({}, { authorizationBridge })
    const params = { type: 'login', name: 'default', url_query: 'x_ref=ar_1' } as const
    const created = stateOf(await createFlow(world.auth, params, { query: 'x_ref=ar_2' }))
    expect(created.action.type).toBe('identify')
    expect(outcomes).toEqual([])
    const inputs = [
      { identification: 'email', login_id: email },
      { authentication: 'primary_password', password },
    ]
    const done = await createFlow(
      world.auth,
      { ...params, batch_input: inputs },
      { query: 'x_ref=ar_2' },
    )
    expect(stateOf(done).action.data.finish_redirect_uri).toBeDefined()
  })

  it('is refused for any user but the requested one', async () => {
    const asking: AuthorizationBridge = {
      resolve: async () => ({ ...request, user_id_hint: 'somebody else' }),
      finish: async () => 'https://app.example.com/cb',
    }
    const world = await withMaya({}, { authorizationBridge: asking })
    expect(errorOf(await login(world, password, 'x_ref=ar_1'))).toMatchObject({
      reason: 'InvariantViolated',
      info: { FlowType: 'login', cause: { kind: 'MismatchedUser' } },
    })
  })
})
