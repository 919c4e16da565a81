import { describe, expect, it } from 'vitest'
import type { FlowInput } from '../flow/view.ts'
import { comeBy, type OAuthHouse, userOf } from '../kinds/oauth/oauth-house.fixture.ts'
import { totpCode } from '../kinds/totp/totp.ts'
import { createUser } from '../people/create-user.ts'
import { getUser } from '../people/get-user.ts'
import { decodeBase32 } from '../secrets/base32.ts'
import { type ConfigDelta, errorOf, startFlow, stateOf, type TestFlow } from '../service.fixture.ts'
import { email, linkingHouse, mayaThere, password } from './linking-house.fixture.ts'

const showing = { authentication: 'primary_password', password }
const second = 'second@harborlight.example'

/** A flow `long` of these steps, and a login that accepts every way to identify. */
const flows = (steps: readonly object[], login?: readonly object[]): ConfigDelta => ({
  account_linking: {
    oauth: [
      {
        alias: 'google',
        oauth_claim: { pointer: '/email' },
        user_profile: { pointer: '/email' },
        action: 'login_and_link',
      },
    ],
  },
  authentication: { secondary_authenticators: ['totp', 'password'] },
  authentication_flow: {
    signup_flows: [{ name: 'long', steps }],
    login_flows: [
      {
        name: 'long',
        steps: login ?? [
          { type: 'identify', name: 'in', one_of: [{ identification: 'email' }] },
          { type: 'authenticate', one_of: [{ authentication: 'primary_password' }] },
        ],
      },
    ],
  },
})

const byProvider = { type: 'identify', name: 'provider', one_of: [{ identification: 'oauth' }] }
const byAddress = { type: 'identify', name: 'address', one_of: [{ identification: 'email' }] }
const verifyAddress = { type: 'verify', target_step: 'address' }
const creating = (...one_of: readonly (string | object)[]) => ({
  type: 'create_authenticator',
  one_of: one_of.map((one) => (typeof one === 'string' ? { authentication: one } : one)),
})

/** Goes through a flow with the inputs. */
async function goThrough(flow: TestFlow, inputs: readonly FlowInput[]): Promise<void> {
  for (const input of inputs) stateOf(await flow.input(input))
}

async function link(world: OAuthHouse, flow: TestFlow): Promise<void> {
  stateOf(await comeBy(world, flow, mayaThere))
  await goThrough(flow, [{ index: 0 }])
}

const stepOf = (flow: TestFlow): string => stateOf(flow.last).action.type

/** The TOTP code for the secret that a state shows. */
function codeFor(world: OAuthHouse, flow: TestFlow): string {
  const secret = decodeBase32(String(stateOf(flow.last).action.data.secret)) ?? new Uint8Array()
  return totpCode(secret, Math.floor(world.clock.now() / 30_000))
}

describe('a sign-up after its user was found to exist', () => {
  it('skips what the account has, and adds what it lacks', async () => {
    const world = await linkingHouse(
      flows([
        byProvider,
        byAddress,
        verifyAddress,
        creating({ authentication: 'primary_oob_otp_email', target_step: 'address' }),
        creating('primary_password'),
        creating({ authentication: 'secondary_totp', steps: [{ type: 'view_recovery_code' }] }),
        { type: 'fill_in_user_profile', user_profile: [{ pointer: '/nickname', required: true }] },
      ]),
    )
    const flow = await startFlow(world, 'signup', {}, 'long')
    await link(world, flow)
    await goThrough(flow, [showing])
    expect(stateOf(flow.last)).toMatchObject({
      type: 'signup',
      action: {
        type: 'create_authenticator',
        data: { options: [{ authentication: 'secondary_totp' }] },
      },
    })
    await goThrough(flow, [{ authentication: 'secondary_totp' }])
    await goThrough(flow, [{ code: codeFor(world, flow) }])
    expect(stepOf(flow)).toBe('view_recovery_code')
    await goThrough(flow, [{ confirm_recovery_code: true }])
    expect(stepOf(flow)).toBe('fill_in_user_profile')
    const done = await flow.input({ attributes: [{ pointer: '/nickname', value: 'May' }] })
    const user = await userOf(world, done)
    expect(user).toMatchObject({
      id: world.id,
      standard_attributes: { email, nickname: 'May' },
      recovery_codes: 16,
    })
    expect(user.authenticators.map(({ type }) => type).sort()).toEqual(['password', 'totp'])
    expect(user.identities.map(({ type }) => type)).toEqual(['login_id', 'oauth'])
    expect(world.outbox.messages).toEqual([])
  })

  it('asks for none of several factors if the account has one, and creates no new recovery codes', async () => {
    const steps = [
      byProvider,
      creating('secondary_password', {
        authentication: 'secondary_totp',
        steps: [{ type: 'view_recovery_code' }],
      }),
      { type: 'view_recovery_code' },
      creating('primary_oob_otp_email', 'primary_password'),
    ]
    const world = await linkingHouse(flows(steps))
    const first = await startFlow(world, 'signup', {}, 'long')
    await link(world, first)
    await goThrough(first, [showing, { authentication: 'secondary_totp' }])
    await goThrough(first, [{ code: codeFor(world, first) }])
    const codes = stateOf(first.last).action.data.recovery_codes
    expect(codes).toHaveLength(16)
    stateOf(await first.input({ confirm_recovery_code: true }))
    const vouched = { ...mayaThere, subject: 'maya-2' }
    const again = await startFlow(world, 'signup', {}, 'long')
    stateOf(await comeBy(world, again, vouched))
    await goThrough(again, [{ index: 0 }])
    const done = await again.input(showing)
    expect(stateOf(done)).toMatchObject({ type: 'signup', action: { type: 'finished' } })
    expect((await userOf(world, done)).recovery_codes).toBe(16)
  })

  it('offers codes to the address of the account, and skips references to dropped steps', async () => {
    const steps = [
      byProvider,
      byAddress,
      creating({ authentication: 'primary_oob_otp_email', target_step: 'address' }),
      creating({ authentication: 'secondary_oob_otp_email', target_step: 'provider' }),
    ]
    const world = await linkingHouse(flows(steps))
    const flow = await startFlow(world, 'signup', {}, 'long')
    await link(world, flow)
    await goThrough(flow, [showing])
    expect(stateOf(flow.last).action.data.options).toEqual([
      expect.objectContaining({
        authentication: 'secondary_oob_otp_email',
        target: { masked_display_name: 'ma**@harborlight.example', verification_required: false },
      }),
    ])
  })
})

describe('the progress of a sign-up before its user was found to exist', () => {
  const steps = [
    byAddress,
    verifyAddress,
    creating('primary_password'),
    creating('secondary_totp'),
    byProvider,
  ]
  const newPassword = 'copper-meadow-7'

  /** A sign-up with an address, a password and a TOTP app that has reached the login of Maya. */
  async function beforeLogin(login: readonly object[]) {
    const world = await linkingHouse(flows(steps, login))
    const flow = await startFlow(world, 'signup', {}, 'long')
    await goThrough(flow, [{ identification: 'email', login_id: second }])
    await goThrough(flow, [
      { code: world.codeTo(second) },
      { authentication: 'primary_password', new_password: newPassword },
      { authentication: 'secondary_totp' },
    ])
    await goThrough(flow, [{ code: codeFor(world, flow) }])
    await link(world, flow)
    return { world, flow }
  }

  const oneOf = (...authentications: readonly string[]) => ({
    type: 'authenticate',
    one_of: authentications.map((authentication) => ({ authentication })),
  })
  const identify = { type: 'identify', one_of: [{ identification: 'email' }] }

  it('cannot sign in: neither its password, nor its addresses, nor its app', async () => {
    const { world, flow } = await beforeLogin([
      identify,
      oneOf('primary_password', 'primary_oob_otp_email', 'secondary_totp'),
    ])
    // Codes may go to any address of the account, which has only one.
    expect(stateOf(flow.last).action.data.options).toMatchObject([
      { authentication: 'primary_password' },
      { authentication: 'primary_oob_otp_email', masked_display_name: 'ma**@harborlight.example' },
    ])
    const wrong = { authentication: 'primary_password', password: newPassword }
    expect(errorOf(await flow.input(wrong)).reason).toBe('InvalidCredentials')
    const app = { authentication: 'secondary_totp', code: '123456' }
    expect(errorOf(await flow.input(app)).reason).toBe('ValidationFailed')
    await goThrough(flow, [{ authentication: 'primary_oob_otp_email', index: 1 }])
    expect(world.outbox.messages.map(({ target }) => target)).toEqual([second, email])
    expect(errorOf(await flow.input({ code: world.codeTo(second) })).reason).toBe(
      'InvalidCredentials',
    )
    expect((await getUser(world.auth, world.id)).identities).toHaveLength(1)
  })

  it('is not a second factor: a missing one stays missing', async () => {
    const { flow } = await beforeLogin([
      identify,
      oneOf('primary_password'),
      oneOf('secondary_totp'),
    ])
    expect(errorOf(await flow.input(showing))).toMatchObject({
      reason: 'InvariantViolated',
      info: { FlowType: 'login', cause: { kind: 'NoAuthenticator' } },
    })
  })

  it('is added to the account once its user has signed in, except for what the account has already', async () => {
    const { world, flow } = await beforeLogin([identify, oneOf('primary_password')])
    const done = await flow.input(showing)
    const user = await userOf(world, done)
    expect(user.id).toBe(world.id)
    expect(user.identities.map(({ email: address, type }) => [type, address])).toEqual([
      ['login_id', email],
      ['oauth', email],
    ])
    expect(user.authenticators.map(({ type }) => type).sort()).toEqual(['password', 'totp'])
    expect(user.verified_claims.map(({ value }) => value)).toEqual([email])
    const login = await startFlow(world, 'login')
    await login.input({ identification: 'email', login_id: email })
    const old = { authentication: 'primary_password', password: newPassword }
    expect(errorOf(await login.input(old)).reason).toBe('InvalidCredentials')
    // The dropped address is free.
    await createUser(world.auth, { email: second })
  })

  it('is dropped if the login is abandoned', async () => {
    const { world } = await beforeLogin([identify, oneOf('primary_password')])
    expect((await getUser(world.auth, world.id)).identities).toHaveLength(1)
    await createUser(world.auth, { email: second })
  })
})

describe('the states of account linking', () => {
  it('lead back to the choice, and on from there again', async () => {
    const world = await linkingHouse()
    const flow = await startFlow(world, 'signup')
    stateOf(await comeBy(world, flow, mayaThere))
    const choice = flow.token
    await goThrough(flow, [{ index: 0 }])
    const one = flow.token
    stateOf(await flow.input({ index: 0 }, choice))
    expect(errorOf(await flow.input({ ...showing, password: 'wrong' }, one)).reason).toBe(
      'InvalidCredentials',
    )
    const done = await flow.input(showing, one)
    expect((await userOf(world, done)).identities).toHaveLength(2)
    for (const token of [choice, one, flow.token]) {
      expect(errorOf(await flow.input(showing, token)).reason).toBe('AuthenticationFlowNotFound')
    }
  })

  it('are useless with a token alone: they add nothing to another account and reveal nothing', async () => {
    const world = await linkingHouse()
    await createUser(world.auth, { email: 'eve@x.io', password: 'evening-lamp-3' })
    const flow = await startFlow(world, 'signup')
    stateOf(await comeBy(world, flow, mayaThere))
    const eve = { identification: 'email', login_id: 'eve@x.io' }
    expect(errorOf(await flow.input(eve)).reason).toBe('ValidationFailed')
    await goThrough(flow, [{ index: 0, ...eve }])
    const hers = { authentication: 'primary_password', password: 'evening-lamp-3', ...eve }
    expect(errorOf(await flow.input(hers)).reason).toBe('InvalidCredentials')
    const shown = JSON.stringify(flow.last)
    for (const secret of ['maya-1', 'Maya Sole', email, world.id])
      expect(shown).not.toContain(secret)
  })
})
