import { describe, expect, it } from 'vitest'
import { authenticatorCollection } from '../../accounts/authenticator-record.ts'
import { userCollection } from '../../accounts/user-record.ts'
import type { FlowInput } from '../../flow/view.ts'
import { createUser } from '../../people/create-user.ts'
import {
  type ConfigDelta,
  errorOf,
  startFlow,
  startOfTests,
  stateOf,
  type TestAuth,
  type TestFlow,
  testState,
} from '../../service.fixture.ts'
import { updateAuthConfig } from '../../update-auth-config.ts'
import {
  answering,
  dataOf,
  newDevice,
  passkeyAuth,
  readAgain,
  sessionOf,
  signUp,
  signUpToPrompt,
  startByPasskey,
  withPasskeys,
} from '../../webauthn/passkeys.fixture.ts'
import { createBadgeIdentification } from '../badge.fixture.ts'
import { passkeyId } from './passkey.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const optOut: ConfigDelta = { ui: { passkey_upselling_opt_out_enabled: true } }

/** A login with the password, to its end or to the prompt. */
async function login(world: TestAuth): Promise<TestFlow> {
  const flow = await startFlow(world, 'login')
  await flow.input({ identification: 'email', login_id: email })
  await flow.input({ authentication: 'primary_password', password })
  return flow
}

const typeOf = ({ last }: TestFlow): string => stateOf(last).action.type

describe('a sign-up', () => {
  it('asks the new user for a passkey', async () => {
    const flow = await signUpToPrompt(passkeyAuth(), 'Maya@harborlight.example')
    expect(stateOf(flow.last).action).toEqual({
      type: 'prompt_create_passkey',
      data: {
        type: 'create_passkey_data',
        creation_options: {
          rp: { id: 'auth.example.com', name: 'test' },
          user: {
            id: expect.stringMatching(/^[\w-]{48}$/),
            name: 'Maya@harborlight.example',
            displayName: 'Maya@harborlight.example',
          },
          challenge: expect.stringMatching(/^[\w-]{43}$/),
          pubKeyCredParams: [
            { type: 'public-key', alg: -7 },
            { type: 'public-key', alg: -257 },
          ],
          timeout: 300_000,
          excludeCredentials: [],
          authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
          attestation: 'none',
          extensions: { uvm: true, credProps: true },
        },
      },
    })
  })

  it('ends with the created passkey', async () => {
    const world = passkeyAuth()
    const flow = await signUpToPrompt(world, email)
    const options = dataOf(flow.last, 'creation_options')
    const made = newDevice().create(options)
    expect(await authenticatorCollection.get(world.storage, passkeyId(made.id))).toBeUndefined()
    expect(stateOf(await flow.input({ creation_response: made })).action.type).toBe('finished')
    const { user_id, amr } = await sessionOf(world, flow)
    expect(amr).toEqual(['mfa', 'pwd', 'x_passkey', 'x_primary_passkey', 'x_primary_password'])
    const stored = await authenticatorCollection.get(world.storage, passkeyId(made.id))
    expect(stored?.value).toEqual({
      type: 'passkey',
      kind: 'primary',
      user_id,
      display_name: 'Passkey @ 2026-03-04T10:00:00.000Z',
      created_at: startOfTests,
      updated_at: startOfTests,
      credential_id: made.id,
      public_key: expect.stringMatching(/^[\w-]+$/),
      sign_count: 1,
      transports: ['internal'],
      aaguid: '00000000-0000-0000-0000-000000000000',
      is_backed_up: false,
    })
    const handle = Buffer.from(Object(options).user.id, 'base64url')
    expect(handle.toString()).toBe(user_id)
  })

  it('ends without one', async () => {
    const world = passkeyAuth()
    const flow = await signUpToPrompt(world, email)
    expect(stateOf(await flow.input({ skip: true })).action.type).toBe('finished')
    expect((await sessionOf(world, flow)).amr).toEqual(['pwd', 'x_primary_password'])
  })

  it('needs one request before the passkey', async () => {
    const world = passkeyAuth()
    const input = {
      identification: 'email',
      login_id: email,
      authentication: 'primary_password',
      new_password: password,
    }
    const flow = await startFlow(world, 'signup')
    expect(stateOf(await flow.input(input)).action.type).toBe('prompt_create_passkey')
    const again = await startFlow(world, 'signup')
    expect(stateOf(await again.input({ ...input, skip: true })).action.type).toBe('finished')
  })
})

describe('the prompt for a passkey', () => {
  it('has another challenge at each read, and each is valid', async () => {
    const world = passkeyAuth()
    const flow = await signUpToPrompt(world, email)
    const first = Object(dataOf(flow.last, 'creation_options'))
    const again = Object(dataOf(await readAgain(world, flow), 'creation_options'))
    expect(again).toEqual({ ...first, challenge: again.challenge })
    expect(again.challenge).not.toBe(first.challenge)
    stateOf(await flow.input({ creation_response: newDevice().create(first) }))
  })

  it('is at the end of a login too, until there is a passkey', async () => {
    const world = passkeyAuth()
    await createUser(world.auth, { email, password })
    const skipped = await login(world)
    expect(typeOf(skipped)).toBe('prompt_create_passkey')
    await skipped.input({ skip: true })
    const flow = await login(world)
    const device = newDevice()
    const made = device.create(dataOf(flow.last, 'creation_options'))
    expect(stateOf(await flow.input({ creation_response: made })).action.type).toBe('finished')
    expect(typeOf(await login(world))).toBe('finished')
    const { flow: byPasskey, input } = await startByPasskey(world, device)
    expect(stateOf(await byPasskey.input(input)).action.type).toBe('finished')
  })

  it('excludes a passkey that was created meanwhile', async () => {
    const world = passkeyAuth()
    await createUser(world.auth, { email, password })
    const [one, other] = [await login(world), await login(world)]
    const device = newDevice()
    const made = device.create(dataOf(one.last, 'creation_options'))
    stateOf(await one.input({ creation_response: made }))
    const options = dataOf(await readAgain(world, other), 'creation_options')
    expect(options).toMatchObject({ excludeCredentials: [{ id: made.id, type: 'public-key' }] })
    expect(() => device.create(options)).toThrow('InvalidStateError')
  })

  it('comes once in a flow', async () => {
    const steps = [
      { type: 'identify', one_of: [{ identification: 'email' }] },
      { type: 'create_authenticator', one_of: [{ authentication: 'primary_password' }] },
      { type: 'prompt_create_passkey' },
      { type: 'prompt_create_passkey' },
    ]
    const flows = { signup_flows: [{ name: 'default', steps }] }
    const flow = await signUpToPrompt(passkeyAuth({ authentication_flow: flows }), email)
    expect(typeOf(flow)).toBe('prompt_create_passkey')
    expect(stateOf(await flow.input({ skip: true })).action.type).toBe('finished')
  })

  it('is skipped if passkeys are disabled', async () => {
    const steps = [
      { type: 'identify', one_of: [{ identification: 'email' }] },
      { type: 'create_authenticator', one_of: [{ authentication: 'primary_password' }] },
      { type: 'prompt_create_passkey' },
    ]
    const authentication = { identities: ['login_id'], primary_authenticators: ['password'] }
    const flows = { signup_flows: [{ name: 'default', steps }] }
    const world = passkeyAuth({ authentication, authentication_flow: flows })
    expect(typeOf(await signUpToPrompt(world, email))).toBe('finished')
  })

  it('is skipped for an identification that cannot have a passkey', async () => {
    const steps = [
      { type: 'identify', one_of: [{ identification: 'badge' }, { identification: 'email' }] },
      { type: 'authenticate', one_of: [{ authentication: 'primary_password' }] },
      { type: 'prompt_create_passkey' },
    ]
    const owners = new Map<string, string>()
    const world = passkeyAuth(
      { authentication_flow: { login_flows: [{ name: 'default', steps }] } },
      { identifications: [createBadgeIdentification(owners)] },
    )
    owners.set('77', await createUser(world.auth, { email, password }))
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'badge', badge: '77' })
    await flow.input({ authentication: 'primary_password', password })
    expect(typeOf(flow)).toBe('finished')
    expect(typeOf(await login(world))).toBe('prompt_create_passkey')
  })

  it('accepts either a passkey or `skip`', async () => {
    const flow = await signUpToPrompt(passkeyAuth(), email)
    const made = newDevice().create(dataOf(flow.last, 'creation_options'))
    const causesOf = async (input: FlowInput): Promise<unknown> => {
      const { reason, info } = errorOf(await flow.input(input))
      return [reason, Object(info).causes]
    }
    expect(await causesOf({ creation_response: made, skip: true })).toEqual([
      'ValidationFailed',
      [{ location: '', kind: 'oneOf' }],
    ])
    expect(await causesOf({})).toEqual([
      'ValidationFailed',
      ['creation_response', 'skip'].map((name) => ({
        location: '',
        kind: 'required',
        details: { actual: [], expected: [name], missing: [name] },
      })),
    ])
  })

  it('refuses a passkey created elsewhere, and then accepts another', async () => {
    const flow = await signUpToPrompt(passkeyAuth(), email)
    const elsewhere = newDevice({ origin: 'https://auth.example.org' })
    const wrong = elsewhere.create(dataOf(flow.last, 'creation_options'))
    expect(errorOf(await flow.input({ creation_response: wrong }))).toMatchObject({
      code: 401,
      reason: 'InvalidCredentials',
      info: { FlowType: 'signup', AuthenticationType: 'passkey' },
    })
    // The options in the refused result are valid.
    const shown = flow.last.result && testState(flow.last.result).action.data.creation_options
    const made = newDevice().create(shown ?? null)
    expect(stateOf(await flow.input({ creation_response: made })).action.type).toBe('finished')
  })

  it('accepts passkeys created on pages of allowed origins', async () => {
    const http = {
      public_origin: 'https://auth.example.com',
      allowed_origins: ['https://app.auth.example.com'],
    }
    const world = passkeyAuth({ http })
    const device = newDevice({ origin: 'https://app.auth.example.com' })
    await signUp(world, email, device)
    const { flow, input } = await startByPasskey(world, device)
    expect(stateOf(await flow.input(input)).action.type).toBe('finished')
  })
})

describe('a user who opts out of the prompt', () => {
  it('can do so if the configuration allows it', async () => {
    const world = passkeyAuth(optOut)
    const flow = await signUpToPrompt(world, email)
    expect(stateOf(flow.last).action.data).toMatchObject({ allow_do_not_ask_again: true })
    stateOf(await flow.input({ skip: true, do_not_ask_again: true }))
    const { user_id } = await sessionOf(world, flow)
    expect((await userCollection.get(world.storage, user_id))?.value.opt_out_passkey).toBe(true)
    expect(typeOf(await login(world))).toBe('finished')
  })

  it.each([{ skip: true }, { skip: true, do_not_ask_again: false }])(
    'must send `true`: %j is refused',
    async (input) => {
      const world = passkeyAuth(optOut)
      stateOf(await (await signUpToPrompt(world, email)).input(input))
      expect(typeOf(await login(world))).toBe('prompt_create_passkey')
    },
  )

  it('cannot do so if the configuration forbids it', async () => {
    const world = passkeyAuth()
    const flow = await signUpToPrompt(world, email)
    expect(stateOf(flow.last).action.data).not.toHaveProperty('allow_do_not_ask_again')
    const refusal = errorOf(await flow.input({ skip: true, do_not_ask_again: true }))
    expect(refusal).toMatchObject({
      reason: 'ValidationFailed',
      info: {
        causes: [
          { location: '', kind: 'required' },
          {
            location: '/do_not_ask_again',
            kind: 'const',
            details: { expected: false, actual: true },
          },
        ],
      },
    })
    stateOf(await flow.input({ skip: true, do_not_ask_again: false }))
  })

  it('is asked again once the configuration forbids it', async () => {
    const world = passkeyAuth(optOut)
    stateOf(
      await (await signUpToPrompt(world, email)).input({ skip: true, do_not_ask_again: true }),
    )
    updateAuthConfig(world.auth, {
      id: 'test',
      http: { public_origin: 'https://auth.example.com' },
      ...withPasskeys,
    })
    expect(typeOf(await login(world))).toBe('prompt_create_passkey')
  })
})

describe('a credential', () => {
  const taken = {
    code: 400,
    reason: 'InvariantViolated',
    info: { FlowType: 'signup', cause: { kind: 'DuplicatedAuthenticator' } },
  }

  it('belongs to one user', async () => {
    const world = passkeyAuth()
    const first = await signUpToPrompt(world, email)
    const made = newDevice().create(dataOf(first.last, 'creation_options'))
    stateOf(await first.input({ creation_response: made }))
    const other = await signUpToPrompt(world, 'lena@harborlight.example')
    const copied = answering(made, dataOf(other.last, 'creation_options'))
    expect(errorOf(await other.input(copied))).toMatchObject(taken)
  })

  it('in two concurrent flows is stored by one of them', async () => {
    const steps = [
      { type: 'identify', one_of: [{ identification: 'email' }] },
      { type: 'create_authenticator', one_of: [{ authentication: 'primary_password' }] },
      { type: 'prompt_create_passkey' },
      { type: 'view_recovery_code' },
    ]
    const flows = { signup_flows: [{ name: 'default', steps }] }
    const world = passkeyAuth({ authentication_flow: flows })
    const first = await signUpToPrompt(world, email)
    const other = await signUpToPrompt(world, 'lena@harborlight.example')
    const made = newDevice().create(dataOf(first.last, 'creation_options'))
    stateOf(await other.input(answering(made, dataOf(other.last, 'creation_options'))))
    stateOf(await first.input({ creation_response: made }))
    const confirmed = { confirm_recovery_code: true }
    expect(stateOf(await first.input(confirmed)).action.type).toBe('finished')
    expect(errorOf(await other.input(confirmed))).toMatchObject(taken)
  })
})
