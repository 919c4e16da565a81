import { describe, expect, it } from 'vitest'
import type { RequestContext } from './flows/flow-result.ts'
import { totpCode } from './kinds/totp/totp.ts'
import { importUsers } from './people/import-users.ts'
import { decodeBase32 } from './secrets/base32.ts'
import {
  errorOf,
  startFlow,
  stateOf,
  type TestAuth,
  type TestFlow,
  testAuth,
} from './service.fixture.ts'
import { resolveSessionToken } from './sessions/resolve-session.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const secret = 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN'

const codeNow = ({ clock }: TestAuth): string =>
  totpCode(decodeBase32(secret) ?? new Uint8Array(), Math.floor(clock.now() / 30_000))

/** Creates the user Maya with a password and a TOTP app. */
async function withMaya(world: TestAuth): Promise<void> {
  const hash = await world.auth.hasher.hash(password)
  const [made] = await importUsers(world.auth, [
    { email, password: { type: 'scrypt', password_hash: hash }, mfa: { totp: { secret } } },
  ])
  expect(made?.outcome).toBe('inserted')
}

/** A login of Maya that has reached the second factor, or its end. */
async function login(world: TestAuth, request: RequestContext = {}): Promise<TestFlow> {
  const flow = await startFlow(world, 'login', request)
  await flow.input({ identification: 'email', login_id: email })
  await flow.input({ authentication: 'primary_password', password })
  return flow
}

/** The `Cookie` header of a browser that stored the cookies of a result. */
const cookieOf = ({ last }: TestFlow): string =>
  last.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')

const sessionOf = async (world: TestAuth, { last }: TestFlow) => {
  const token = last.cookies.find(({ name }) => name === 'session')?.value ?? ''
  return resolveSessionToken(world.auth, token)
}

describe('a login with a TOTP app', () => {
  it('asks for its code, and marks the session with MFA', async () => {
    const world = testAuth()
    await withMaya(world)
    const flow = await login(world)
    expect(stateOf(flow.last).action).toEqual({
      type: 'authenticate',
      data: {
        type: 'authentication_data',
        options: [{ authentication: 'secondary_totp' }],
        device_token_enabled: true,
      },
    })
    const wrong = await flow.input({ authentication: 'secondary_totp', code: '12345' })
    expect(errorOf(wrong)).toMatchObject({
      reason: 'InvalidCredentials',
      info: { AuthenticationType: 'totp' },
    })
    stateOf(await flow.input({ authentication: 'secondary_totp', code: codeNow(world) }))
    const session = await sessionOf(world, flow)
    expect(session).toMatchObject({
      aal: 2,
      amr: ['mfa', 'otp', 'pwd', 'x_primary_password', 'x_secondary_totp'],
    })
  })

  it('accepts no code twice', async () => {
    const world = testAuth()
    await withMaya(world)
    const code = codeNow(world)
    const first = await login(world)
    stateOf(await first.input({ authentication: 'secondary_totp', code }))
    const second = await login(world)
    const replayed = await second.input({ authentication: 'secondary_totp', code })
    expect(errorOf(replayed).reason).toBe('InvalidCredentials')
    world.clock.advance(60_000)
    stateOf(await second.input({ authentication: 'secondary_totp', code: codeNow(world) }))
  })

  it('does not lock out an owner who sends one code from several tabs, but one who guesses', async () => {
    const lockout = {
      max_attempts: 2,
      lockout_type: 'per_user',
      history_duration: '1h',
      minimum_duration: '5m',
      maximum_duration: '5m',
      totp: { enabled: true },
    }
    const world = testAuth({ authentication: { lockout } })
    await withMaya(world)
    const send = async (code: string): Promise<string> => {
      const flow = await login(world)
      const result = await flow.input({ authentication: 'secondary_totp', code })
      return result.ok ? 'finished' : result.error.reason
    }
    const code = codeNow(world)
    expect(await send(code)).toBe('finished')
    for (let tab = 0; tab < 4; tab++) expect(await send(code)).toBe('InvalidCredentials')
    world.clock.advance(60_000)
    expect(await send(codeNow(world))).toBe('finished')
    expect(await send('000000')).toBe('InvalidCredentials')
    expect(await send('000000')).toBe('AccountLockout')
  })

  it('skips the code on a trusted device, and not in another browser', async () => {
    const world = testAuth()
    await withMaya(world)
    const flow = await login(world)
    const code = codeNow(world)
    await flow.input({ authentication: 'secondary_totp', code, request_device_token: true })
    expect(stateOf(flow.last).action.type).toBe('finished')
    const token = flow.last.cookies.find(({ name }) => name === 'mfa_device_token')
    expect(token).toMatchObject({ sameSite: 'Strict', secure: true, maxAge: 2_592_000 })
    const again = await login(world, { cookie: cookieOf(flow) })
    expect(stateOf(again.last).action.type).toBe('finished')
    expect(await sessionOf(world, again)).toMatchObject({
      aal: 1,
      amr: ['pwd', 'x_device_token', 'x_primary_password'],
    })
    const elsewhere = await login(world, { cookie: 'mfa_device_token=guessed' })
    expect(stateOf(elsewhere.last).action.type).toBe('authenticate')
    expect(elsewhere.last.cookies).toMatchObject([{ name: 'mfa_device_token', maxAge: 0 }])
  })

  it('gives no device token if none is offered', async () => {
    const world = testAuth()
    await withMaya(world)
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    const refused = await flow.input({
      authentication: 'primary_password',
      password,
      request_device_token: true,
    })
    expect(errorOf(refused).info).toMatchObject({
      causes: [
        {
          location: '/request_device_token',
          kind: 'const',
          details: { expected: false, actual: true },
        },
      ],
    })
  })
})

describe('recovery codes', () => {
  it('replace the app, each once', async () => {
    const world = testAuth({ authentication: { secondary_authentication_mode: 'required' } })
    const signup = await startFlow(world, 'signup')
    await signup.input({ identification: 'email', login_id: email })
    await signup.input({ code: world.codeTo(email) })
    await signup.input({ authentication: 'primary_password', new_password: password })
    const set = stateOf(await signup.input({ authentication: 'secondary_totp' }))
    const key = decodeBase32(String(set.action.data.secret)) ?? new Uint8Array()
    const code = totpCode(key, Math.floor(world.clock.now() / 30_000))
    const view = stateOf(await signup.input({ code }))
    const [spare = ''] = view.action.data.recovery_codes as readonly string[]
    stateOf(await signup.input({ confirm_recovery_code: true }))

    const written = `${spare.slice(0, 5).toLowerCase()}-${spare.slice(5)}`
    const flow = await login(world)
    expect(stateOf(flow.last).action.data.options).toEqual([
      { authentication: 'secondary_totp' },
      { authentication: 'recovery_code' },
    ])
    stateOf(await flow.input({ authentication: 'recovery_code', recovery_code: written }))
    expect(await sessionOf(world, flow)).toMatchObject({
      amr: ['mfa', 'pwd', 'x_primary_password', 'x_recovery_code'],
    })
    const late = await login(world)
    const spent = await late.input({ authentication: 'recovery_code', recovery_code: spare })
    expect(errorOf(spent)).toMatchObject({
      reason: 'InvalidCredentials',
      info: { AuthenticationType: 'recovery_code', FlowType: 'login' },
    })
  })
})

describe('a required second factor', () => {
  const required = { secondary_authentication_mode: 'required' }

  /** Creates the user Maya with only a password. */
  async function withoutApp(world: TestAuth): Promise<void> {
    const hash = await world.auth.hasher.hash(password)
    await importUsers(world.auth, [{ email, password: { type: 'scrypt', password_hash: hash } }])
  }

  it('keeps out a user who has none', async () => {
    const world = testAuth({ authentication: required })
    await withoutApp(world)
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    const refused = await flow.input({ authentication: 'primary_password', password })
    expect(errorOf(refused)).toMatchObject({
      reason: 'InvariantViolated',
      message: 'no authenticator',
      info: { FlowType: 'login', cause: { kind: 'NoAuthenticator' } },
    })
  })

  it('can be set up at login during a grace period', async () => {
    const grace = { secondary_authentication_grace_period: { enabled: true } }
    const world = testAuth({ authentication: { ...required, ...grace } })
    await withoutApp(world)
    const flow = await login(world)
    expect(stateOf(flow.last).action).toEqual({
      type: 'authenticate',
      data: {
        type: 'create_authenticator_data',
        options: [{ authentication: 'secondary_totp' }],
      },
    })
    const set = stateOf(await flow.input({ authentication: 'secondary_totp' }))
    const key = decodeBase32(String(set.action.data.secret)) ?? new Uint8Array()
    const code = totpCode(key, Math.floor(world.clock.now() / 30_000))
    expect(stateOf(await flow.input({ code })).action.type).toBe('finished')
  })
})
