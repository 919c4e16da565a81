import { describe, expect, it } from 'vitest'
import type { PasswordAuthenticator } from '../accounts/authenticator-record.ts'
import { authenticatorCollection } from '../accounts/authenticator-record.ts'
import { identityKey } from '../accounts/identities.ts'
import { identityCollection, identityKeyCollection } from '../accounts/identity-record.ts'
import { passwordHistoryCollection } from '../accounts/password-history-record.ts'
import { advanceFlow } from '../flows/advance-flow.ts'
import { createFlow } from '../flows/create-flow.ts'
import type { FlowResult } from '../flows/flow-result.ts'
import { createScryptHasher } from '../kinds/password/scrypt-hasher.ts'
import { createUser, type NewUser } from '../people/create-user.ts'
import { deleteUser } from '../people/delete-user.ts'
import { getUser } from '../people/get-user.ts'
import { importUsers } from '../people/import-users.ts'
import { setPassword } from '../people/set-password.ts'
import { updateUser } from '../people/update-user.ts'
import {
  type ConfigDelta,
  errorOf,
  startFlow,
  stateOf,
  type TestAuth,
  type TestFlow,
  testAuth,
} from '../service.fixture.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const newPassword = 'copper-meadow-7'

const byName = {
  name: 'by_name',
  steps: [
    { type: 'identify', one_of: [{ identification: 'username' }] },
    { type: 'select_destination', allowed_channels: [{ channel: 'email', otp_form: 'code' }] },
    { type: 'verify_account_recovery_code' },
    { type: 'reset_password' },
  ],
}

const document: ConfigDelta = {
  identity: { login_id: { keys: [{ type: 'email' }, { type: 'username' }] } },
  authentication_flow: { account_recovery_flows: [byName] },
}

interface House extends TestAuth {
  readonly id: string
}

/** A service in which Maya has an address, a username and a password. */
async function house(delta: ConfigDelta = {}, more: Partial<NewUser> = {}): Promise<House> {
  const world = testAuth({ ...document, ...delta })
  const maya = { email, preferred_username: 'maya', password, ...more }
  return { ...world, id: await createUser(world.auth, maya) }
}

/** A recovery of Maya by her address that waits for the code of the link; and the code. */
async function atCode(world: House): Promise<{ readonly flow: TestFlow; readonly code: string }> {
  const flow = await startFlow(world, 'account_recovery')
  await flow.input({ identification: 'email', login_id: email })
  stateOf(await flow.input({ index: 0 }))
  await Promise.all(world.auth.sending)
  return { flow, code: world.codeTo(email) }
}

/** The same after the correct code. */
async function atReset(world: House): Promise<TestFlow> {
  const { flow, code } = await atCode(world)
  stateOf(await flow.input({ account_recovery_code: code }))
  return flow
}

const restore = ({ auth }: House, code: string): Promise<FlowResult> =>
  advanceFlow(auth, { input: { account_recovery_code: code } })

const login = ({ auth }: TestAuth, text: string): Promise<FlowResult> =>
  createFlow(auth, {
    type: 'login',
    name: 'default',
    batch_input: [
      { identification: 'email', login_id: email },
      { authentication: 'primary_password', password: text },
    ],
  })

async function passwordsOf({ storage }: TestAuth): Promise<readonly PasswordAuthenticator[]> {
  const found = await authenticatorCollection.find(storage, { by: 'id', limit: 100 })
  return found.flatMap(({ value }) => (value.type === 'password' ? [value] : []))
}

/** Removes an identity of Maya. */
async function lose({ auth, storage, id }: House, type: string): Promise<void> {
  const { identities } = await getUser(auth, id)
  for (const { id: identityId, ...identity } of identities) {
    if (identity.type !== 'login_id' || identity.login_id_type !== type) continue
    await storage.commit([
      identityCollection.remove(identityId),
      identityKeyCollection.remove(identityKey(identity)),
    ])
  }
}

const invalidCode = {
  reason: 'PasswordResetFailed',
  info: { cause: { kind: 'InvalidCode' } },
}

describe('the password of a recovery', () => {
  it('replaces the earlier one in the same authenticator', async () => {
    const world = await house()
    const [before] = await authenticatorCollection.find(world.storage, { by: 'id', limit: 9 })
    world.clock.advance(1_000)
    stateOf(await (await atReset(world)).input({ new_password: newPassword }))
    const [after, ...others] = await authenticatorCollection.find(world.storage, {
      by: 'id',
      limit: 9,
    })
    expect(others).toEqual([])
    expect(after).toMatchObject({
      id: before?.id,
      value: { created_at: before?.value.created_at, updated_at: world.clock.now() },
    })
    expect(stateOf(await login(world, newPassword)).action.type).toBe('finished')
  })

  it('replaces all earlier ones, and keeps second factors', async () => {
    const world = await house()
    const hash = await world.auth.hasher.hash('a password of another system')
    const now = world.clock.now()
    const record = { type: 'password', user_id: world.id, hash, expire_after: null } as const
    const dates = { created_at: now, updated_at: now }
    await world.storage.commit([
      authenticatorCollection.write('p2', { ...record, kind: 'primary', ...dates }),
      authenticatorCollection.write('p3', { ...record, kind: 'primary', ...dates }),
      authenticatorCollection.write('s1', { ...record, kind: 'secondary', ...dates }),
    ])
    stateOf(await (await atReset(world)).input({ new_password: newPassword }))
    const left = await passwordsOf(world)
    expect(left.map(({ kind }) => kind).sort()).toEqual(['primary', 'secondary'])
    const primary = left.find(({ kind }) => kind === 'primary')
    expect(await world.auth.hasher.verify(newPassword, primary?.hash ?? '')).toBe(true)
    expect(left.find(({ kind }) => kind === 'secondary')?.hash).toBe(hash)
  })

  it('adds the earlier one to the password history', async () => {
    const policy = { history_size: 2 }
    const world = await house({ authenticator: { password: { policy } } })
    stateOf(await (await atReset(world)).input({ new_password: newPassword }))
    world.clock.advance(61_000)
    const again = await atReset(world)
    for (const used of [password, newPassword]) {
      expect(errorOf(await again.input({ new_password: used }))).toMatchObject({
        reason: 'PasswordPolicyViolated',
        info: { FlowType: 'account_recovery', causes: [{ Name: 'PasswordReused' }] },
      })
    }
    stateOf(await again.input({ new_password: 'marble-tunnel-3' }))
    const history = await passwordHistoryCollection.find(world.storage, { by: 'id', limit: 9 })
    expect(history).toHaveLength(2)
  })
})

describe('a recovery by username', () => {
  const optionsFor = async (world: House): Promise<string | undefined> => {
    const flow = await startFlow(world, 'account_recovery', {}, 'by_name')
    await flow.input({ identification: 'username', login_id: 'maya' })
    stateOf(await flow.input({ index: 0 }))
    await Promise.all(world.auth.sending)
    return world.outbox.messages.at(-1)?.target
  }

  it('uses the address of the profile if the user has it', async () => {
    const world = await house()
    const other = 'maya@second.example'
    const identity = {
      type: 'login_id',
      user_id: world.id,
      login_id_type: 'email',
      login_id_key: 'email',
      original: other,
      normalized: other,
      unique_key: other,
      email: other,
      created_at: world.clock.now() + 1,
    } as const
    await world.storage.commit([identityCollection.write('i2', identity)])
    expect(await optionsFor(world)).toBe(email)
    await updateUser(world.auth, world.id, { standard_attributes: { email: other } })
    world.clock.advance(61_000)
    expect(await optionsFor(world)).toBe(other)
    await updateUser(world.auth, world.id, { standard_attributes: { email: 'no@body.example' } })
    world.clock.advance(61_000)
    expect(await optionsFor(world)).toBe(email)
  })
})

describe('a recovery whose address is removed before it ends', () => {
  it('refuses the code sent there', async () => {
    const world = await house()
    const { flow, code } = await atCode(world)
    await lose(world, 'email')
    expect(errorOf(await flow.input({ account_recovery_code: code }))).toMatchObject(invalidCode)
    expect(errorOf(await restore(world, code))).toMatchObject(invalidCode)
  })

  it('does not end with a code that was accepted before', async () => {
    const world = await house()
    const { code } = await atCode(world)
    const { state_token } = stateOf(await restore(world, code))
    await lose(world, 'email')
    const late = await advanceFlow(world.auth, {
      state_token,
      input: { new_password: newPassword },
    })
    expect(errorOf(late)).toMatchObject(invalidCode)
    const [{ hash } = { hash: '' }] = await passwordsOf(world)
    expect(await world.auth.hasher.verify(password, hash)).toBe(true)
  })

  it('fails once the user is deleted', async () => {
    const world = await house()
    const { flow, code } = await atCode(world)
    const restored = stateOf(await restore(world, code))
    await deleteUser(world.auth, world.id)
    expect(errorOf(await flow.input({ account_recovery_code: code }))).toMatchObject(invalidCode)
    expect(errorOf(await restore(world, code))).toMatchObject(invalidCode)
    const { state_token } = restored
    const late = await advanceFlow(world.auth, {
      state_token,
      input: { new_password: newPassword },
    })
    expect(late.ok).toBe(false)
    expect(await passwordsOf(world)).toEqual([])
  })
})

const slowLogin: ConfigDelta = {
  authentication_flow: {
    login_flows: [
      {
        name: 'default',
        steps: [
          {
            type: 'identify',
            one_of: [
              {
                identification: 'email',
                steps: [
                  {
                    type: 'authenticate',
                    name: 'first',
                    one_of: [{ authentication: 'primary_password' }],
                  },
                  {
                    type: 'authenticate',
                    optional: true,
                    one_of: [{ authentication: 'secondary_password' }],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
}

const secondPassword = 'a second password'

/** Maya with a second password too, and a first one whose hash is outdated. */
async function withTwoPasswords(): Promise<House> {
  const world = testAuth(slowLogin)
  const hasher = createScryptHasher({ N: 32, r: 1, p: 1 })
  const [first, second] = await Promise.all([hasher.hash(password), hasher.hash(secondPassword)])
  const [made] = await importUsers(world.auth, [
    {
      email,
      password: { type: 'scrypt', password_hash: first },
      mfa: { password: { type: 'scrypt', password_hash: second } },
    },
  ])
  return { ...world, id: made?.outcome === 'inserted' ? made.user_id : '' }
}

/** A login in which the first password was correct, and the second is asked for. */
async function atSecond(world: House): Promise<TestFlow> {
  const flow = await startFlow(world, 'login')
  await flow.input({ identification: 'email', login_id: email })
  const state = stateOf(await flow.input({ authentication: 'primary_password', password }))
  expect(state.action.data.options).toMatchObject([{ authentication: 'secondary_password' }])
  return flow
}

const showSecond = { authentication: 'secondary_password', password: secondPassword }

describe('a login in progress', () => {
  it('does not end with a password that a recovery has replaced, nor restore it', async () => {
    const world = await withTwoPasswords()
    const flow = await atSecond(world)
    stateOf(await (await atReset(world)).input({ new_password: newPassword }))
    expect(errorOf(await flow.input(showSecond))).toMatchObject({
      code: 401,
      reason: 'InvalidCredentials',
      info: { FlowType: 'login', AuthenticationType: 'password' },
    })
    expect(errorOf(await login(world, password)).reason).toBe('InvalidCredentials')
    expect(stateOf(await login(world, newPassword)).action.type).toBe('authenticate')
  })

  it('does not end with a password that the host has replaced', async () => {
    const world = await withTwoPasswords()
    const flow = await atSecond(world)
    await setPassword(world.auth, world.id, newPassword)
    expect(errorOf(await flow.input(showSecond)).reason).toBe('InvalidCredentials')
  })

  it('does not end with an authenticator that was removed from the account', async () => {
    const world = await withTwoPasswords()
    const [first, other] = [await atSecond(world), await atSecond(world)]
    const found = await authenticatorCollection.find(world.storage, { by: 'id', limit: 9 })
    const primary = found.find(({ value }) => value.kind === 'primary')
    stateOf(await first.input(showSecond))
    await world.storage.commit([authenticatorCollection.remove(primary?.id ?? '')])
    expect(errorOf(await other.input(showSecond)).reason).toBe('InvalidCredentials')
  })

  it('ends with a password that another login has rehashed', async () => {
    const world = await withTwoPasswords()
    const flows = [await atSecond(world), await atSecond(world)]
    for (const flow of flows) stateOf(await flow.input(showSecond))
    const [{ hash } = { hash: '' }] = (await passwordsOf(world)).filter(
      ({ kind }) => kind === 'primary',
    )
    expect(hash).toContain('ln=4')
  })
})
