import { describe, expect, it } from 'vitest'
import {
  email,
  hookedAuth,
  importMaya,
  logInMaya,
  password,
  signUpMaya,
  totpNow,
  totpSecret,
} from '../../events/hook.fixture.ts'
import { createBadgeIdentification } from '../../kinds/badge.fixture.ts'
import { pinAuthenticator } from '../../kinds/pin.fixture.ts'
import { getUser } from '../../people/get-user.ts'
import { updateUser } from '../../people/update-user.ts'
import {
  type ConfigDelta,
  errorOf,
  startFlow,
  stateOf,
  type TestAuth,
  type TestFlow,
} from '../../service.fixture.ts'
import { openBrowser } from '../../sessions/browser.fixture.ts'
import { resolveSessionToken } from '../../sessions/resolve-session.ts'
import type { HookAnswer } from './host-hook.ts'

/** No flow in these tests requires a second factor by itself. */
const off: ConfigDelta = { authentication: { secondary_authentication_mode: 'disabled' } }
const withSecond = (...names: readonly string[]): ConfigDelta => ({
  authentication: { secondary_authentication_mode: 'disabled', secondary_authenticators: names },
})

const demand = (...amr: readonly string[]) => ({ constraints: { amr } })
const atEnd = (...amr: readonly string[]) => ({
  'authentication.pre_authenticated': demand(...amr),
})

const noAuthenticator = {
  code: 400,
  reason: 'InvariantViolated',
  info: { cause: { kind: 'NoAuthenticator' } },
}

async function amrOf({ auth }: TestAuth, { last }: TestFlow): Promise<readonly string[]> {
  const token = last.cookies.find(({ name }) => name === 'session')?.value ?? ''
  return (await resolveSessionToken(auth, token))?.amr ?? []
}

describe('a login for which a hook demands a second factor', () => {
  it.each(['mfa', 'otp', 'x_secondary_totp'])(
    'continues until the session has the AMR %s',
    async (amr) => {
      const world = hookedAuth(atEnd(amr), off)
      await importMaya(world, { totp: { secret: totpSecret } })
      const flow = await logInMaya(world)
      expect(stateOf(flow.last).action).toEqual({
        type: 'authenticate',
        data: {
          type: 'authentication_data',
          options: [{ authentication: 'secondary_totp' }],
          device_token_enabled: false,
        },
      })
      stateOf(await flow.input({ authentication: 'secondary_totp', code: totpNow(world) }))
      expect(await amrOf(world, flow)).toContain(amr)
    },
  )

  it('can be demanded at any point', async () => {
    for (const point of ['pre_initialize', 'post_identified'] as const) {
      const world = hookedAuth({ [`authentication.${point}`]: demand('mfa') }, off)
      await importMaya(world, { totp: { secret: totpSecret } })
      expect(stateOf((await logInMaya(world)).last).action.type).toBe('authenticate')
    }
  })

  it('ends at once if a later point withdraws the demand', async () => {
    const world = hookedAuth({ 'authentication.pre_initialize': demand('mfa'), ...atEnd() }, off)
    await importMaya(world, { totp: { secret: totpSecret } })
    expect(stateOf((await logInMaya(world)).last).action.type).toBe('finished')
  })

  it('is refused for a user without a suitable factor, and stays at its step', async () => {
    const world = hookedAuth(atEnd('mfa'), off)
    await importMaya(world)
    const flow = await logInMaya(world)
    expect(errorOf(flow.last)).toMatchObject(noAuthenticator)
    expect(errorOf(flow.last).info).toMatchObject({ FlowType: 'login' })
    expect(flow.last.result?.action.type).toBe('authenticate')
    expect(flow.last.cookies).toEqual([])
  })

  it('is refused if no configured factor gives the demanded AMR', async () => {
    const world = hookedAuth(atEnd('x_passkey'), off)
    await importMaya(world, { totp: { secret: totpSecret } })
    expect(errorOf((await logInMaya(world)).last)).toMatchObject(noAuthenticator)
  })

  it('offers only factors that add a missing AMR, until none is missing', async () => {
    const names = ['password', 'totp', 'oob_otp_email']
    const world = hookedAuth(
      atEnd('x_secondary_totp', 'x_secondary_password'),
      withSecond(...names),
    )
    const hash = await world.auth.hasher.hash('second lantern')
    await importMaya(world, {
      totp: { secret: totpSecret },
      email: 'second@harborlight.example',
      password: { type: 'scrypt', password_hash: hash },
    })
    const flow = await logInMaya(world)
    const optionsOf = () =>
      (stateOf(flow.last).action.data.options as readonly { authentication: string }[]).map(
        ({ authentication }) => authentication,
      )
    expect(optionsOf()).toEqual(['secondary_password', 'secondary_totp'])
    await flow.input({ authentication: 'secondary_totp', code: totpNow(world) })
    expect(optionsOf()).toEqual(['secondary_password'])
    await flow.input({ authentication: 'secondary_password', password: 'second lantern' })
    expect(stateOf(flow.last).action.type).toBe('finished')
  })

  it('offers no factor that cannot give the demanded AMR', async () => {
    const world = hookedAuth(atEnd('mfa', 'otp'), withSecond('password', 'totp'))
    const hash = await world.auth.hasher.hash('second lantern')
    const password = { type: 'scrypt', password_hash: hash } as const
    await importMaya(world, { totp: { secret: totpSecret }, password })
    const asked = stateOf((await logInMaya(world)).last)
    expect(asked.action.data.options).toEqual([{ authentication: 'secondary_totp' }])
  })

  it('offers no such factor in its own steps either, once the demand is known', async () => {
    const world = hookedAuth(
      { 'authentication.post_identified': demand('mfa', 'otp') },
      { authentication: { secondary_authenticators: ['password', 'totp'] } },
    )
    const hash = await world.auth.hasher.hash('second lantern')
    const second = { type: 'scrypt', password_hash: hash } as const
    await importMaya(world, { totp: { secret: totpSecret }, password: second })
    const flow = await logInMaya(world)
    expect(stateOf(flow.last).action.data.options).toEqual([{ authentication: 'secondary_totp' }])
    await flow.input({ authentication: 'secondary_totp', code: totpNow(world) })
    expect(stateOf(flow.last).action.type).toBe('finished')
  })

  it.each([
    ['has only a factor of another kind', ['mfa', 'otp'], { password: true }],
    ['has only one of two demanded factors', ['x_secondary_password', 'otp'], { totp: true }],
  ])('is refused at once for a user who %s', async (_, amr, has) => {
    const world = hookedAuth(atEnd(...amr), withSecond('password', 'totp'))
    const hash = await world.auth.hasher.hash('second lantern')
    await importMaya(world, {
      ...('totp' in has ? { totp: { secret: totpSecret } } : {}),
      ...('password' in has ? { password: { type: 'scrypt', password_hash: hash } } : {}),
    })
    expect(errorOf((await logInMaya(world)).last)).toMatchObject(noAuthenticator)
  })

  it('lets a user without one enrol during a grace period', async () => {
    const world = hookedAuth(atEnd('mfa'), off)
    const id = await importMaya(world)
    await updateUser(world.auth, id, { mfa_grace_end: world.clock.now() + 60_000 })
    const flow = await logInMaya(world)
    expect(stateOf(flow.last).action).toMatchObject({
      type: 'authenticate',
      data: { type: 'create_authenticator_data', options: [{ authentication: 'secondary_totp' }] },
    })
  })

  it('asks for nothing more after two factors', async () => {
    const world = hookedAuth(atEnd('mfa', 'pwd'))
    await importMaya(world, { totp: { secret: totpSecret } })
    const flow = await logInMaya(world)
    await flow.input({ authentication: 'secondary_totp', code: totpNow(world) })
    expect(stateOf(flow.last).action.type).toBe('finished')
  })

  it('takes one second factor after a custom identification, also by a custom authenticator', async () => {
    const owners = new Map<string, string>()
    const steps = [{ type: 'identify', one_of: [{ identification: 'badge' }] }]
    const world = hookedAuth(
      atEnd('mfa'),
      {
        ...withSecond('password'),
        authentication_flow: { login_flows: [{ name: 'door', steps }] },
      },
      {
        identifications: [createBadgeIdentification(owners)],
        authenticators: [pinAuthenticator],
      },
    )
    const id = await importMaya(world)
    await updateUser(world.auth, id, {
      custom_attributes: { x_pin: await world.auth.hasher.hash('4711') },
    })
    owners.set('b-17', id)
    const flow = await startFlow(world, 'login', {}, 'door')
    const asked = stateOf(await flow.input({ identification: 'badge', badge: 'b-17' }))
    expect(asked.action.data.options).toEqual([{ authentication: 'secondary_pin' }])
    await flow.input({ authentication: 'secondary_pin' })
    expect(stateOf(await flow.input({ pin: '4711' })).action.type).toBe('finished')
  })

  it('does not call the hook again once the factor is shown', async () => {
    const world = hookedAuth(atEnd('mfa'), off)
    await importMaya(world, { totp: { secret: totpSecret } })
    const flow = await logInMaya(world)
    await flow.input({ authentication: 'secondary_totp', code: '000' })
    await flow.input({ authentication: 'secondary_totp', code: totpNow(world) })
    const points = world.asked.filter(({ type }) => type === 'authentication.pre_authenticated')
    expect(points).toHaveLength(1)
  })

  it('cannot be bypassed by an older state of the flow', async () => {
    const world = hookedAuth(atEnd('mfa'), off)
    await importMaya(world, { totp: { secret: totpSecret } })
    const flow = await startFlow(world, 'login')
    const beginning = flow.token
    await flow.input({ identification: 'email', login_id: email })
    await flow.input({ authentication: 'primary_password', password })
    await flow.input({ identification: 'email', login_id: email }, beginning)
    await flow.input({ authentication: 'primary_password', password })
    expect(stateOf(flow.last).action.type).toBe('authenticate')
  })
})

describe('a continued session for which a hook demands a second factor', () => {
  it('asks for one once', async () => {
    const answers: Record<string, Partial<HookAnswer>> = {}
    const world = hookedAuth(answers, off)
    await importMaya(world, { totp: { secret: totpSecret } })
    const browser = openBrowser(world)
    const named = { identification: 'email', login_id: email }
    await browser.begin('login', {
      batch_input: [named, { authentication: 'primary_password', password }],
    })
    Object.assign(answers, atEnd('mfa'))
    const selected = { identification: 'select_account', index: 0 }
    const asked = stateOf(await browser.begin('login', { input: selected }))
    expect(asked.action.data.options).toEqual([{ authentication: 'secondary_totp' }])
    stateOf(await browser.input({ authentication: 'secondary_totp', code: totpNow(world) }))
    const session = await resolveSessionToken(world.auth, browser.token)
    expect(session?.amr).toEqual(['mfa', 'otp', 'pwd', 'x_primary_password', 'x_secondary_totp'])
    const again = stateOf(await browser.begin('login', { input: selected }))
    expect(again.action.type).toBe('finished')
  })
})

describe('a sign-up for which a hook demands a second factor', () => {
  it('enrols one, and shows recovery codes', async () => {
    const world = hookedAuth(atEnd('mfa'), off)
    const flow = await signUpMaya(world)
    expect(stateOf(flow.last).action).toEqual({
      type: 'create_authenticator',
      data: {
        type: 'create_authenticator_data',
        options: [{ authentication: 'secondary_totp' }],
      },
    })
    const shown = stateOf(await flow.input({ authentication: 'secondary_totp' }))
    const code = totpNow(world, String(shown.action.data.secret))
    expect(stateOf(await flow.input({ code })).action.type).toBe('view_recovery_code')
    await flow.input({ confirm_recovery_code: true })
    expect(stateOf(flow.last).action.type).toBe('finished')
    expect(await amrOf(world, flow)).toEqual([
      'mfa',
      'otp',
      'pwd',
      'x_primary_password',
      'x_secondary_totp',
    ])
    const id = world.asked.at(-1)?.context.user_id ?? ''
    const types = (await getUser(world.auth, id))?.authenticators.map(({ type }) => type)
    expect(types?.toSorted()).toEqual(['password', 'totp'])
  })

  it('offers no factor that cannot give the demanded AMR', async () => {
    const world = hookedAuth(atEnd('mfa', 'otp'), withSecond('password', 'totp', 'oob_otp_email'))
    const { action } = stateOf((await signUpMaya(world)).last)
    expect(action.data.options).toMatchObject([
      { authentication: 'secondary_totp' },
      { authentication: 'secondary_oob_otp_email' },
    ])
  })

  it('offers no such factor in its own steps either, once the demand is known', async () => {
    const world = hookedAuth(
      { 'authentication.post_identified': demand('mfa', 'otp') },
      {
        authentication: {
          secondary_authentication_mode: 'required',
          secondary_authenticators: ['password', 'totp'],
        },
      },
    )
    const { action } = stateOf((await signUpMaya(world)).last)
    expect(action.data.options).toEqual([{ authentication: 'secondary_totp' }])
  })

  it('shows no recovery codes if they are disabled', async () => {
    const authentication = {
      secondary_authentication_mode: 'disabled',
      recovery_code: { disabled: true },
    }
    const world = hookedAuth(atEnd('mfa'), { authentication })
    const flow = await signUpMaya(world)
    const shown = stateOf(await flow.input({ authentication: 'secondary_totp' }))
    await flow.input({ code: totpNow(world, String(shown.action.data.secret)) })
    expect(stateOf(flow.last).action.type).toBe('finished')
  })

  it.each([
    ['no second factor is configured', ['mfa'], withSecond()],
    ['no factor gives the demanded AMR', ['x_secondary_password'], off],
    ['no factor gives all of it', ['mfa', 'otp'], withSecond('password')],
    ['the factors together give only a part of it', ['otp', 'x_passkey'], withSecond('totp')],
    [
      'the user may have no more of them',
      ['mfa'],
      { ...off, authenticator: { totp: { maximum: 0 } } },
    ],
  ])('is refused if %s', async (_, amr, delta) => {
    const world = hookedAuth(atEnd(...amr), delta)
    const flow = await signUpMaya(world)
    expect(errorOf(flow.last)).toMatchObject(noAuthenticator)
    expect(errorOf(flow.last).info).toMatchObject({ FlowType: 'signup' })
  })
})
