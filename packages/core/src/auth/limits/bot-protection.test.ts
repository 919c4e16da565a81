import { describe, expect, it } from 'vitest'
import { createAuth } from '../create-auth.ts'
import {
  email,
  type HookAnswers,
  type HookedAuth,
  hookedAuth,
  importMaya,
  password,
} from '../events/hook.fixture.ts'
import { outboxCollection } from '../events/outbox.ts'
import { flowMemoryCollection } from '../flow-states/flow-record.ts'
import { advanceFlow } from '../flows/advance-flow.ts'
import { createFlow } from '../flows/create-flow.ts'
import { getFlowState } from '../flows/get-flow-state.ts'
import { atChoice, linkingHouse } from '../linking/linking-house.fixture.ts'
import {
  type ConfigDelta,
  errorOf,
  startFlow,
  stateOf,
  testAuth,
  testState,
} from '../service.fixture.ts'
import { updateAuthConfig } from '../update-auth-config.ts'
import type { BotVerifier } from './bot-verifier.ts'

const bot_protection = { enabled: true, provider: { type: 'cloudflare', site_key: 's' } }
const always = { bot_protection: { mode: 'always' } }
const never = { bot_protection: { mode: 'never' } }

/** The demand in options, and the answer in inputs. */
const shown = { bot_protection: { enabled: true, provider: { type: 'cloudflare' } } }
const human = { bot_protection: { type: 'cloudflare', response: 'a person' } }
const machine = { bot_protection: { type: 'cloudflare', response: 'a machine' } }

const identify = { identification: 'email', login_id: email }
const authenticate = { authentication: 'primary_password', password }

type Branch = typeof always | typeof never

/** Flows with bot protection modes for the identification and the authentication. */
const flows = (identifying: Branch, authenticating: Branch): ConfigDelta => {
  const create = { authentication: 'primary_password' }
  const channels = [{ channel: 'email', otp_form: 'code' }]
  const type = 'identify'
  return {
    bot_protection,
    verification: { claims: { email: { required: false } } },
    authentication_flow: {
      login_flows: [
        {
          name: 'default',
          steps: [
            { type, one_of: [{ identification: 'email', ...identifying }] },
            {
              type: 'authenticate',
              one_of: [{ authentication: 'primary_password', ...authenticating }],
            },
          ],
        },
      ],
      signup_flows: [
        {
          name: 'default',
          steps: [
            { type, one_of: [{ identification: 'email', ...identifying }] },
            { type: 'create_authenticator', one_of: [{ ...create, ...authenticating }] },
          ],
        },
      ],
      signup_login_flows: [
        {
          name: 'default',
          steps: [
            {
              type,
              one_of: [
                {
                  identification: 'email',
                  login_flow: 'default',
                  signup_flow: 'default',
                  ...never,
                },
              ],
            },
          ],
        },
      ],
      account_recovery_flows: [
        {
          name: 'default',
          steps: [
            { type, one_of: [{ identification: 'email', ...identifying }] },
            { type: 'select_destination', allowed_channels: channels },
            { type: 'verify_account_recovery_code' },
            { type: 'reset_password' },
          ],
        },
      ],
    },
  }
}

interface ProtectedAuth extends HookedAuth {
  /** The responses that the verifier received. */
  readonly shown: { readonly response: string; readonly ip: string }[]
}

function protectedAuth(delta: ConfigDelta, answers: HookAnswers = {}): ProtectedAuth {
  const given: ProtectedAuth['shown'] = []
  const botVerifier: BotVerifier = {
    type: 'cloudflare',
    async verify(one) {
      given.push(one)
      if (one.response === 'nobody knows') throw new Error('the provider is away')
      return one.response.startsWith('a person') ? 'passed' : 'failed'
    },
  }
  return { ...hookedAuth(answers, delta, { botVerifier }), shown: given }
}

async function eventTypes({ storage }: HookedAuth): Promise<readonly string[]> {
  const records = await storage.find(outboxCollection, { by: 'id', limit: 100 })
  return records.map(({ value }) => Object(value).event.type)
}

describe('a branch with bot protection', () => {
  it('says so, and accepts an input with a response', async () => {
    const world = protectedAuth(flows(always, never))
    await importMaya(world)
    const flow = await startFlow(world, 'login', { ip: '192.0.2.7' })
    expect(stateOf(flow.last).action.data.options).toEqual([{ identification: 'email', ...shown }])
    const next = stateOf(await flow.input({ ...identify, ...human }))
    expect(next.action.type).toBe('authenticate')
    expect(world.shown).toEqual([{ response: 'a person', ip: '192.0.2.7' }])
  })

  it('refuses an input without a valid response', async () => {
    const world = protectedAuth(flows(always, never))
    const flow = await startFlow(world, 'login')
    const causesOf = async (bot: object) =>
      Object(errorOf(await flow.input({ ...identify, ...bot })).info).causes
    expect(await causesOf({})).toEqual([
      {
        location: '',
        kind: 'required',
        details: {
          actual: ['identification', 'login_id'],
          expected: ['bot_protection', 'identification', 'login_id'],
          missing: ['bot_protection'],
        },
      },
    ])
    expect(await causesOf({ bot_protection: { type: 'other', response: 'a person' } })).toEqual([
      {
        location: '/bot_protection/type',
        kind: 'const',
        details: { expected: 'cloudflare', actual: 'other' },
      },
    ])
    expect(await causesOf({ bot_protection: { type: 'cloudflare' } })).toMatchObject([
      { location: '/bot_protection', kind: 'required', details: { missing: ['response'] } },
    ])
    expect(await causesOf({ bot_protection: 'a person' })).toMatchObject([
      { location: '/bot_protection', kind: 'type' },
    ])
    expect(world.shown).toEqual([])
  })

  it('refuses a machine before it checks anything else, and emits an event', async () => {
    const world = protectedAuth(flows(never, always))
    await importMaya(world)
    const flow = await startFlow(world, 'login')
    await flow.input(identify)
    const answers = []
    for (let attempt = 0; attempt < 15; attempt++) {
      const text = attempt % 2 === 0 ? password : 'wrong'
      answers.push(errorOf(await flow.input({ ...authenticate, password: text, ...machine })))
    }
    // If passwords were checked first, right ones would succeed and wrong ones be rate limited.
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toEqual({
      name: 'Forbidden',
      reason: 'BotProtectionVerificationFailed',
      message: 'bot protection verification failed',
      code: 403,
      info: { FlowType: 'login' },
    })
    expect(new Set(await eventTypes(world))).toEqual(
      new Set(['user.created', 'bot_protection.verification.failed']),
    )
    stateOf(await flow.input({ ...authenticate, ...human }))
  })

  it('refuses everybody while the verifier is unavailable', async () => {
    const world = protectedAuth(flows(always, never))
    const flow = await startFlow(world, 'login')
    const response = { type: 'cloudflare', response: 'nobody knows' }
    const refused = await flow.input({ ...identify, bot_protection: response })
    expect(errorOf(refused)).toMatchObject({
      name: 'ServiceUnavailable',
      reason: 'BotProtectionVerificationServiceUnavailable',
      code: 503,
    })
    expect(await eventTypes(world)).toEqual([])
  })

  it.each([undefined, 'maybe', true])('accepts no %j from a verifier', async (answer) => {
    const botVerifier = { verify: async () => answer as unknown as 'passed' }
    const flow = await startFlow(testAuth(flows(always, never), { botVerifier }), 'login')
    expect(errorOf(await flow.input({ ...identify, ...human })).code).toBe(503)
  })

  it('limits the time of a verifier', async () => {
    const world = testAuth(flows(always, never), {
      botVerifier: {
        verify: () => {
          world.clock.advance(10_000)
          return new Promise(() => {})
        },
      },
    })
    const flow = await startFlow(world, 'login')
    expect(errorOf(await flow.input({ ...identify, ...human })).code).toBe(503)
  })

  it('may be part of a sign-up or an account recovery', async () => {
    const world = protectedAuth(flows(always, always))
    for (const type of ['signup', 'account_recovery'] as const) {
      const flow = await startFlow(world, type)
      expect(stateOf(flow.last).action.data.options).toEqual([
        { identification: 'email', ...shown },
      ])
      expect(errorOf(await flow.input(identify)).reason).toBe('ValidationFailed')
      stateOf(await flow.input({ ...identify, ...human }))
    }
  })

  it('may be part of a setup', async () => {
    const world = protectedAuth(flows(never, always))
    const flow = await startFlow(world, 'signup')
    const asked = stateOf(await flow.input(identify))
    expect(asked.action.data.options).toMatchObject([
      { authentication: 'primary_password', ...shown },
    ])
    const input = { authentication: 'primary_password', new_password: password }
    expect(errorOf(await flow.input(input)).reason).toBe('ValidationFailed')
    expect(errorOf(await flow.input({ ...input, ...machine })).code).toBe(403)
    stateOf(await flow.input({ ...input, ...human }))
  })

  it('refuses nobody if bot protection is off', async () => {
    const world = protectedAuth({
      ...flows(always, always),
      bot_protection: { ...bot_protection, enabled: false },
    })
    await importMaya(world)
    const flow = await startFlow(world, 'login')
    stateOf(await flow.input(identify))
    expect(world.shown).toEqual([])
  })
})

describe('an account that a sign-up links to', () => {
  it('is protected as its login demands', async () => {
    const requirements = { signup_or_login: { mode: 'always' } }
    const botVerifier: BotVerifier = {
      verify: async ({ response }) => (response === 'a person' ? 'passed' : 'failed'),
    }
    const world = await linkingHouse(
      { bot_protection: { ...bot_protection, requirements } },
      { botVerifier },
    )
    const flow = await atChoice(world)
    expect(stateOf(flow.last).action.data.options).toMatchObject([
      { identification: 'email', action: 'login_and_link', ...shown },
    ])
    expect(errorOf(await flow.input({ index: 0 })).reason).toBe('ValidationFailed')
    expect(errorOf(await flow.input({ index: 0, ...machine })).code).toBe(403)
    const next = stateOf(await flow.input({ index: 0, ...human }))
    expect(next).toMatchObject({ type: 'login', action: { type: 'authenticate' } })
  })
})

describe('a flow that has passed bot protection', () => {
  it('does not ask again in the next step', async () => {
    const world = protectedAuth(flows(always, always))
    await importMaya(world)
    const flow = await startFlow(world, 'login')
    const next = stateOf(await flow.input({ ...identify, ...human }))
    expect(next.action.data.options).not.toMatchObject([shown])
    stateOf(await flow.input(authenticate))
    expect(world.shown).toHaveLength(1)
  })

  it('does not ask again in the next step of the same input', async () => {
    const world = protectedAuth(flows(always, always))
    await importMaya(world)
    const flow = await startFlow(world, 'login')
    const ended = stateOf(await flow.input({ ...identify, ...authenticate, ...human }))
    expect(ended.action.type).toBe('finished')
    expect(world.shown).toHaveLength(1)
  })

  it('does not ask again in the next input of a batch', async () => {
    const world = protectedAuth(flows(always, always))
    await importMaya(world)
    const created = await createFlow(world.auth, {
      type: 'login',
      name: 'default',
      batch_input: [{ ...identify, ...human }, authenticate],
    })
    expect(stateOf(created).action.type).toBe('finished')
  })

  it('does not ask again if the rest of the input was wrong', async () => {
    const world = protectedAuth(flows(never, always))
    await importMaya(world)
    const flow = await startFlow(world, 'login')
    stateOf(await flow.input(identify))
    const wrong = await flow.input({ ...authenticate, password: 'wrong', ...human })
    expect(errorOf(wrong).reason).toBe('InvalidCredentials')
    // The answer to the failed input reflects it at once.
    expect(wrong.result && testState(wrong.result).action.data.options).not.toMatchObject([shown])
    stateOf(await flow.input(authenticate))
    expect(world.shown).toHaveLength(1)
  })

  it('does not ask again in older states and their other branches', async () => {
    const world = protectedAuth(flows(always, always))
    await importMaya(world)
    const flow = await startFlow(world, 'login')
    const beginning = flow.token
    stateOf(await flow.input({ ...identify, ...human }))
    const read = await getFlowState(world.auth, { state_token: beginning })
    expect(stateOf(read).action.data.options).toEqual([{ identification: 'email' }])
    stateOf(await flow.input(identify, beginning))
  })

  it('asks again in another flow', async () => {
    const world = protectedAuth(flows(always, never))
    await importMaya(world)
    for (let count = 0; count < 2; count++) {
      const flow = await startFlow(world, 'login')
      expect(errorOf(await flow.input(identify)).reason).toBe('ValidationFailed')
      stateOf(await flow.input({ ...identify, ...human }))
    }
    expect(world.shown).toHaveLength(2)
  })

  it('does not ask again in the flow it turns into; the branch to that flow asks for its protection', async () => {
    for (const isKnown of [true, false]) {
      const world = protectedAuth(flows(always, always))
      if (isKnown) await importMaya(world)
      const flow = await startFlow(world, 'signup_login')
      // The branch itself says never, and leads to some that say always.
      expect(stateOf(flow.last).action.data.options).toEqual([
        { identification: 'email', ...shown },
      ])
      expect(errorOf(await flow.input(identify)).reason).toBe('ValidationFailed')
      const next = stateOf(await flow.input({ ...identify, ...human }))
      expect(next.type).toBe(isKnown ? 'login' : 'signup')
      expect(next.action.data.options).not.toMatchObject([shown])
    }
  })

  it('leaves no record when it ends', async () => {
    const world = protectedAuth(flows(always, never))
    await importMaya(world)
    const flow = await startFlow(world, 'login')
    await flow.input({ ...identify, ...human })
    const count = async () =>
      (await world.storage.find(flowMemoryCollection, { by: 'id', limit: 10 })).length
    expect(await count()).toBe(1)
    world.clock.advance(20 * 60_000)
    expect(await count()).toBe(0)
  })
})

describe('a hook', () => {
  it('can demand bot protection from its point on', async () => {
    const world = protectedAuth(flows(never, never), {
      'authentication.post_identified': { bot_protection: { mode: 'always' } },
    })
    await importMaya(world)
    const flow = await startFlow(world, 'login')
    expect(stateOf(flow.last).action.data.options).toEqual([{ identification: 'email' }])
    const next = stateOf(await flow.input(identify))
    expect(next.action.data.options).toMatchObject([shown])
    expect(errorOf(await flow.input(authenticate)).reason).toBe('ValidationFailed')
    stateOf(await flow.input({ ...authenticate, ...human }))
  })

  it('can demand it of every step, also after the flow has passed it', async () => {
    const world = protectedAuth(flows(never, never), {
      'authentication.pre_initialize': { bot_protection: { mode: 'always' } },
    })
    await importMaya(world)
    const flow = await startFlow(world, 'login')
    expect(stateOf(flow.last).action.data.options).toMatchObject([shown])
    const next = stateOf(await flow.input({ ...identify, ...human }))
    expect(next.action.data.options).toMatchObject([shown])
    expect(errorOf(await flow.input(authenticate)).reason).toBe('ValidationFailed')
    expect(errorOf(await flow.input({ ...authenticate, ...machine })).reason).toBe(
      'BotProtectionVerificationFailed',
    )
    const other = { bot_protection: { type: 'cloudflare', response: 'a person again' } }
    expect(stateOf(await flow.input({ ...authenticate, ...other })).action.type).toBe('finished')
    expect(world.shown).toHaveLength(3)
  })

  it('is content with one response in one input for several steps', async () => {
    const world = protectedAuth(flows(never, never), {
      'authentication.pre_initialize': { bot_protection: { mode: 'always' } },
    })
    await importMaya(world)
    const flow = await startFlow(world, 'login')
    const done = await flow.input({ ...identify, ...authenticate, ...human })
    expect(stateOf(done).action.type).toBe('finished')
    expect(world.shown).toHaveLength(1)
  })

  it('takes effect before the same input goes on', async () => {
    const world = protectedAuth(flows(never, never), {
      'authentication.post_identified': { bot_protection: { mode: 'always' } },
    })
    await importMaya(world)
    const flow = await startFlow(world, 'login')
    const next = stateOf(await flow.input({ ...identify, ...authenticate }))
    expect(next.action.type).toBe('authenticate')
  })

  it('can waive bot protection, and the later hook counts', async () => {
    const world = protectedAuth(flows(always, always), {
      'authentication.pre_initialize': { bot_protection: { mode: 'never' } },
      'authentication.post_identified': { bot_protection: { mode: 'always' } },
    })
    await importMaya(world)
    const flow = await startFlow(world, 'login')
    const next = stateOf(await flow.input(identify))
    expect(next.action.data.options).toMatchObject([shown])
  })

  it('gets an error if it demands bot protection that is not enabled', async () => {
    const world = hookedAuth({
      'authentication.pre_initialize': { bot_protection: { mode: 'always' } },
    })
    const refused = await createFlow(world.auth, { type: 'login', name: 'default' })
    expect(errorOf(refused)).toMatchObject({ code: 500, reason: 'HookInvalidResponse' })
  })
})

describe('a service', () => {
  const options = (given: { botVerifier?: BotVerifier }) => {
    const { auth } = testAuth()
    return {
      storage: auth.storage,
      config: { id: 'test', http: { public_origin: 'https://auth.example.com' }, bot_protection },
      secrets: [{ id: 'k1', key: 'test key of at least thirty-two bytes' }],
      ...given,
    }
  }
  const verify = async () => 'passed' as const

  it('with bot protection needs a verifier', () => {
    expect(() => createAuth(options({}))).toThrow(/^options.botVerifier: expected a BotVerifier/)
    expect(() => createAuth(options({ botVerifier: { type: 'recaptchav2', verify } }))).toThrow(
      'botVerifier: expected one for bot_protection.provider.type "cloudflare", got one for "recaptchav2"',
    )
    createAuth(options({ botVerifier: { verify } }))
  })

  it('refuses a new configuration with bot protection without a verifier', () => {
    const { auth } = testAuth()
    const { config } = options({})
    expect(() => updateAuthConfig(auth, config)).toThrow(
      expect.objectContaining({ reason: 'InvalidInput' }),
    )
    expect(auth.config.current.bot_protection.enabled).toBe(false)
  })
})

it('accepts two concurrent inputs with one response', async () => {
  const world = protectedAuth(flows(always, never))
  await importMaya(world)
  const { token } = await startFlow(world, 'login')
  const input = { ...identify, ...human }
  const results = await Promise.all(
    [1, 2].map(() => advanceFlow(world.auth, { state_token: token, input })),
  )
  for (const result of results) expect(stateOf(result).action.type).toBe('authenticate')
})
