import { describe, expect, it } from 'vitest'
import { deviceTokenCollection } from './accounts/device-token-record.ts'
import type { FlowInput } from './flow/view.ts'
import { advanceFlow } from './flows/advance-flow.ts'
import { createFlow } from './flows/create-flow.ts'
import type { FlowResult } from './flows/flow-result.ts'
import { comeBy, type OAuthHouse, oauthHouse } from './kinds/oauth/oauth-house.fixture.ts'
import { eventsOf } from './own-account/account.fixture.ts'
import { beginAccountFlow } from './own-account/begin-account-flow.ts'
import { addAuthenticator } from './people/add-authenticator.ts'
import { addIdentity } from './people/add-identity.ts'
import { addRecoveryCodes } from './people/add-recovery-codes.ts'
import { createUser } from './people/create-user.ts'
import { getUser } from './people/get-user.ts'
import {
  type ConfigDelta,
  errorOf,
  startFlow,
  stateOf,
  type TestAuth,
  type TestFlow,
} from './service.fixture.ts'
import { listSessions } from './sessions/list-sessions.ts'
import { resolveSessionToken } from './sessions/resolve-session.ts'
import { createApiKey } from './tokens/create-api-key.ts'
import { listApiKeys } from './tokens/list-api-keys.ts'

const email = 'maya@harborlight.example'
const theirs = 'mine-mine-42'
const hers = 'tidal-lantern-42'
const secret = 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN'

const unproven: ConfigDelta = {
  api_keys: { scopes: ['orders:read'] },
  identity: { login_id: { keys: [{ type: 'email' }, { type: 'username' }] } },
  verification: { claims: { email: { required: false } } },
  authentication: {
    primary_authenticators: ['password', 'oob_otp_email'],
    secondary_authenticators: ['totp'],
  },
}

const tokenOf = (result: FlowResult): string =>
  (result.ok ? result.cookies.find(({ name }) => name === 'session')?.value : undefined) ?? ''

interface House extends OAuthHouse {
  /** The account that a stranger has set up with Maya's address. */
  readonly id: string
  /** The stranger's session. */
  readonly token: string
}

const signUp = async (world: TestAuth, address: string, password: string): Promise<TestFlow> => {
  const flow = await startFlow(world, 'signup')
  await flow.input({ identification: 'email', login_id: address })
  await flow.input({ authentication: 'primary_password', new_password: password })
  return flow
}

/** A stranger has signed up with the address, and has set up whatever an account can have. */
async function taken(delta: ConfigDelta = {}): Promise<House> {
  const world = oauthHouse({ ...unproven, ...delta })
  const token = tokenOf((await signUp(world, email, theirs)).last)
  const session = await resolveSessionToken(world.auth, token)
  const id = session?.user_id ?? ''
  world.clock.advance(1_000)
  await addAuthenticator(world.auth, id, { type: 'totp', secret })
  await addRecoveryCodes(world.auth, id)
  await addIdentity(world.auth, id, { type: 'username', value: 'eve' })
  await addIdentity(world.auth, id, { type: 'email', value: 'eve@evil.example', verified: true })
  await createApiKey(world.auth, { user_id: id, name: 'theirs', scopes: ['orders:read'] })
  const device = { user_id: id, created_at: world.clock.now() }
  await world.storage.commit([deviceTokenCollection.write('d1', device)])
  return { ...world, id, token }
}

const login = ({ auth }: TestAuth, login_id: string, password: string): Promise<FlowResult> =>
  createFlow(auth, {
    type: 'login',
    name: 'default',
    batch_input: [
      { identification: 'email', login_id },
      { authentication: 'primary_password', password },
    ],
  })

async function byCode(world: TestAuth, address = email): Promise<TestFlow> {
  const flow = await startFlow(world, 'login')
  await flow.input({ identification: 'email', login_id: address })
  stateOf(await flow.input({ authentication: 'primary_oob_otp_email', index: 1 }))
  await Promise.all(world.auth.sending)
  await flow.input({ code: world.codeTo(address) })
  return flow
}

async function byRecovery(world: TestAuth): Promise<FlowResult> {
  const flow = await startFlow(world, 'account_recovery')
  await flow.input({ identification: 'email', login_id: email })
  stateOf(await flow.input({ index: 0 }))
  await Promise.all(world.auth.sending)
  stateOf(await flow.input({ account_recovery_code: world.codeTo(email) }))
  return flow.input({ new_password: hers })
}

/** Nothing of the stranger is left in the account. */
async function expectOnlyHers(world: House, authenticators: readonly string[]): Promise<void> {
  const user = await getUser(world.auth, world.id)
  expect(user.identities).toMatchObject([{ type: 'login_id', email }])
  expect(user.verified_claims).toEqual([{ name: 'email', value: email }])
  expect(user.authenticators.map(({ kind, type }) => `${kind}_${type}`)).toEqual(authenticators)
  expect(user.recovery_codes).toBe(0)
  expect(user.standard_attributes.email).toBe(email)
  expect(await resolveSessionToken(world.auth, world.token)).toBeUndefined()
  expect(await deviceTokenCollection.get(world.storage, 'd1')).toBeUndefined()
  expect(await listApiKeys(world.auth, { user_id: world.id })).toEqual([])
  expect(errorOf(await login(world, email, theirs)).reason).toBe('InvalidCredentials')
}

describe('the first proof of an address that a stranger has signed up with', () => {
  it('ends what the stranger has set up: by a code at login', async () => {
    const world = await taken()
    const flow = await byCode(world)
    expect(stateOf(flow.last).action.type).toBe('finished')
    await expectOnlyHers(world, ['primary_oob_otp_email'])
    expect(await listSessions(world.auth, world.id)).toHaveLength(1)
    const events = await eventsOf(world)
    expect(events.filter(({ type }) => type === 'api_key.revoked')).toMatchObject([
      { payload: { user: { id: world.id }, api_key: { name: 'theirs' } } },
    ])
  })

  it('ends what the stranger has set up: by a recovery', async () => {
    const world = await taken()
    expect(stateOf(await byRecovery(world)).action.type).toBe('finished')
    await expectOnlyHers(world, ['primary_password'])
    expect(stateOf(await login(world, email, hers)).action.type).toBe('finished')
    const flow = await startFlow(world, 'account_recovery')
    stateOf(await flow.input({ identification: 'email', login_id: 'eve@evil.example' }))
    await flow.input({ index: 0 })
    await Promise.all(world.auth.sending)
    expect(world.outbox.messages.map(({ target }) => target)).not.toContain('eve@evil.example')
  })

  it('ends a flow that the stranger has begun', async () => {
    const world = await taken()
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    stateOf(await flow.input({ authentication: 'primary_password', password: theirs }))
    await byCode(world)
    const late = await flow.input({ authentication: 'secondary_totp', code: '000000' })
    expect(late.ok).toBe(false)
    const session = await resolveSessionToken(world.auth, world.token)
    expect(session).toBeUndefined()
  })

  it('does so once: later proofs end nothing', async () => {
    const world = await taken()
    stateOf((await byCode(world)).last)
    await addAuthenticator(world.auth, world.id, {
      type: 'password',
      kind: 'primary',
      password: hers,
    })
    world.clock.advance(61_000)
    stateOf((await byCode(world)).last)
    expect(stateOf(await login(world, email, hers)).action.type).toBe('finished')
    expect(await listSessions(world.auth, world.id)).toHaveLength(3)
  })

  it('keeps what the same flow has shown', async () => {
    const steps = [
      { type: 'identify', one_of: [{ identification: 'email' }] },
      { type: 'authenticate', one_of: [{ authentication: 'primary_password' }] },
      { type: 'authenticate', one_of: [{ authentication: 'primary_oob_otp_email' }] },
    ]
    const world = await taken({
      authentication_flow: { login_flows: [{ name: 'default', steps }] },
    })
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    await flow.input({ authentication: 'primary_password', password: theirs })
    await flow.input({ authentication: 'primary_oob_otp_email', index: 0 })
    await Promise.all(world.auth.sending)
    expect(stateOf(await flow.input({ code: world.codeTo(email) })).action.type).toBe('finished')
    const user = await getUser(world.auth, world.id)
    expect(user.authenticators.map(({ type }) => type)).toEqual(['password', 'oob_otp_email'])
  })

  it('ends nothing in an account that the host has created', async () => {
    const world = oauthHouse(unproven)
    const id = await createUser(world.auth, { email, password: hers })
    world.clock.advance(1_000)
    stateOf((await byCode(world)).last)
    const user = await getUser(world.auth, id)
    expect(user.authenticators.map(({ type }) => type)).toContain('password')
  })
})

describe('an owner who verifies the address in the account', () => {
  it('stays signed in with the password of the session; what others have set up ends', async () => {
    const world = await taken()
    const { auth } = world
    const other = tokenOf(await login(world, email, theirs))
    expect(other).toBe('')
    const session = await resolveSessionToken(auth, world.token)
    if (session === undefined) throw new Error('no session')
    const { identities } = await getUser(auth, world.id)
    const request = { cookie: `session=${world.token}` }
    const begun = await beginAccountFlow(
      auth,
      session,
      { verify_identity: identities[0]?.id ?? '' },
      request,
    )
    const input: FlowInput = { code: world.codeTo(email) }
    stateOf(await advanceFlow(auth, { state_token: stateOf(begun).state_token, input }, request))
    expect(await resolveSessionToken(auth, world.token)).toBeDefined()
    const user = await getUser(auth, world.id)
    expect(user.identities.map(({ email: address }) => address)).toEqual([email])
    expect(user.authenticators.map(({ type }) => type)).toEqual(['password'])
    expect(stateOf(await login(world, email, theirs)).action.type).toBe('finished')
  })
})

describe('an address that a stranger has signed up with', () => {
  it('does not block the sign-up of its owner, who proves it first', async () => {
    const world = await taken()
    const flow = await startFlow(world, 'signup')
    const asked = stateOf(await flow.input({ identification: 'email', login_id: email }))
    expect(asked.action.type).toBe('verify')
    stateOf(await flow.input({ code: world.codeTo(email) }))
    const done = await flow.input({ authentication: 'primary_password', new_password: hers })
    expect(stateOf(done).action.type).toBe('finished')
    const session = await resolveSessionToken(world.auth, tokenOf(done))
    expect(session?.user_id).not.toBe(world.id)
    const stranger = await getUser(world.auth, world.id)
    expect(stranger.identities.map(({ email: address }) => address).sort()).toEqual([
      'eve@evil.example',
      undefined,
    ])
    expect(stranger.standard_attributes.email).not.toBe(email)
    expect(errorOf(await login(world, email, theirs)).reason).toBe('InvalidCredentials')
    expect(stateOf(await login(world, email, hers)).action.type).toBe('finished')
    const again = await startFlow(world, 'signup')
    const refused = await again.input({ identification: 'email', login_id: email })
    expect(errorOf(refused)).toMatchObject({ info: { cause: { kind: 'DuplicatedIdentity' } } })
  })

  it('is not taken by a sign-up that does not prove it', async () => {
    const world = await taken()
    const flow = await startFlow(world, 'signup')
    stateOf(await flow.input({ identification: 'email', login_id: email }))
    expect((await flow.input({ code: '000000' })).ok).toBe(false)
    expect((await getUser(world.auth, world.id)).identities[0]).toMatchObject({ email })
  })

  it('does not block an account at a provider that vouches for the address', async () => {
    const world = await taken()
    const flow = await startFlow(world, 'signup')
    const done = await comeBy(world, flow, { subject: 'maya-1', email })
    expect(stateOf(done).action.type).toBe('finished')
    const session = await resolveSessionToken(world.auth, tokenOf(done))
    expect(session?.user_id).not.toBe(world.id)
    const stranger = await getUser(world.auth, world.id)
    expect(stranger.identities.map(({ email: address }) => address)).not.toContain(email)
  })

  it('is not lost to an account at a provider that does not vouch for it', async () => {
    const world = await taken()
    const flow = await startFlow(world, 'signup')
    const cloud = { subject: 'x', email, email_verified: false }
    const refused = await comeBy(world, flow, cloud, 'cloud')
    expect(errorOf(refused)).toMatchObject({ info: { cause: { kind: 'DuplicatedIdentity' } } })
  })

  it('hides from others whether it is taken, with the strict protection', async () => {
    const steps = [
      { type: 'identify', name: 'who', one_of: [{ identification: 'email' }] },
      { type: 'create_authenticator', one_of: [{ authentication: 'primary_password' }] },
      { type: 'verify', target_step: 'who' },
    ]
    const world = await taken({
      authentication: { ...(unproven.authentication as object), enumeration_protection: 'strict' },
      authentication_flow: { signup_flows: [{ name: 'proven', steps }] },
    })
    const flow = await startFlow(world, 'signup', {}, 'proven')
    stateOf(await flow.input({ identification: 'email', login_id: email }))
    await flow.input({ code: world.codeTo(email) })
    const done = await flow.input({ authentication: 'primary_password', new_password: hers })
    expect(stateOf(done).action.type).toBe('finished')
  })
})
