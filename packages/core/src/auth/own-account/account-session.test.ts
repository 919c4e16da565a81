import { describe, expect, it } from 'vitest'
import { userCollection } from '../accounts/user-record.ts'
import type { AuthEvent } from '../events/auth-event.ts'
import type { HookAnswer } from '../flow/hooks/host-hook.ts'
import { createFlow } from '../flows/create-flow.ts'
import { getFlowState } from '../flows/get-flow-state.ts'
import { disableUser } from '../people/update-user.ts'
import { errorOf, stateOf, type TestAuth, testAuth } from '../service.fixture.ts'
import { revokeSession } from '../sessions/revoke-session.ts'
import { maya, type Person, sessionOf, signedIn, tom } from './account.fixture.ts'
import type { AccountFlowChange } from './account-change.ts'

const names = {
  identity: { login_id: { keys: [{ type: 'email' }, { type: 'username' }] } },
}
const name = { identification: 'username', login_id: 'maya.l' }

/** Begins a change that one input finishes. */
const begin = (person: Person) => person.begin({ add_identity: 'username' })

const identitiesOf = async (person: Person): Promise<number> =>
  (await person.details()).identities.length

describe('a change of how a user signs in', () => {
  const changes: readonly AccountFlowChange[] = [
    { add_identity: 'username' },
    { create_authenticator: ['secondary_totp'] },
  ]

  it('needs an authentication within ten minutes, or as long as the host configures', async () => {
    const world = testAuth(names)
    const person = await signedIn(world)
    world.clock.advance(600_000)
    for (const change of changes) stateOf(await person.tryTo(change))
    world.clock.advance(1)
    for (const change of changes) {
      expect(errorOf(await person.tryTo(change))).toMatchObject({
        reason: 'ReauthenticationRequired',
        code: 403,
      })
      stateOf(await person.tryTo(change, { freshForMs: 3_600_000 }))
      stateOf(await person.tryTo(change, { freshForMs: Number.POSITIVE_INFINITY }))
    }
    expect(errorOf(await person.tryTo({ create_passkey: true }, { freshForMs: 0 })).reason).toBe(
      'InvariantViolated',
    )
  })

  it('that asks for the password itself, or does not affect signing in, can begin at any time', async () => {
    const { email_verified: _, ...unproven } = maya
    const world = testAuth(names)
    const person = await signedIn(world, unproven)
    const [identity] = (await person.details()).identities
    world.clock.advance(86_400_000)
    stateOf(await person.tryTo({ change_password: 'primary' }))
    stateOf(await person.tryTo({ verify_identity: identity?.id ?? '' }))
    stateOf(await person.tryTo({ fill_in_user_profile: ['/nickname'] }))
  })

  it('needs a recent authentication if there is no password to ask for', async () => {
    const world = testAuth()
    const person = await signedIn(world, { email: maya.email })
    world.clock.advance(600_001)
    const refused = await person.tryTo({ change_password: 'primary' })
    expect(errorOf(refused).reason).toBe('ReauthenticationRequired')
  })
})

describe('a change of an account', () => {
  const stranger = async (world: TestAuth): Promise<string> =>
    (await signedIn(world, tom)).request.cookie

  it('can only finish in the session it began in', async () => {
    const world = testAuth(names)
    const person = await signedIn(world)
    const elsewhere = await sessionOf(world, person.id)
    const cookies = ['', 'session=nothing', await stranger(world), elsewhere.request.cookie]
    for (const cookie of cookies) {
      const flow = await person.begin({ add_identity: 'username' }, { cookie })
      const refused = errorOf(await flow.input(name))
      expect(refused).toMatchObject({ reason: 'SelectAccountSessionChanged', code: 401 })
      expect(refused.info).toBeUndefined()
    }
    expect(await identitiesOf(person)).toBe(1)
    const flow = await begin(person)
    expect(stateOf(await flow.input(name)).action.type).toBe('finished')
    expect(await identitiesOf(person)).toBe(2)
  })

  it('cannot finish once its session has ended, or its user may not sign in', async () => {
    const world = testAuth(names)
    const person = await signedIn(world)
    const elsewhere = await sessionOf(world, person.id)
    const [one, other] = [await begin(person), await begin(elsewhere)]
    await revokeSession(world.auth, person.session.id)
    expect(errorOf(await one.input(name)).reason).toBe('SelectAccountSessionChanged')
    await disableUser(world.auth, person.id)
    expect(errorOf(await other.input(name)).reason).toBe('SelectAccountSessionChanged')
    expect(errorOf(await elsewhere.tryTo({ add_identity: 'username' })).reason).toBe('DisabledUser')
    expect(await identitiesOf(person)).toBe(1)
  })

  it('leaves no records of the flow, and keeps last_login_at', async () => {
    const world = testAuth(names)
    const person = await signedIn(world)
    const before = await userCollection.get(world.storage, person.id)
    const flow = await begin(person)
    expect(await userCollection.get(world.storage, person.id)).toEqual(before)
    world.clock.advance(1_000)
    stateOf(await flow.input(name))
    const after = await userCollection.get(world.storage, person.id)
    expect(after?.value).toMatchObject({
      last_login_at: before?.value.last_login_at,
      updated_at: world.clock.now(),
    })
  })

  it('can be read again, and continued from an earlier state', async () => {
    const world = testAuth()
    const person = await signedIn(world)
    const flow = await person.begin({ add_identity: 'email' })
    const first = flow.token
    stateOf(await flow.input({ identification: 'email', login_id: tom.email }))
    const read = await getFlowState(world.auth, { state_token: flow.token }, person.request)
    expect(stateOf(read)).toEqual(stateOf(flow.last))
    stateOf(await flow.input({ identification: 'email', login_id: 'm@harborlight.example' }, first))
    stateOf(await flow.input({ code: world.codeTo(tom.email) }, stateOf(read).state_token))
    expect((await person.details()).identities[1]).toMatchObject({ email: tom.email })
  })

  it('cannot be started as a flow of another type', async () => {
    const world = testAuth()
    for (const flow of ['default', 'add_identity']) {
      const refused = await createFlow(world.auth, { type: 'account', name: flow })
      expect(errorOf(refused).reason).toBe('AuthenticationFlowFlowNotFound')
    }
  })

  it('is refused for a deleted user', async () => {
    const world = testAuth(names)
    const person = await signedIn(world)
    await world.storage.commit([userCollection.remove(person.id)])
    const refused = await person.tryTo({ add_identity: 'username' })
    expect(errorOf(refused).reason).toBe('UserNotFound')
  })

  it('counts against the request limit of its address', async () => {
    const limit = { enabled: true, period: '1m', burst: 2 }
    const world = testAuth({ authentication_flow: { rate_limits: { per_ip: limit } } })
    const person = await signedIn(world)
    const reasons = []
    for (let index = 0; index < 3; index++) {
      const result = await person.tryTo({ change_password: 'primary' })
      reasons.push(result.ok ? 'begun' : result.error.reason)
    }
    expect(reasons).toEqual(['begun', 'begun', 'TooManyRequest'])
  })
})

describe('the hook', () => {
  const asking = (answer: HookAnswer) => {
    const asked: AuthEvent[] = []
    const hook = async (event: AuthEvent): Promise<HookAnswer> => {
      asked.push(event)
      return answer
    }
    return { world: testAuth(names, { hook }), asked }
  }

  it('is called for a profile, and for no other change', async () => {
    const { world, asked } = asking({ is_allowed: true })
    const person = await signedIn(world)
    const flow = await begin(person)
    stateOf(await flow.input(name))
    expect(asked).toEqual([])
    const filling = await person.begin({ fill_in_user_profile: ['/nickname'] })
    stateOf(await filling.input({ attributes: [{ pointer: '/nickname', value: 'May' }] }))
    expect(asked).toMatchObject([
      {
        type: 'user.profile.pre_update',
        payload: { user: { standard_attributes: { nickname: 'May' } } },
        context: { authentication_flow: { type: 'account', name: 'fill_in_user_profile' } },
      },
    ])
    expect((await person.details()).standard_attributes).toMatchObject({ nickname: 'May' })
  })

  it('can refuse a profile', async () => {
    const { world } = asking({ is_allowed: false, reason: 'not such a name' })
    const person = await signedIn(world)
    const filling = await person.begin({ fill_in_user_profile: ['/nickname'] })
    const input = { attributes: [{ pointer: '/nickname', value: 'May' }] }
    expect(errorOf(await filling.input(input)).reason).toBe('HookDisallowed')
    expect((await person.details()).standard_attributes).toEqual({ email: maya.email })
  })
})
