import { describe, expect, it } from 'vitest'
import { createBadgeIdentification } from '../kinds/badge.fixture.ts'
import { pinAuthenticator } from '../kinds/pin.fixture.ts'
import { createUser } from '../people/create-user.ts'
import { errorOf, startFlow, stateOf, testAuth } from '../service.fixture.ts'
import { resolveSessionToken } from '../sessions/resolve-session.ts'

const password = 'tidal-lantern-42'

const login_flows = [
  {
    name: 'door',
    steps: [
      {
        type: 'identify',
        one_of: [
          {
            identification: 'badge',
            steps: [
              { type: 'authenticate', one_of: [{ authentication: 'primary_password' }] },
              { type: 'authenticate', one_of: [{ authentication: 'secondary_pin' }] },
            ],
          },
        ],
      },
      { type: 'check_account_status' },
    ],
  },
]

/** A service with a login flow `door`, and the user Maya who has a badge and a PIN. */
async function house() {
  const owners = new Map<string, string>()
  const world = testAuth(
    { authentication_flow: { login_flows } },
    { identifications: [createBadgeIdentification(owners)], authenticators: [pinAuthenticator] },
  )
  const id = await createUser(world.auth, {
    preferred_username: 'maya',
    password,
    custom_attributes: { x_pin: await world.auth.hasher.hash('4711') },
  })
  owners.set('b-17', id)
  return { ...world, id }
}

describe('a custom identification and a custom authenticator', () => {
  it('work in a flow like built-in ones', async () => {
    const world = await house()
    const flow = await startFlow(world, 'login', {}, 'door')
    expect(stateOf(flow.last).action.data.options).toEqual([
      { identification: 'badge', reader: 'front door' },
    ])
    const first = stateOf(await flow.input({ identification: 'badge', badge: 'b-17' }))
    expect(first.action.data.options).toMatchObject([{ authentication: 'primary_password' }])
    const second = stateOf(await flow.input({ authentication: 'primary_password', password }))
    expect(second.action.data.options).toEqual([{ authentication: 'secondary_pin' }])
    const prompt = stateOf(await flow.input({ authentication: 'secondary_pin' }))
    expect(prompt.action).toEqual({
      type: 'authenticate',
      authentication: 'secondary_pin',
      data: { type: 'pin_data', digits: 4 },
    })
    const done = await flow.input({ pin: '4711' })
    expect(stateOf(done).action.type).toBe('finished')
    const token = done.cookies[0]?.value ?? ''
    expect(await resolveSessionToken(world.auth, token)).toMatchObject({
      user_id: world.id,
      amr: ['mfa', 'pin', 'pwd', 'x_primary_password', 'x_secondary_pin'],
      aal: 2,
    })
  })

  it('work with one input for all prompts', async () => {
    const world = await house()
    const flow = await startFlow(world, 'login', {}, 'door')
    await flow.input({
      identification: 'badge',
      badge: 'b-17',
      authentication: 'primary_password',
      password,
    })
    const done = await flow.input({ authentication: 'secondary_pin', pin: '4711' })
    expect(stateOf(done).action.type).toBe('finished')
  })

  it('refuse with the built-in errors, and count failed attempts', async () => {
    const world = await house()
    const flow = await startFlow(world, 'login', {}, 'door')
    expect(errorOf(await flow.input({ identification: 'badge', badge: 'b-18' }))).toMatchObject({
      reason: 'UserNotFound',
      info: { FlowType: 'login', IdentityTypeIncoming: 'badge' },
    })
    expect(errorOf(await flow.input({ identification: 'badge' })).info).toMatchObject({
      causes: [{ location: '', kind: 'required' }],
    })
    await flow.input({ identification: 'badge', badge: 'b-17' })
    await flow.input({ authentication: 'primary_password', password })
    await flow.input({ authentication: 'secondary_pin' })
    for (let attempt = 0; attempt < 10; attempt++) {
      expect(errorOf(await flow.input({ pin: '0000' }))).toMatchObject({
        reason: 'InvalidCredentials',
        info: { AuthenticationType: 'pin', FlowType: 'login' },
      })
    }
    expect(errorOf(await flow.input({ pin: '4711' })).reason).toBe('RateLimited')
  })

  it('must be passed in before a flow can name them', () => {
    expect(() => testAuth({ authentication_flow: { login_flows } })).toThrow(
      expect.objectContaining({ reason: 'InvalidConfig' }),
    )
  })

  it('can replace built-in ones', async () => {
    const email = { ...createBadgeIdentification(new Map()), identification: 'email' }
    const world = testAuth({}, { identifications: [email] })
    const flow = await startFlow(world, 'login')
    expect(stateOf(flow.last).action.data.options).toEqual([
      { identification: 'badge', reader: 'front door' },
    ])
  })
})
