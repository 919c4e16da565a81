import { describe, expect, it } from 'vitest'
import { advanceFlow } from '../../flows/advance-flow.ts'
import { createFlow } from '../../flows/create-flow.ts'
import { getUser } from '../../people/get-user.ts'
import { importUsers } from '../../people/import-users.ts'
import { setPassword } from '../../people/set-password.ts'
import { disableUser } from '../../people/update-user.ts'
import { errorOf, startFlow, stateOf, type TestAuth, testAuth } from '../../service.fixture.ts'
import { createScryptHasher } from './scrypt-hasher.ts'

const email = 'maya@harborlight.example'
const phone = '+6591234567'
const password = 'oldpassword'

async function withMaya(world: TestAuth, more: object = {}): Promise<string> {
  const hash = await world.auth.hasher.hash(password)
  const [made] = await importUsers(world.auth, [
    { email, password: { type: 'scrypt', password_hash: hash }, ...more },
  ])
  if (made?.outcome !== 'inserted') throw new Error('Maya could not be made')
  return made.user_id
}

const loginWith = ({ auth }: TestAuth, text: string) =>
  createFlow(auth, {
    type: 'login',
    name: 'default',
    batch_input: [
      { identification: 'email', login_id: email },
      { authentication: 'primary_password', password: text },
    ],
  })

describe('a password that the policy no longer allows', () => {
  it('must be changed at the next login', async () => {
    const policy = { min_length: 12, digit_required: true }
    const world = testAuth({ authenticator: { password: { policy } } })
    await withMaya(world)
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    const change = stateOf(await flow.input({ authentication: 'primary_password', password }))
    expect(change.action).toEqual({
      type: 'change_password',
      data: {
        type: 'new_password_data',
        force_change_reason: 'policy',
        password_policy: {
          minimum_length: 12,
          digit_required: true,
          history: { enabled: false },
        },
      },
    })
    const refused = await flow.input({ new_password: 'longer-but-no-digit' })
    expect(errorOf(refused).info).toMatchObject({ causes: [{ Name: 'PasswordDigitRequired' }] })
    stateOf(await flow.input({ new_password: 'longer-with-digit-7' }))
    expect(errorOf(await loginWith(world, password)).reason).toBe('InvalidCredentials')
    expect(stateOf(await loginWith(world, 'longer-with-digit-7')).action.type).toBe('finished')
  })
})

describe('a temporary password', () => {
  it('must be changed, and not to itself', async () => {
    const world = testAuth()
    const userId = await withMaya(world)
    await setPassword(world.auth, userId, 'temporary-1', { expireAfter: world.clock.now() })
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    await flow.input({ authentication: 'primary_password', password: 'temporary-1' })
    expect(stateOf(flow.last).action.data.force_change_reason).toBe('expiry')
    expect(errorOf(await flow.input({ new_password: 'temporary-1' }))).toMatchObject({
      reason: 'ChangePasswordFailed',
      info: { cause: { kind: 'PasswordReused' } },
    })
    stateOf(await flow.input({ new_password: 'a-password-of-her-own' }))
    expect(stateOf(await loginWith(world, 'a-password-of-her-own')).action.type).toBe('finished')
  })
})

describe('a hash of another algorithm', () => {
  it('is replaced at the next login', async () => {
    const world = testAuth()
    const foreign = createScryptHasher({ N: 32, r: 1, p: 1 })
    const hash = await foreign.hash(password)
    await importUsers(world.auth, [{ email, password: { type: 'scrypt', password_hash: hash } }])
    stateOf(await loginWith(world, password))
    const records = await world.storage.find(
      { name: 'auth_authenticators', fields: { user_id: 'text' }, feed: false },
      { by: 'id', limit: 10 },
    )
    expect(records.map(({ value }) => value)).toMatchObject([
      { hash: expect.stringContaining('ln=4') },
    ])
    expect(stateOf(await loginWith(world, password)).action.type).toBe('finished')
  })
})

describe('an earlier password', () => {
  it('is refused while it is in the history', async () => {
    const policy = { history_size: 2 }
    const world = testAuth({ authenticator: { password: { policy } } })
    const userId = await withMaya(world)
    await setPassword(world.auth, userId, 'second-password')
    await setPassword(world.auth, userId, 'temporary-1', { expireAfter: world.clock.now() })
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    await flow.input({ authentication: 'primary_password', password: 'temporary-1' })
    expect(errorOf(await flow.input({ new_password: 'second-password' })).info).toMatchObject({
      causes: [{ Name: 'PasswordReused', Info: { history_size: 2, history_days: 0 } }],
    })
    stateOf(await flow.input({ new_password: password }))
  })
})

describe('an account that may not sign in', () => {
  it('is refused after the password, not before', async () => {
    const world = testAuth()
    const userId = await withMaya(world)
    await disableUser(world.auth, userId, { reason: 'fraud review' })
    expect(errorOf(await loginWith(world, 'wrong')).reason).toBe('InvalidCredentials')
    expect(errorOf(await loginWith(world, password))).toMatchObject({
      code: 403,
      reason: 'DisabledUser',
      info: { FlowType: 'login', reason: 'fraud review' },
    })
  })
})

describe('an account recovery', () => {
  const keys = { identity: { login_id: { keys: [{ type: 'email' }, { type: 'phone' }] } } }

  it('by code asks for the destination, the code and a new password, and opens no session', async () => {
    const world = testAuth(keys)
    await withMaya(world, { phone_number: phone })
    const flow = await startFlow(world, 'account_recovery')
    expect(stateOf(flow.last).action.data).toEqual({
      type: 'account_recovery_identification_data',
      options: [{ identification: 'email' }, { identification: 'phone' }],
    })
    const where = stateOf(await flow.input({ identification: 'phone', login_id: phone }))
    expect(where.action.data).toEqual({
      type: 'account_recovery_select_destination_data',
      options: [{ masked_display_name: '+659123****', channel: 'sms', otp_form: 'code' }],
    })
    const code = stateOf(await flow.input({ index: 0 }))
    expect(code.action).toEqual({
      type: 'verify_account_recovery_code',
      data: {
        type: 'account_recovery_verify_code_data',
        masked_display_name: '+659123****',
        channel: 'sms',
        otp_form: 'code',
        code_length: 6,
        can_resend_at: '2026-03-04T10:01:00Z',
        failed_attempt_rate_limit_exceeded: false,
      },
    })
    await Promise.all(world.auth.sending)
    const wrong = await flow.input({ account_recovery_code: '99999x' })
    expect(errorOf(wrong)).toMatchObject({
      reason: 'PasswordResetFailed',
      info: {
        FlowType: 'account_recovery',
        cause: { kind: 'InvalidCode' },
        otp_form: 'code',
      },
    })
    const reset = stateOf(await flow.input({ account_recovery_code: world.codeTo(phone) }))
    expect(reset.action).toMatchObject({
      type: 'reset_password',
      data: { type: 'new_password_data', masked_target: '+659123****' },
    })
    const done = await flow.input({ new_password: 'copper-meadow-7' })
    expect(stateOf(done).action.type).toBe('finished')
    expect(done.cookies).toEqual([])
    expect(stateOf(await loginWith(world, 'copper-meadow-7')).action.type).toBe('finished')
  })

  it('looks the same for an unknown user, and sends nothing', async () => {
    const world = testAuth(keys)
    const flow = await startFlow(world, 'account_recovery')
    await flow.input({ identification: 'email', login_id: email })
    const code = stateOf(await flow.input({ index: 0 }))
    expect(code.action.type).toBe('verify_account_recovery_code')
    await Promise.all(world.auth.sending)
    expect(world.outbox.messages).toEqual([])
    const wrong = await flow.input({ account_recovery_code: '123456' })
    expect(errorOf(wrong).info).toMatchObject({ cause: { kind: 'InvalidCode' } })
  })

  it('by link continues in another browser, once', async () => {
    const world = testAuth(keys)
    await withMaya(world)
    await createFlow(world.auth, {
      type: 'account_recovery',
      name: 'default',
      batch_input: [{ identification: 'email', login_id: email }, { index: 0 }],
    })
    await Promise.all(world.auth.sending)
    const input = { account_recovery_code: world.codeTo(email) }
    const restored = stateOf(await advanceFlow(world.auth, { input }))
    expect(restored).toMatchObject({
      type: 'account_recovery',
      name: 'default',
      action: { type: 'reset_password', data: { type: 'new_password_data' } },
    })
    const done = await advanceFlow(world.auth, {
      state_token: restored.state_token,
      input: { new_password: 'copper-meadow-7' },
    })
    expect(stateOf(done).action.type).toBe('finished')
    expect(errorOf(await advanceFlow(world.auth, { input }))).toMatchObject({
      reason: 'PasswordResetFailed',
      info: { cause: { kind: 'UsedCode' } },
    })
  })
})

describe('a created user', () => {
  it('is shown without secrets', async () => {
    const world = testAuth()
    const userId = await withMaya(world, { email_verified: true })
    const user = await getUser(world.auth, userId)
    expect(user).toMatchObject({
      id: userId,
      standard_attributes: { email },
      identities: [{ type: 'login_id', login_id_type: 'email', normalized: email }],
      authenticators: [{ type: 'password', kind: 'primary' }],
      verified_claims: [{ name: 'email', value: email }],
    })
    expect(JSON.stringify(user)).not.toContain('$scrypt$')
  })
})
