import { describe, expect, it } from 'vitest'
import { createFlow } from '../../flows/create-flow.ts'
import { deleteUser } from '../../people/delete-user.ts'
import { disableUser } from '../../people/update-user.ts'
import {
  type ConfigDelta,
  errorOf,
  startFlow,
  stateOf,
  type TestAuth,
} from '../../service.fixture.ts'
import {
  eventsOf,
  newDevice,
  passkeyAuth,
  readAgain,
  requestOptionsOf,
  sessionOf,
  signUp,
  startByPasskey,
  withPasskeys,
} from '../../webauthn/passkeys.fixture.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'

/** A login that begins with a passkey or an address, followed by these steps. */
const loginWith = (...steps: readonly object[]): ConfigDelta => {
  const one_of = [{ identification: 'passkey' }, { identification: 'email' }]
  const flow = { name: 'default', steps: [{ type: 'identify', one_of }, ...steps] }
  return { authentication_flow: { login_flows: [flow] } }
}

/** A service with Maya, who has a passkey on a device. */
async function withMaya(
  delta: ConfigDelta = {},
  options: Parameters<typeof newDevice>[0] = {},
): Promise<{
  readonly world: TestAuth
  readonly device: ReturnType<typeof newDevice>
  readonly userId: string
}> {
  const world = passkeyAuth(delta)
  const device = newDevice(options)
  return { world, device, userId: await signUp(world, email, device) }
}

const refused = {
  code: 401,
  reason: 'InvalidCredentials',
  info: { FlowType: 'login', AuthenticationType: 'passkey' },
}

describe('a passkey at the beginning of a login', () => {
  it('is offered beside the other options, for any user', async () => {
    const { world } = await withMaya()
    const flow = await startFlow(world, 'login')
    expect(stateOf(flow.last).action.data).toEqual({
      type: 'identification_data',
      options: [
        { identification: 'email' },
        {
          identification: 'passkey',
          request_options: {
            challenge: expect.stringMatching(/^[\w-]{43}$/),
            timeout: 300_000,
            rpId: 'auth.example.com',
            userVerification: 'preferred',
          },
        },
      ],
    })
  })

  it('is requested with another challenge at each read, and each is valid', async () => {
    const { world, device } = await withMaya()
    for (const which of ['first', 'again'] as const) {
      const flow = await startFlow(world, 'login')
      const first = requestOptionsOf(flow.last)
      const again = requestOptionsOf(await readAgain(world, flow))
      expect(again).not.toEqual(first)
      const used = device.get({ first, again }[which])
      const input = { identification: 'passkey', assertion_response: used }
      expect(stateOf(await flow.input(input)).action.type).toBe('finished')
    }
  })

  it('finishes no other flow than the one that asked for it, and stays good there', async () => {
    const { world, device } = await withMaya()
    const { flow, input } = await startByPasskey(world, device)
    const stranger = await startFlow(world, 'login')
    const unknown = { code: 404, reason: 'WebAuthnSessionNotFound' }
    expect(errorOf(await stranger.input(input))).toMatchObject(unknown)
    const params = { type: 'login', name: 'default', batch_input: [input] } as const
    expect(errorOf(await createFlow(world.auth, params))).toMatchObject(unknown)
    expect(stateOf(await flow.input(input)).action.type).toBe('finished')
  })

  it.each([undefined, null, ''])('that names its user by %j does not identify', async (handle) => {
    const { world, device } = await withMaya()
    const { flow, input } = await startByPasskey(world, device)
    const { assertion_response: used } = input as { assertion_response: { response: object } }
    const response = { ...used.response, userHandle: handle }
    const nameless = { ...used, response }
    const result = await flow.input({
      ...input,
      assertion_response: JSON.parse(JSON.stringify(nameless)),
    })
    expect(errorOf(result)).toMatchObject(refused)
  })

  it('identifies and authenticates the user', async () => {
    const { world, device, userId } = await withMaya()
    const { flow, input } = await startByPasskey(world, device)
    expect(stateOf(await flow.input(input)).action).toEqual({ type: 'finished', data: {} })
    expect(await sessionOf(world, flow)).toMatchObject({
      user_id: userId,
      amr: ['x_passkey', 'x_primary_passkey'],
      aal: 2,
    })
  })

  it('belongs to one account', async () => {
    const { world, device, userId } = await withMaya()
    const other = newDevice()
    const otherId = await signUp(world, 'lena@harborlight.example', other)
    for (const [one, id] of [
      [device, userId],
      [other, otherId],
    ] as const) {
      const { flow, input } = await startByPasskey(world, one)
      await flow.input(input)
      expect((await sessionOf(world, flow)).user_id).toBe(id)
    }
  })

  it('is accepted from an authenticator without a count or user verification', async () => {
    const { world, device } = await withMaya({}, { isCounting: false, isUserVerified: false })
    for (let time = 0; time < 2; time++) {
      const { flow, input } = await startByPasskey(world, device)
      expect(stateOf(await flow.input(input)).action.type).toBe('finished')
      expect((await sessionOf(world, flow)).aal).toBe(1)
    }
  })

  it('is refused if parts are missing', async () => {
    const { world, device } = await withMaya()
    const { flow, input } = await startByPasskey(world, device)
    const part = { ...Object(input.assertion_response), response: { signature: 7 } }
    const error = errorOf(await flow.input({ ...input, assertion_response: part }))
    expect(error.reason).toBe('ValidationFailed')
    expect(Object(error.info).causes).toContainEqual({
      location: '/assertion_response/response',
      kind: 'required',
      details: {
        actual: ['signature'],
        expected: ['authenticatorData', 'clientDataJSON', 'signature'],
        missing: ['authenticatorData', 'clientDataJSON'],
      },
    })
  })

  it('is refused after its user was deleted', async () => {
    const { world, device, userId } = await withMaya()
    const { flow, input } = await startByPasskey(world, device)
    await deleteUser(world.auth, userId)
    expect(errorOf(await flow.input(input))).toMatchObject(refused)
  })

  it('is refused for a user who may not sign in', async () => {
    const { world, device, userId } = await withMaya()
    await disableUser(world.auth, userId)
    const { flow, input } = await startByPasskey(world, device)
    expect(errorOf(await flow.input(input)).reason).toBe('DisabledUser')
  })

  it('is refused if another user is demanded', async () => {
    const authorization = {
      id: 'a1',
      redirect_uri: 'https://app.example.com',
      user_id_hint: 'lena',
    }
    const world = passkeyAuth(
      {},
      { authorizationBridge: { resolve: async () => authorization, finish: async () => '' } },
    )
    const device = newDevice()
    await signUp(world, email, device)
    const request = { query: 'x_ref=r1' }
    const { flow, input } = await startByPasskey(world, device, 'login', request)
    expect(errorOf(await flow.input(input))).toMatchObject({
      reason: 'InvariantViolated',
      info: { cause: { kind: 'MismatchedUser' } },
    })
  })
})

describe('a passkey is not offered', () => {
  it.each([
    ['if passkeys are disabled', { authentication: {} }, 'login'],
    ['in a sign-up', {}, 'signup'],
  ] as const)('%s', async (_, delta, type) => {
    const flow = await startFlow(passkeyAuth(delta), type)
    expect(stateOf(flow.last).action.data.options).toEqual([{ identification: 'email' }])
    const input = { identification: 'passkey', assertion_response: {} }
    expect(errorOf(await flow.input(input)).reason).toBe('ValidationFailed')
  })
})

describe('a passkey in a flow that may become a sign-up', () => {
  it('makes it a login', async () => {
    const { world, device, userId } = await withMaya()
    const { flow, input } = await startByPasskey(world, device, 'signup_login')
    expect(stateOf(await flow.input(input))).toMatchObject({
      type: 'login',
      action: { type: 'finished' },
    })
    expect(await sessionOf(world, flow)).toMatchObject({
      user_id: userId,
      amr: ['x_passkey', 'x_primary_passkey'],
    })
  })

  it('without an account makes it neither', async () => {
    const { world } = await withMaya()
    const stranger = newDevice()
    await signUp(passkeyAuth(), email, stranger)
    const { flow, input } = await startByPasskey(world, stranger, 'signup_login')
    expect(errorOf(await flow.input(input))).toMatchObject({
      ...refused,
      info: { FlowType: 'signup_login', AuthenticationType: 'passkey' },
    })
  })
})

describe('after a passkey', () => {
  const passkeyStep = { type: 'authenticate', one_of: [{ authentication: 'primary_passkey' }] }

  it('a step with only a passkey is skipped', async () => {
    const { world, device } = await withMaya(loginWith(passkeyStep, passkeyStep))
    const { flow, input } = await startByPasskey(world, device)
    expect(stateOf(await flow.input(input)).action.type).toBe('finished')
    expect((await sessionOf(world, flow)).amr).toEqual(['x_passkey', 'x_primary_passkey'])
  })

  it('the nested steps of a passkey branch still apply', async () => {
    const second = { type: 'authenticate', one_of: [{ authentication: 'secondary_totp' }] }
    const [branch] = passkeyStep.one_of
    const step = { ...passkeyStep, one_of: [{ ...branch, steps: [second] }] }
    const { world, device } = await withMaya(loginWith(step))
    const { flow, input } = await startByPasskey(world, device)
    expect(errorOf(await flow.input(input))).toMatchObject({
      reason: 'InvariantViolated',
      info: { cause: { kind: 'NoAuthenticator' } },
    })
  })

  it('a step with other options is not skipped', async () => {
    const one_of = [...passkeyStep.one_of, { authentication: 'primary_password' }]
    const { world, device } = await withMaya(loginWith({ ...passkeyStep, one_of }))
    const { flow, input } = await startByPasskey(world, device)
    expect(stateOf(await flow.input(input)).action).toMatchObject({
      type: 'authenticate',
      data: { options: [{ authentication: 'primary_password' }] },
    })
    stateOf(await flow.input({ authentication: 'primary_password', password }))
    expect((await sessionOf(world, flow)).amr).toEqual([
      'mfa',
      'pwd',
      'x_passkey',
      'x_primary_passkey',
      'x_primary_password',
    ])
  })

  it.each([
    ['alone', ['secondary_totp']],
    ['beside the passkey', ['primary_passkey', 'secondary_totp']],
  ])('a second factor is still required, %s', async (_, names) => {
    const one_of = names.map((authentication) => ({ authentication }))
    const { world, device } = await withMaya(loginWith({ type: 'authenticate', one_of }))
    const { flow, input } = await startByPasskey(world, device)
    expect(errorOf(await flow.input(input))).toMatchObject({
      reason: 'InvariantViolated',
      info: { cause: { kind: 'NoAuthenticator' } },
    })
  })
})

describe('an invalid passkey', () => {
  it('emits an event without a user', async () => {
    const { world } = await withMaya()
    const before = (await eventsOf(world)).length
    const stranger = newDevice()
    await signUp(passkeyAuth(), email, stranger)
    const { flow, input } = await startByPasskey(world, stranger)
    expect(errorOf(await flow.input(input))).toMatchObject(refused)
    expect((await eventsOf(world)).slice(before)).toEqual([
      { type: 'authentication.primary.passkey.failed', user_id: null },
    ])
  })

  it('counts against its IP address, a valid one does not', async () => {
    const limit = { enabled: true, period: '1m', burst: 2 }
    const { authentication } = withPasskeys
    const delta = {
      authentication: { ...authentication, rate_limits: { passkey: { per_ip: limit } } },
    }
    const { world, device } = await withMaya(delta)
    const attempt = async (one: typeof device, ip = '192.0.2.1') => {
      const { flow, input } = await startByPasskey(world, one, 'login', { ip })
      return flow.input(input)
    }
    for (let time = 0; time < 5; time++) stateOf(await attempt(device))
    const stranger = newDevice()
    await signUp(passkeyAuth(), email, stranger)
    expect(errorOf(await attempt(stranger)).reason).toBe('InvalidCredentials')
    stateOf(await attempt(device))
    expect(errorOf(await attempt(stranger)).reason).toBe('InvalidCredentials')
    expect(errorOf(await attempt(device))).toMatchObject({
      code: 429,
      reason: 'RateLimited',
      info: {
        bucket_name: 'VerifyPasskeyPerIP',
        rate_limit_name: 'authentication.passkey',
        rate_limit: { name: 'authentication.passkey.per_ip', group: 'authentication.passkey' },
      },
    })
    stateOf(await attempt(device, '192.0.2.2'))
    world.clock.advance(60_000)
    stateOf(await attempt(device))
  })

  it('locks no account', async () => {
    const lockout = {
      max_attempts: 1,
      history_duration: '1h',
      minimum_duration: '1m',
      maximum_duration: '5m',
      backoff_factor: 2,
      lockout_type: 'per_user',
      password: { enabled: true },
    }
    const { authentication } = withPasskeys
    const { world, device } = await withMaya({ authentication: { ...authentication, lockout } })
    const { flow, input } = await startByPasskey(world, device)
    const { response } = Object(input.assertion_response)
    const forged = {
      ...Object(input.assertion_response),
      response: { ...response, signature: response.authenticatorData },
    }
    const wrong = await flow.input({ ...input, assertion_response: forged })
    expect(errorOf(wrong)).toMatchObject(refused)
    const again = await startByPasskey(world, device)
    stateOf(await again.flow.input(again.input))
  })
})
