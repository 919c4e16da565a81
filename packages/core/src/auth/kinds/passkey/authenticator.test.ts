import { describe, expect, it } from 'vitest'
import { authenticatorCollection } from '../../accounts/authenticator-record.ts'
import { createUser } from '../../people/create-user.ts'
import {
  type ConfigDelta,
  errorOf,
  startFlow,
  stateOf,
  type TestAuth,
  type TestFlow,
} from '../../service.fixture.ts'
import { updateAuthConfig } from '../../update-auth-config.ts'
import {
  eventsOf,
  newDevice,
  passkeyAuth,
  readAgain,
  requestOptionsOf,
  sessionOf,
  signUp,
  withPasskeys,
} from '../../webauthn/passkeys.fixture.ts'
import { passkeyId } from './passkey.ts'

const maya = 'maya@harborlight.example'
const lena = 'lena@harborlight.example'
const nobody = 'nina@harborlight.example'
const password = 'tidal-lantern-42'

/** A login with an address, at its first factor. */
async function loginOf(world: TestAuth, email: string): Promise<TestFlow> {
  const flow = await startFlow(world, 'login')
  stateOf(await flow.input({ identification: 'email', login_id: email }))
  return flow
}

const optionsOf = ({ last }: TestFlow): unknown => stateOf(last).action.data.options

const showing = (response: object): { authentication: string; assertion_response: never } => ({
  authentication: 'primary_passkey',
  assertion_response: response as never,
})

const refused = {
  code: 401,
  reason: 'InvalidCredentials',
  info: { FlowType: 'login', AuthenticationType: 'passkey' },
}

const passwordOption = {
  authentication: 'primary_password',
  password_policy: { minimum_length: 8, history: { enabled: false } },
}

describe('a passkey of a known user', () => {
  it('is requested by its id', async () => {
    const world = passkeyAuth()
    const device = newDevice()
    await signUp(world, maya, device)
    const flow = await loginOf(world, maya)
    expect(stateOf(flow.last).action).toEqual({
      type: 'authenticate',
      data: {
        type: 'authentication_data',
        options: [
          passwordOption,
          {
            authentication: 'primary_passkey',
            request_options: {
              challenge: expect.stringMatching(/^[\w-]{43}$/),
              timeout: 300_000,
              rpId: 'auth.example.com',
              allowCredentials: [
                {
                  type: 'public-key',
                  id: expect.stringMatching(/^[\w-]+$/),
                  transports: ['internal'],
                },
              ],
              userVerification: 'preferred',
            },
          },
        ],
        device_token_enabled: false,
      },
    })
  })

  it('is requested with another challenge at each read', async () => {
    const world = passkeyAuth()
    await signUp(world, maya, newDevice())
    const flow = await loginOf(world, maya)
    const first = Object(requestOptionsOf(flow.last))
    const again = Object(requestOptionsOf(await readAgain(world, flow)))
    expect(again).toEqual({ ...first, challenge: again.challenge })
    expect(again.challenge).not.toBe(first.challenge)
  })

  it('signs in, without a second factor', async () => {
    const world = passkeyAuth()
    const device = newDevice()
    const userId = await signUp(world, maya, device)
    const flow = await loginOf(world, maya)
    stateOf(await flow.input(showing(device.get(requestOptionsOf(flow.last)))))
    expect(await sessionOf(world, flow)).toMatchObject({
      user_id: userId,
      amr: ['x_passkey', 'x_primary_passkey'],
    })
  })

  it('is not offered to a user without one', async () => {
    const world = passkeyAuth()
    await createUser(world.auth, { email: lena, password })
    const flow = await loginOf(world, lena)
    expect(optionsOf(flow)).toEqual([passwordOption])
  })

  it('is not offered once passkeys are disabled', async () => {
    const world = passkeyAuth()
    await signUp(world, maya, newDevice())
    const steps = [
      { type: 'identify', one_of: [{ identification: 'email' }] },
      {
        type: 'authenticate',
        one_of: [{ authentication: 'primary_passkey' }, { authentication: 'primary_password' }],
      },
    ] as const
    updateAuthConfig(world.auth, {
      id: 'test',
      http: { public_origin: 'https://auth.example.com' },
      authentication_flow: { login_flows: [{ name: 'default', steps }] },
    })
    const flow = await loginOf(world, maya)
    expect(optionsOf(flow)).toEqual([passwordOption])
  })

  it('is refused if it belongs to another user', async () => {
    const world = passkeyAuth()
    const [own, other] = [newDevice(), newDevice()]
    const userId = await signUp(world, maya, own)
    await signUp(world, lena, other)
    const flow = await loginOf(world, maya)
    const before = (await eventsOf(world)).length
    const { allowCredentials: _, ...anyOfThem } = Object(requestOptionsOf(flow.last))
    expect(errorOf(await flow.input(showing(other.get(anyOfThem))))).toMatchObject(refused)
    expect((await eventsOf(world)).slice(before)).toEqual([
      { type: 'authentication.primary.passkey.failed', user_id: userId },
    ])
    const again = requestOptionsOf(await readAgain(world, flow))
    stateOf(await flow.input(showing(own.get(again))))
    expect((await sessionOf(world, flow)).user_id).toBe(userId)
  })

  it('is refused after its removal', async () => {
    const world = passkeyAuth()
    const device = newDevice()
    await signUp(world, maya, device)
    const flow = await loginOf(world, maya)
    const used = device.get(requestOptionsOf(flow.last))
    await world.storage.commit([authenticatorCollection.remove(passkeyId(used.id))])
    expect(errorOf(await flow.input(showing(used)))).toMatchObject(refused)
    stateOf(await flow.input({ authentication: 'primary_password', password }))
  })

  it('is not requested twice in a flow', async () => {
    const one_of = [{ authentication: 'primary_passkey' }, { authentication: 'primary_password' }]
    const steps = [
      { type: 'identify', one_of: [{ identification: 'email' }] },
      { type: 'authenticate', one_of },
      { type: 'authenticate', one_of },
    ]
    const world = passkeyAuth({
      authentication_flow: { login_flows: [{ name: 'default', steps }] },
    })
    const device = newDevice()
    await signUp(world, maya, device)
    const flow = await loginOf(world, maya)
    stateOf(await flow.input(showing(device.get(requestOptionsOf(flow.last)))))
    expect(optionsOf(flow)).toEqual([passwordOption])
  })

  it('is never set up by a step that creates authenticators', async () => {
    const steps = [
      { type: 'identify', one_of: [{ identification: 'email' }] },
      {
        type: 'create_authenticator',
        one_of: [{ authentication: 'primary_passkey' }, { authentication: 'primary_password' }],
      },
    ]
    const world = passkeyAuth({
      authentication_flow: { signup_flows: [{ name: 'default', steps }] },
    })
    const flow = await startFlow(world, 'signup')
    await flow.input({ identification: 'email', login_id: maya })
    expect(optionsOf(flow)).toEqual([passwordOption])
  })
})

describe('with enumeration protection', () => {
  const hiding: ConfigDelta = {
    authentication: { ...withPasskeys.authentication, enumeration_protection: 'login' },
  }

  it('a passkey is requested from everybody, without ids', async () => {
    const world = passkeyAuth(hiding)
    await signUp(world, maya, newDevice())
    await createUser(world.auth, { email: lena, password })
    const seen = await Promise.all(
      [maya, lena, nobody].map(async (email) => {
        const text = JSON.stringify(optionsOf(await loginOf(world, email)))
        return text.replace(/"challenge":"[\w-]{43}"/, '')
      }),
    )
    expect(new Set(seen).size).toBe(1)
    expect(seen[0]).toContain('primary_passkey')
    expect(seen[0]).not.toContain('allowCredentials')
  })

  it('only the owner of a passkey signs in with it', async () => {
    const world = passkeyAuth(hiding)
    const device = newDevice()
    const userId = await signUp(world, maya, device)
    await createUser(world.auth, { email: lena, password })
    for (const email of [lena, nobody]) {
      const flow = await loginOf(world, email)
      const used = device.get(requestOptionsOf(flow.last))
      expect(errorOf(await flow.input(showing(used)))).toMatchObject(refused)
    }
    const flow = await loginOf(world, maya)
    stateOf(await flow.input(showing(device.get(requestOptionsOf(flow.last)))))
    expect((await sessionOf(world, flow)).user_id).toBe(userId)
  })

  it('a passkey is requested by its id after another authentication', async () => {
    const steps = [
      { type: 'identify', one_of: [{ identification: 'email' }] },
      { type: 'authenticate', one_of: [{ authentication: 'primary_password' }] },
      {
        type: 'authenticate',
        optional: true,
        one_of: [{ authentication: 'primary_passkey' }],
      },
    ]
    const flows = { login_flows: [{ name: 'default', steps }] }
    const world = passkeyAuth({ ...hiding, authentication_flow: flows })
    await signUp(world, maya, newDevice())
    await createUser(world.auth, { email: lena, password })
    const own = await loginOf(world, maya)
    await own.input({ authentication: 'primary_password', password })
    expect(requestOptionsOf(own.last)).toHaveProperty('allowCredentials')
    const without = await loginOf(world, lena)
    await without.input({ authentication: 'primary_password', password })
    expect(stateOf(without.last).action.type).toBe('finished')
  })
})
