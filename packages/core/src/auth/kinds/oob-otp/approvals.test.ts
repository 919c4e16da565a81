import { describe, expect, it } from 'vitest'
import type { FlowType } from '../../config/flow-definition.ts'
import type { FlowInput } from '../../flow/view.ts'
import { advanceFlow } from '../../flows/advance-flow.ts'
import { approveLink } from '../../flows/approve-link.ts'
import { getFlowState } from '../../flows/get-flow-state.ts'
import { importUsers } from '../../people/import-users.ts'
import { listUsers } from '../../people/list-users.ts'
import {
  type ConfigDelta,
  errorOf,
  startFlow,
  stateOf,
  type TestAuth,
  type TestFlow,
  testAuth,
} from '../../service.fixture.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const identify = { identification: 'email', login_id: email }
const byLink = { oob_otp: { email: { email_otp_mode: 'login_link' } } }
const verifiedByLink = { claims: { email: { otp_form: 'link' } } }

/** A way to come to the prompt of a link, for anybody who knows the address (and the password). */
interface Way {
  readonly name: string
  readonly config: ConfigDelta
  readonly type: FlowType
  readonly inputs: readonly FlowInput[]
  /** Whether Maya has an account. */
  readonly isKnown: boolean
}

const passwordFirst = {
  name: 'password_first',
  steps: [
    { name: 'who', type: 'identify', one_of: [{ identification: 'email' }] },
    { type: 'create_authenticator', one_of: [{ authentication: 'primary_password' }] },
    { type: 'verify', target_step: 'who' },
  ],
}

const ways: readonly Way[] = [
  {
    name: 'the first factor of a login',
    config: {
      authentication: {
        primary_authenticators: ['oob_otp_email'],
        secondary_authentication_mode: 'disabled',
      },
      authenticator: byLink,
    },
    type: 'login',
    inputs: [identify, { authentication: 'primary_oob_otp_email', index: 0 }],
    isKnown: true,
  },
  {
    name: 'the second factor of a login',
    config: {
      authentication: {
        secondary_authentication_mode: 'required',
        secondary_authenticators: ['oob_otp_email'],
      },
      authenticator: byLink,
    },
    type: 'login',
    inputs: [
      identify,
      { authentication: 'primary_password', password },
      { authentication: 'secondary_oob_otp_email', index: 0 },
    ],
    isKnown: true,
  },
  {
    name: 'a sign-up that verifies the address first',
    config: { verification: verifiedByLink },
    type: 'signup',
    inputs: [identify],
    isKnown: false,
  },
  {
    name: 'a sign-up that sets the password first',
    config: {
      verification: verifiedByLink,
      authentication_flow: { signup_flows: [passwordFirst] },
    },
    type: 'signup',
    inputs: [identify, { authentication: 'primary_password', new_password: password }],
    isKnown: false,
  },
]

async function createWorld(
  { config, isKnown }: Way,
  options: Parameters<typeof testAuth>[1] = {},
): Promise<TestAuth> {
  const world = testAuth(config, options)
  if (!isKnown) return world
  const hash = await world.auth.hasher.hash(password)
  const secondary = 'secondary_authenticators' in Object(config.authentication)
  const mfa = secondary ? { mfa: { email } } : {}
  const [made] = await importUsers(world.auth, [
    { email, email_verified: true, password: { type: 'scrypt', password_hash: hash }, ...mfa },
  ])
  expect(made?.outcome).toBe('inserted')
  return world
}

/** A flow that waits for a link, or for nothing, since it got none. */
async function wait(world: TestAuth, { type, inputs, config }: Way): Promise<TestFlow> {
  const isDeclared = config.authentication_flow !== undefined
  const flow = await startFlow(world, type, {}, isDeclared ? 'password_first' : 'default')
  for (const input of inputs) stateOf(await flow.input(input))
  return flow
}

async function canCheck({ auth }: TestAuth, { token }: TestFlow): Promise<unknown> {
  return stateOf(await getFlowState(auth, { state_token: token })).action.data.can_check
}

/** Whether the approval finishes the step that the flow waits at. */
const goesOn = async (flow: TestFlow): Promise<boolean> => (await flow.input({ check: true })).ok

const channelOf = ({ last }: TestFlow): string =>
  new URL(String(stateOf(last).action.data.websocket_url)).searchParams.get('channel') ?? ''

/** Counts how often the listener of a flow is notified. */
function listen({ auth, clock }: TestAuth, flow: TestFlow): { count: number } {
  const heard = { count: 0 }
  const listener = { refresh: () => heard.count++, ping() {}, end() {} }
  const place = { channel: channelOf(flow), address: '192.0.2.9', until: clock.now() + 600_000 }
  auth.listeners.add(listener, place)
  return heard
}

describe.each(ways)('the link of $name', (way) => {
  it('approves nothing but the flow that it was sent for', async () => {
    const world = await createWorld(way)
    const victim = await wait(world, way)
    const stranger = await wait(world, way)
    const [hers, his] = [listen(world, victim), listen(world, stranger)]
    expect(world.outbox.messages).toHaveLength(1)
    await approveLink(world.auth, world.codeTo(email))
    await world.auth.listeners.look()
    expect([hers.count, his.count]).toEqual([1, 0])
    expect(await canCheck(world, stranger)).toBe(false)
    expect(await goesOn(stranger)).toBe(false)
    expect(await canCheck(world, victim)).toBe(true)
    expect(await goesOn(victim)).toBe(true)
  })

  it('is not approved by that of a flow that asks after the cooldown, and stays good', async () => {
    const world = await createWorld(way)
    const victim = await wait(world, way)
    const first = world.codeTo(email)
    world.clock.advance(61_000)
    const stranger = await wait(world, way)
    expect(world.outbox.messages).toHaveLength(2)
    await approveLink(world.auth, first)
    expect(await goesOn(stranger)).toBe(false)
    expect(await goesOn(victim)).toBe(true)
  })

  it('comes to a flow that was too early when it asks again', async () => {
    const world = await createWorld(way)
    await wait(world, way)
    const second = await wait(world, way)
    expect(errorOf(await second.input({ resend: true })).reason).toBe('RateLimited')
    world.clock.advance(61_000)
    stateOf(await second.input({ resend: true }))
    expect(world.outbox.messages).toHaveLength(2)
    await approveLink(world.auth, world.codeTo(email))
    expect(await goesOn(second)).toBe(true)
  })

  it('stays approved if what it allows is refused, and is used up by what it did', async () => {
    const refused = new Set(['user.pre_create', 'authentication.pre_authenticated'])
    let isClosed = true
    const hook = async ({ type }: { readonly type: string }) => ({
      is_allowed: !(isClosed && refused.has(type)),
    })
    const world = await createWorld(way, { hook })
    const flow = await wait(world, way)
    await approveLink(world.auth, world.codeTo(email))
    const before = flow.token
    const first = await flow.input({ check: true })
    // With a further step, only the state was stored, and the approval is spent with that.
    if (!first.ok) {
      expect(errorOf(first).reason).toBe('HookDisallowed')
      expect(await canCheck(world, flow)).toBe(true)
      isClosed = false
      expect(await goesOn(flow)).toBe(true)
    }
    const again = await advanceFlow(world.auth, { state_token: before, input: { check: true } })
    expect(again.ok).toBe(false)
  })

  it('lets one of several requests at the same time go on', async () => {
    const world = await createWorld(way)
    const flow = await wait(world, way)
    await approveLink(world.auth, world.codeTo(email))
    const check = () => advanceFlow(world.auth, { state_token: flow.token, input: { check: true } })
    const answers = await Promise.all([check(), check(), check()])
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    for (const answer of answers) {
      if (!answer.ok)
        expect(answer.error.reason).toMatch(
          /^(?:InvalidCredentials|InvalidVerificationCode|AuthenticationFlowNotFound)$/,
        )
    }
  })

  it('says so once a newer one was sent to the same flow', async () => {
    const world = await createWorld(way)
    const flow = await wait(world, way)
    const first = world.codeTo(email)
    world.clock.advance(61_000)
    stateOf(await flow.input({ resend: true }))
    await expect(approveLink(world.auth, first)).rejects.toMatchObject({
      reason: 'InvalidOTPCode',
      info: { cause: { kind: 'CodeNotFound', is_replaced: true } },
    })
    expect(await canCheck(world, flow)).toBe(false)
    await approveLink(world.auth, world.codeTo(email))
    expect(await goesOn(flow)).toBe(true)
  })

  it('is shared by the states of its flow, and by processes', async () => {
    const world = await createWorld(way)
    const flow = await wait(world, way)
    const { token } = flow
    const other = testAuth(way.config, { storage: world.storage, clock: world.clock })
    await approveLink(other.auth, world.codeTo(email))
    const read = await getFlowState(other.auth, { state_token: token })
    expect(stateOf(read).action.data.can_check).toBe(true)
    expect((await flow.input({ check: true }, token)).ok).toBe(true)
    expect((await flow.input({ check: true }, token)).ok).toBe(false)
  })
})

it('a stranger who waits with her does not set the password of a new account', async () => {
  const way = ways.find(({ name }) => name.includes('password first'))
  if (way === undefined) throw new TypeError('there is no such way')
  const world = await createWorld(way)
  const stranger = await startFlow(world, 'signup', {}, 'password_first')
  const victim = await wait(world, way)
  const theirs = { authentication: 'primary_password', new_password: 'mine-mine-42' }
  await stranger.input(identify)
  await stranger.input(theirs)
  await approveLink(world.auth, world.codeTo(email))
  expect(await goesOn(stranger)).toBe(false)
  expect(await goesOn(victim)).toBe(true)
  const { items: users } = await listUsers(world.auth)
  expect(users).toHaveLength(1)
})

it('a code that is typed stays good in every flow of its address, and for its account alone', async () => {
  const config = {
    identity: { login_id: { keys: [{ type: 'username' }] } },
    authentication: {
      secondary_authentication_mode: 'required',
      secondary_authenticators: ['oob_otp_email'],
    },
  }
  const world = testAuth(config)
  const hash = await world.auth.hasher.hash(password)
  const shared = { password: { type: 'scrypt', password_hash: hash }, mfa: { email } } as const
  await importUsers(world.auth, [
    { preferred_username: 'maya', ...shared },
    { preferred_username: 'lena', ...shared },
  ])
  const login = async (login_id: string): Promise<TestFlow> => {
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'username', login_id })
    await flow.input({ authentication: 'primary_password', password })
    stateOf(await flow.input({ authentication: 'secondary_oob_otp_email', index: 0 }))
    return flow
  }
  await login('maya')
  const [tab, other] = [await login('maya'), await login('lena')]
  const code = world.codeTo(email)
  expect(errorOf(await other.input({ code })).reason).toBe('InvalidCredentials')
  expect(stateOf(await tab.input({ code })).action.type).toBe('finished')
})
