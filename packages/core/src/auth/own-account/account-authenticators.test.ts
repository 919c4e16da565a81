import { describe, expect, it } from 'vitest'
import type { FlowResult } from '../flows/flow-result.ts'
import { totpCode } from '../kinds/totp/totp.ts'
import { decodeBase32 } from '../secrets/base32.ts'
import { errorOf, startFlow, stateOf, type TestAuth, testAuth } from '../service.fixture.ts'
import { resolveSessionToken } from '../sessions/resolve-session.ts'
import { dataOf, newDevice, passkeyAuth, startByPasskey } from '../webauthn/passkeys.fixture.ts'
import { changesOf, maya, type Person, sessionOf, signedIn } from './account.fixture.ts'

const another = 'copper-meadow-58'

const codeFor = ({ clock }: TestAuth, result: FlowResult): string => {
  const secret = decodeBase32(String(stateOf(result).action.data.secret)) ?? new Uint8Array()
  return totpCode(secret, Math.floor(clock.now() / 30_000))
}

async function login(world: TestAuth, password: string): Promise<FlowResult> {
  const flow = await startFlow(world, 'login')
  stateOf(await flow.input({ identification: 'email', login_id: maya.email }))
  return flow.input({ authentication: 'primary_password', password })
}

/** The user's session as it is now. */
const sessionNow = ({ auth }: TestAuth, { request }: Person) =>
  resolveSessionToken(auth, request.cookie.replace('session=', ''))

/** Enrols a TOTP app. Returns the recovery codes. */
async function setUpApp(world: TestAuth, person: Person): Promise<readonly string[]> {
  const flow = await person.begin({ create_authenticator: ['secondary_totp'] })
  const set = await flow.input({ authentication: 'secondary_totp' })
  const shown = await flow.input({ code: codeFor(world, set) })
  if (stateOf(shown).action.type === 'finished') return []
  const codes = stateOf(shown).action.data.recovery_codes as readonly string[]
  stateOf(await flow.input({ confirm_recovery_code: true }))
  return codes
}

describe('a second factor', () => {
  it('is enrolled with recovery codes, once', async () => {
    const world = testAuth()
    const person = await signedIn(world)
    const flow = await person.begin({ create_authenticator: ['secondary_totp'] })
    expect(stateOf(flow.last).action).toEqual({
      type: 'create_authenticator',
      data: {
        type: 'create_authenticator_data',
        options: [{ authentication: 'secondary_totp' }],
      },
    })
    const set = await flow.input({ authentication: 'secondary_totp' })
    const shown = stateOf(await flow.input({ code: codeFor(world, set) }))
    expect(shown.action.type).toBe('view_recovery_code')
    expect((await person.details()).authenticators).toHaveLength(1)
    const ended = stateOf(await flow.input({ confirm_recovery_code: true }))
    expect(ended.action.type).toBe('finished')
    expect(await person.details()).toMatchObject({
      authenticators: [{ type: 'password' }, { type: 'totp', kind: 'secondary' }],
      recovery_codes: 16,
    })
    expect((await changesOf(world)).map(({ type, payload }) => [type, payload.count])).toEqual([
      ['authenticator.added', undefined],
      ['recovery_codes.created', 16],
    ])
    expect(stateOf(await login(world, maya.password)).action.type).toBe('authenticate')
    expect(await setUpApp(world, person)).toEqual([])
  })

  it('does not raise the assurance of the session that enrols it', async () => {
    const world = testAuth()
    const person = await signedIn(world)
    world.clock.advance(60_000)
    await setUpApp(world, person)
    const { authenticated_at, amr, aal } = person.session
    expect(await sessionNow(world, person)).toMatchObject({ authenticated_at, amr, aal: 1 })
    expect(aal).toBe(1)
  })

  it('can be a code to an address, which is verified, or a second password', async () => {
    const secondary_authenticators = ['oob_otp_email', 'password']
    const world = testAuth({ authentication: { secondary_authenticators } })
    const person = await signedIn(world)
    const wanted = ['secondary_password', 'secondary_oob_otp_email', 'secondary_totp']
    const flow = await person.begin({ create_authenticator: wanted })
    expect(stateOf(flow.last).action.data.options).toMatchObject([
      { authentication: 'secondary_password' },
      { authentication: 'secondary_oob_otp_email' },
    ])
    const target = 'spare@harborlight.example'
    stateOf(await flow.input({ authentication: 'secondary_oob_otp_email', target }))
    stateOf(await flow.input({ code: world.codeTo(target) }))
    stateOf(await flow.input({ confirm_recovery_code: true }))
    const second = await person.begin({ create_authenticator: ['secondary_password'] })
    stateOf(await second.input({ authentication: 'secondary_password', new_password: another }))
    expect((await person.details()).authenticators).toHaveLength(3)
    const refused = errorOf(await person.tryTo({ create_authenticator: ['secondary_password'] }))
    expect(refused.info).toMatchObject({ cause: { kind: 'DuplicatedAuthenticator' } })
  })

  it('must be configured; of the first factors only a password can be created', async () => {
    const world = testAuth()
    const person = await signedIn(world)
    const useless = ['secondary_password', 'primary_oob_otp_email', 'device_token', 'nothing']
    const refused = errorOf(await person.tryTo({ create_authenticator: useless }))
    expect(refused).toMatchObject({
      reason: 'InvariantViolated',
      info: { FlowType: 'account', cause: { kind: 'NoAuthenticator' } },
    })
    const off = testAuth({ authentication: { secondary_authentication_mode: 'disabled' } })
    const other = await signedIn(off)
    const none = errorOf(await other.tryTo({ create_authenticator: ['secondary_totp'] }))
    expect(none.info).toMatchObject({ cause: { kind: 'NoAuthenticator' } })
  })
})

describe('recovery codes', () => {
  it('replace the earlier ones', async () => {
    const world = testAuth()
    const person = await signedIn(world)
    const [old = ''] = await setUpApp(world, person)
    const flow = await person.begin({ create_recovery_codes: true })
    const [fresh = ''] = stateOf(flow.last).action.data.recovery_codes as readonly string[]
    const again = stateOf(flow.last).action.data.recovery_codes as readonly string[]
    expect(again).toHaveLength(16)
    stateOf(await flow.input({ confirm_recovery_code: true }))
    for (const [recovery_code, outcome] of [
      [old, 'InvalidCredentials'],
      [fresh, 'finished'],
    ]) {
      const going = await startFlow(world, 'login')
      stateOf(await going.input({ identification: 'email', login_id: maya.email }))
      const { password } = maya
      stateOf(await going.input({ authentication: 'primary_password', password }))
      const result = await going.input({
        authentication: 'recovery_code',
        recovery_code: recovery_code ?? '',
      })
      expect(result.ok ? result.result.action.type : result.error.reason).toBe(outcome)
    }
  })

  it('need a second factor, and must be enabled', async () => {
    const world = testAuth()
    const person = await signedIn(world)
    const none = errorOf(await person.tryTo({ create_recovery_codes: true }))
    expect(none.info).toMatchObject({ cause: { kind: 'NoAuthenticator' } })
    const off = testAuth({ authentication: { recovery_code: { disabled: true } } })
    const other = await signedIn(off)
    expect(await setUpApp(off, other)).toEqual([])
    const refused = errorOf(await other.tryTo({ create_recovery_codes: true }))
    expect(refused.info).toMatchObject({ cause: { kind: 'NoAuthenticator' } })
  })
})

describe('a password', () => {
  it('is changed after the current one is entered', async () => {
    const world = testAuth()
    const person = await signedIn(world)
    const elsewhere = await sessionOf(world, person.id)
    const flow = await person.begin({ change_password: 'primary' })
    expect(stateOf(flow.last)).toMatchObject({
      type: 'account',
      name: 'change_password',
      action: {
        type: 'authenticate',
        data: { options: [{ authentication: 'primary_password' }], device_token_enabled: false },
      },
    })
    const wrong = { authentication: 'primary_password', password: 'guessed-it-99' }
    expect(errorOf(await flow.input(wrong))).toMatchObject({
      reason: 'InvalidCredentials',
      info: { AuthenticationType: 'password', FlowType: 'account' },
    })
    const asked = stateOf(
      await flow.input({ authentication: 'primary_password', password: maya.password }),
    )
    expect(asked.action.type).toBe('change_password')
    expect(asked.action.data).toEqual({
      type: 'new_password_data',
      password_policy: { minimum_length: 8, history: { enabled: false } },
    })
    expect(errorOf(await flow.input({ new_password: maya.password }))).toMatchObject({
      reason: 'ChangePasswordFailed',
      info: { FlowType: 'account', cause: { kind: 'PasswordReused' } },
    })
    expect(errorOf(await flow.input({ new_password: 'short' })).reason).toBe(
      'PasswordPolicyViolated',
    )
    const ended = await flow.input({ new_password: another })
    expect(stateOf(ended).action).toEqual({ type: 'finished', data: {} })
    expect(errorOf(await login(world, maya.password)).reason).toBe('InvalidCredentials')
    expect(stateOf(await login(world, another)).action.type).toBe('finished')
    expect((await changesOf(world)).map(({ type }) => type)).toEqual([
      'authentication.primary.password.failed',
      'password.primary.changed',
      'authentication.primary.password.failed',
    ])
    expect(await sessionNow(world, elsewhere)).toBeUndefined()
    expect(await sessionNow(world, person)).toBeDefined()
  })

  it('keeps other sessions if configured so', async () => {
    const world = testAuth({ session: { revoke_on_password_change: false } })
    const person = await signedIn(world)
    const elsewhere = await sessionOf(world, person.id)
    const flow = await person.begin({ change_password: 'primary' })
    stateOf(await flow.input({ authentication: 'primary_password', password: maya.password }))
    stateOf(await flow.input({ new_password: another }))
    expect(await sessionNow(world, elsewhere)).toBeDefined()
    expect(await sessionNow(world, person)).toBeDefined()
  })

  it('is created for a user who has none', async () => {
    const world = testAuth()
    const { password: _, ...withoutPassword } = maya
    const person = await signedIn(world, withoutPassword)
    const flow = await person.begin({ change_password: 'primary' })
    expect(stateOf(flow.last)).toMatchObject({
      name: 'change_password',
      action: { type: 'create_authenticator' },
    })
    stateOf(await flow.input({ authentication: 'primary_password', new_password: another }))
    expect(stateOf(await login(world, another)).action.type).toBe('finished')
    const second = errorOf(await person.tryTo({ change_password: 'secondary' }))
    expect(second).toMatchObject({
      reason: 'ChangePasswordFailed',
      info: { FlowType: 'account', cause: { kind: 'NoPassword' } },
    })
  })

  it('is created once by two concurrent flows', async () => {
    const world = testAuth()
    const person = await signedIn(world, { email: maya.email })
    const flows = [
      await person.begin({ change_password: 'primary' }),
      await person.begin({ create_authenticator: ['primary_password'] }),
    ]
    const input = { authentication: 'primary_password', new_password: another }
    const results = await Promise.all(flows.map((flow) => flow.input(input)))
    expect(results.map((one) => (one.ok ? 'finished' : one.error.reason)).sort()).toEqual([
      'InvariantViolated',
      'finished',
    ])
    expect((await person.details()).authenticators).toHaveLength(1)
  })

  it('that was changed meanwhile cannot be changed with the earlier one', async () => {
    const world = testAuth()
    const person = await signedIn(world)
    const shown = { authentication: 'primary_password', password: maya.password }
    const first = await person.begin({ change_password: 'primary' })
    const second = await person.begin({ change_password: 'primary' })
    for (const flow of [first, second]) stateOf(await flow.input(shown))
    stateOf(await first.input({ new_password: another }))
    const late = await second.input({ new_password: 'velvet-orchard-31' })
    expect(errorOf(late).reason).toBe('InvalidCredentials')
    expect(stateOf(await login(world, another)).action.type).toBe('finished')
  })

  it('does not bypass the lockout of an account', async () => {
    const lockout = {
      max_attempts: 2,
      history_duration: '1h',
      minimum_duration: '1m',
      maximum_duration: '5m',
      lockout_type: 'per_user',
      password: { enabled: true },
    }
    const world = testAuth({ authentication: { lockout } })
    const person = await signedIn(world)
    const guess = async (): Promise<string> => {
      const flow = await person.begin({ change_password: 'primary' })
      const guessed = { authentication: 'primary_password', password: 'guessed-it-99' }
      return errorOf(await flow.input(guessed)).reason
    }
    expect(await guess()).toBe('InvalidCredentials')
    await setUpApp(world, person)
    expect(await guess()).toBe('AccountLockout')
  })
})

describe('a passkey', () => {
  it('is created on request, beside others too, and cannot be skipped', async () => {
    const world = passkeyAuth({ ui: { passkey_upselling_opt_out_enabled: true } })
    const person = await signedIn(world)
    for (const device of [newDevice(), newDevice()]) {
      const flow = await person.begin({ create_passkey: true })
      expect(stateOf(flow.last).action.type).toBe('prompt_create_passkey')
      expect(Object.keys(stateOf(flow.last).action.data).sort()).toEqual([
        'creation_options',
        'type',
      ])
      const asked = dataOf(flow.last, 'creation_options')
      expect(errorOf(await flow.input({ skip: true })).reason).toBe('ValidationFailed')
      const made = device.create(asked)
      stateOf(await flow.input({ creation_response: made }))
      const { flow: byIt, input } = await startByPasskey(world, device)
      expect(stateOf(await byIt.input(input)).action.type).toBe('finished')
    }
    const types = (await person.details()).authenticators.map(({ type }) => type)
    expect(types).toEqual(['password', 'passkey', 'passkey'])
  })

  it('must be configured', async () => {
    const world = testAuth()
    const person = await signedIn(world)
    const refused = errorOf(await person.tryTo({ create_passkey: true }))
    expect(refused.info).toMatchObject({ cause: { kind: 'NoAuthenticator' } })
  })
})
