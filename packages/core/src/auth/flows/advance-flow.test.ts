import { describe, expect, it } from 'vitest'
import { totpCode } from '../kinds/totp/totp.ts'
import { importUsers } from '../people/import-users.ts'
import { decodeBase32 } from '../secrets/base32.ts'
import { errorOf, startFlow, stateOf, type TestAuth, testAuth } from '../service.fixture.ts'
import { advanceFlow } from './advance-flow.ts'
import { createFlow } from './create-flow.ts'
import { getFlowState } from './get-flow-state.ts'

const maya = 'maya@harborlight.example'
const password = 'tidal-lantern-42'

/** Creates the user Maya with a password. */
async function withMaya(world: TestAuth): Promise<string> {
  const hash = await world.auth.hasher.hash(password)
  const [made] = await importUsers(world.auth, [
    { email: maya, email_verified: true, password: { type: 'scrypt', password_hash: hash } },
  ])
  if (made?.outcome !== 'inserted') throw new Error('Maya could not be created')
  return made.user_id
}

describe('a sign-up', () => {
  it('goes from the address over its code and a password to a session', async () => {
    const world = testAuth()
    const flow = await startFlow(world, 'signup')
    expect(stateOf(flow.last).action).toEqual({
      type: 'identify',
      data: { type: 'identification_data', options: [{ identification: 'email' }] },
    })
    const verify = stateOf(
      await flow.input({ identification: 'email', login_id: 'Maya@Harborlight.example' }),
    )
    expect(verify.action).toEqual({
      type: 'verify',
      data: {
        type: 'verify_oob_otp_data',
        channel: 'email',
        otp_form: 'code',
        masked_claim_value: 'ma**@harborlight.example',
        code_length: 6,
        can_resend_at: '2026-03-04T10:01:00Z',
        can_check: false,
        failed_attempt_rate_limit_exceeded: false,
        delivery_status: 'sent',
      },
    })
    const wrong = await flow.input({ code: '111000x' })
    expect(errorOf(wrong)).toMatchObject({
      code: 403,
      reason: 'InvalidVerificationCode',
      info: { FlowType: 'signup', cause: { kind: 'InvalidVerificationCode' } },
    })
    expect(wrong).toMatchObject({ result: { state_token: verify.state_token } })
    const create = stateOf(await flow.input({ code: world.codeTo(maya) }))
    expect(create.action).toEqual({
      type: 'create_authenticator',
      data: {
        type: 'create_authenticator_data',
        options: [
          {
            authentication: 'primary_password',
            password_policy: { minimum_length: 8, history: { enabled: false } },
          },
        ],
      },
    })
    const short = await flow.input({ authentication: 'primary_password', new_password: 'tidal' })
    expect(errorOf(short)).toMatchObject({
      reason: 'PasswordPolicyViolated',
      info: {
        FlowType: 'signup',
        causes: [{ Name: 'PasswordTooShort', Info: { min_length: 8, pw_length: 5 } }],
      },
    })
    const done = await flow.input({ authentication: 'primary_password', new_password: password })
    expect(stateOf(done)).toMatchObject({ type: 'signup', action: { type: 'finished', data: {} } })
    expect(done.cookies.map(({ name }) => name)).toEqual(['session', 'same_site_strict'])
    const read = await getFlowState(world.auth, { state_token: flow.token })
    expect(errorOf(read).reason).toBe('AuthenticationFlowNotFound')
  })

  it('is refused for an address that is taken', async () => {
    const world = testAuth()
    await withMaya(world)
    const flow = await startFlow(world, 'signup')
    const refused = await flow.input({ identification: 'email', login_id: maya })
    expect(errorOf(refused)).toMatchObject({
      reason: 'InvariantViolated',
      info: {
        FlowType: 'signup',
        IdentityTypeExisting: 'login_id',
        IdentityTypeIncoming: 'login_id',
        LoginIDTypeExisting: 'email',
        LoginIDTypeIncoming: 'email',
        cause: { kind: 'DuplicatedIdentity' },
      },
    })
  })

  it('with a required second factor shows a secret, takes a code and shows recovery codes', async () => {
    const world = testAuth({ authentication: { secondary_authentication_mode: 'required' } })
    const flow = await startFlow(world, 'signup')
    await flow.input({ identification: 'email', login_id: maya })
    await flow.input({ code: world.codeTo(maya) })
    await flow.input({ authentication: 'primary_password', new_password: password })
    const set = stateOf(await flow.input({ authentication: 'secondary_totp' }))
    expect(set.action).toMatchObject({
      type: 'create_authenticator',
      authentication: 'secondary_totp',
    })
    const { secret, otpauth_uri: uri } = set.action.data
    expect(String(secret)).toMatch(/^[A-Z2-7]{32}$/)
    expect(uri).toBe(
      `otpauth://totp/${maya}?algorithm=SHA1&digits=6&issuer=https%3A%2F%2Fauth.example.com&period=30&secret=${secret}`,
    )
    expect(errorOf(await flow.input({ code: 'abc' }))).toMatchObject({
      reason: 'InvalidCredentials',
      info: { AuthenticationType: 'totp', FlowType: 'signup' },
    })
    const key = decodeBase32(String(secret)) ?? new Uint8Array()
    const code = totpCode(key, Math.floor(world.clock.now() / 30_000))
    const view = stateOf(await flow.input({ code }))
    expect(view.action.data.recovery_codes).toHaveLength(16)
    const done = stateOf(await flow.input({ confirm_recovery_code: true }))
    expect(done.action.type).toBe('finished')
  })
})

describe('a login', () => {
  it('asks for the password and refuses a wrong one, for unknown users too', async () => {
    const world = testAuth()
    await withMaya(world)
    const flow = await startFlow(world, 'login')
    const nobody = await flow.input({
      identification: 'email',
      login_id: 'nobody@harborlight.example',
    })
    expect(errorOf(nobody)).toMatchObject({
      code: 404,
      reason: 'UserNotFound',
      info: {
        FlowType: 'login',
        IdentityTypeIncoming: 'login_id',
        LoginIDTypeIncoming: 'email',
      },
    })
    const asked = stateOf(await flow.input({ identification: 'email', login_id: maya }))
    expect(asked.action).toEqual({
      type: 'authenticate',
      data: {
        type: 'authentication_data',
        options: [
          {
            authentication: 'primary_password',
            password_policy: { minimum_length: 8, history: { enabled: false } },
          },
        ],
        device_token_enabled: false,
      },
    })
    const wrong = await flow.input({ authentication: 'primary_password', password: 'wrong' })
    expect(errorOf(wrong)).toMatchObject({
      code: 401,
      reason: 'InvalidCredentials',
      info: { AuthenticationType: 'password', FlowType: 'login' },
    })
    const done = await flow.input({ authentication: 'primary_password', password })
    expect(stateOf(done).action).toEqual({ type: 'finished', data: {} })
  })

  it('accepts all inputs in one request, as a batch or as one object', async () => {
    const world = testAuth()
    await withMaya(world)
    const identify = { identification: 'email', login_id: maya }
    const show = { authentication: 'primary_password', password }
    const batch = await createFlow(world.auth, {
      type: 'login',
      name: 'default',
      batch_input: [identify, show],
    })
    expect(stateOf(batch).action.type).toBe('finished')
    const one = await createFlow(world.auth, {
      type: 'login',
      name: 'default',
      input: { ...identify, ...show },
    })
    expect(stateOf(one).action.type).toBe('finished')
  })

  it('can go back to an earlier state until the flow has ended', async () => {
    const world = testAuth()
    await withMaya(world)
    const flow = await startFlow(world, 'login')
    const start = flow.token
    await flow.input({ identification: 'email', login_id: maya })
    const asked = flow.token
    await flow.input({ identification: 'email', login_id: maya }, start)
    expect(flow.token).not.toBe(asked)
    await flow.input({ authentication: 'primary_password', password }, asked)
    for (const token of [start, asked]) {
      const late = await advanceFlow(world.auth, { state_token: token, input: {} })
      expect(errorOf(late)).toEqual({
        name: 'NotFound',
        reason: 'AuthenticationFlowNotFound',
        message: 'flow not found',
        code: 404,
      })
    }
  })

  it('reports an input that fits no option', async () => {
    const world = testAuth({
      identity: { login_id: { keys: [{ type: 'email' }, { type: 'phone' }] } },
    })
    const flow = await startFlow(world, 'login')
    const refused = await flow.input({ identification: 'wechat' })
    expect(errorOf(refused)).toMatchObject({
      reason: 'ValidationFailed',
      message: 'invalid value',
      info: {
        FlowType: 'login',
        causes: [
          {
            location: '',
            kind: 'required',
            details: {
              actual: ['identification'],
              expected: ['identification', 'login_id'],
              missing: ['login_id'],
            },
          },
          { location: '', kind: 'required' },
          { location: '/identification', kind: 'const', details: { expected: 'email' } },
          { location: '/identification', kind: 'const', details: { expected: 'phone' } },
        ],
      },
    })
  })
})
