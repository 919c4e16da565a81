import { describe, expect, it } from 'vitest'
import type { FlowType } from '../../config/flow-definition.ts'
import type { FlowInput } from '../../flow/view.ts'
import { advanceFlow } from '../../flows/advance-flow.ts'
import { approveLink } from '../../flows/approve-link.ts'
import { getFlowState } from '../../flows/get-flow-state.ts'
import { createUser } from '../../people/create-user.ts'
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
const nobody = 'nina@harborlight.example'
const password = 'tidal-lantern-42'
const twoADay = {
  messaging: { rate_limits: { email_per_target: { enabled: true, period: '24h', burst: 2 } } },
}

/** A way to a code or link that is sent again. */
interface Way {
  readonly name: string
  readonly config: ConfigDelta
  readonly type: FlowType
  readonly inputs: readonly FlowInput[]
  /** Whether the answer may depend on whether a message was sent. */
  readonly isHidden: boolean
  /** Uses the code, or the code of the link. */
  use(flow: TestFlow, world: TestAuth, code: string): Promise<boolean>
}

const byCode = {
  primary_authenticators: ['oob_otp_email'],
  secondary_authentication_mode: 'disabled',
}
const byLink = { oob_otp: { email: { email_otp_mode: 'login_link' } } }
const choice = { authentication: 'primary_oob_otp_email', index: 0 }

const typed: Way['use'] = async (flow, _world, code) => (await flow.input({ code })).ok
const approved: Way['use'] = async (flow, { auth }, code) => {
  const isGood = await approveLink(auth, code).then(
    () => true,
    () => false,
  )
  return isGood && (await flow.input({ check: true })).ok
}
const recovered: Way['use'] = async (flow, _world, code) =>
  (await flow.input({ account_recovery_code: code })).ok

const ways: readonly Way[] = [
  {
    name: 'a code for a login',
    config: { authentication: byCode },
    type: 'login',
    inputs: [choice],
    isHidden: false,
    use: typed,
  },
  {
    name: 'a code for a login that reveals nobody',
    config: { authentication: { ...byCode, enumeration_protection: 'login' } },
    type: 'login',
    inputs: [choice],
    isHidden: true,
    use: typed,
  },
  {
    name: 'a link for a login',
    config: { authentication: byCode, authenticator: byLink },
    type: 'login',
    inputs: [choice],
    isHidden: false,
    use: approved,
  },
  {
    name: 'a code for a sign-up',
    config: {},
    type: 'signup',
    inputs: [],
    isHidden: false,
    use: typed,
  },
  {
    name: 'a link for a recovery',
    config: {},
    type: 'account_recovery',
    inputs: [{ index: 0 }],
    isHidden: true,
    use: recovered,
  },
  {
    name: 'a code for a recovery',
    config: { ui: { forgot_password: { email: [{ channel: 'email', otp_form: 'code' }] } } },
    type: 'account_recovery',
    inputs: [{ index: 0 }],
    isHidden: true,
    use: recovered,
  },
]

async function begin(world: TestAuth, { type, inputs }: Way, login_id = email): Promise<TestFlow> {
  const flow = await startFlow(world, type)
  for (const input of [{ identification: 'email', login_id }, ...inputs]) {
    stateOf(await flow.input(input))
  }
  await Promise.all(world.auth.sending)
  return flow
}

async function createWorld(way: Way, delta: ConfigDelta = {}): Promise<TestAuth> {
  const world = testAuth({ ...way.config, ...delta })
  if (way.type !== 'signup') await createUser(world.auth, { email, password })
  return world
}

/** Asks for the code again, a minute later. */
async function resend(world: TestAuth, flow: TestFlow) {
  world.clock.advance(61_000)
  const result = await flow.input({ resend: true })
  await Promise.all(world.auth.sending)
  return result
}

/** Another process, whose messages wait for `leave`. `reached` resolves when one does. */
function slowProcess({ storage, clock, outbox }: TestAuth, { config }: Way) {
  let leave = (): void => {}
  let reach = (): void => {}
  const left = new Promise<void>((resolve) => {
    leave = resolve
  })
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const sendEmail: typeof outbox.senders.sendEmail = async (message) => {
    reach()
    await left
    await outbox.senders.sendEmail(message)
  }
  return { process: testAuth(config, { storage, clock, senders: { sendEmail } }), reached, leave }
}

describe.each(ways)('$name', (way) => {
  it('stays good when the limit of messages refuses another one, which costs no cooldown', async () => {
    const world = await createWorld(way, twoADay)
    const flow = await begin(world, way)
    stateOf(await resend(world, flow))
    const limited = { reason: 'RateLimited', info: { bucket_name: 'MessagingEmailPerTarget' } }
    expect(errorOf(await resend(world, flow))).toMatchObject(limited)
    expect(errorOf(await flow.input({ resend: true }))).toMatchObject(limited)
    expect(world.outbox.messages).toHaveLength(2)
    expect(await way.use(flow, world, world.codeTo(email))).toBe(true)
  })

  it('stays good when a stranger asks until the limit is reached', async () => {
    const world = await createWorld(way, twoADay)
    const flow = await begin(world, way)
    stateOf(await resend(world, flow))
    world.clock.advance(61_000)
    const stranger = await startFlow(world, way.type)
    const inputs = [{ identification: 'email', login_id: email }, ...way.inputs]
    const results = []
    for (const input of inputs) results.push(await stranger.input(input))
    expect(results.at(-1)).toMatchObject({ ok: false, error: { reason: 'RateLimited' } })
    expect(await way.use(flow, world, world.codeTo(email))).toBe(true)
  })

  it('stays good when the message of another one cannot be sent', async () => {
    const world = await createWorld(way)
    const flow = await begin(world, way)
    world.outbox.failNext(new Error('the mail server is down'))
    const result = await resend(world, flow)
    expect(result.ok).toBe(way.isHidden)
    if (!way.isHidden) {
      expect(errorOf(result).reason).toBe('OTPDeliveryUnexpectedError')
      const read = stateOf(await getFlowState(world.auth, { state_token: flow.token }))
      expect(read.action.data.delivery_status).toBe('failed')
    }
    expect(world.outbox.messages).toHaveLength(1)
    expect(await way.use(flow, world, world.codeTo(email))).toBe(true)
  })

  it('is good while the message of the next one is under way, and no more once it has left', async () => {
    for (const isEarly of [true, false]) {
      const world = await createWorld(way)
      const flow = await begin(world, way)
      const first = world.codeTo(email)
      const { process, reached, leave } = slowProcess(world, way)
      world.clock.advance(61_000)
      const params = { state_token: flow.token, input: { resend: true } }
      const resending = advanceFlow(process.auth, params)
      await reached
      if (isEarly) expect(await way.use(flow, world, first)).toBe(true)
      leave()
      stateOf(await resending)
      await Promise.all(process.auth.sending)
      if (isEarly) continue
      expect(await way.use(flow, world, first)).toBe(false)
      expect(await way.use(flow, world, world.codeTo(email))).toBe(true)
    }
  })
})

describe('a recovery', () => {
  const way = ways.find(({ type }) => type === 'account_recovery')

  it.each([email, nobody])('is refused above the limit of messages for %s', async (address) => {
    if (way === undefined) throw new TypeError('there is no such way')
    const world = await createWorld(way, twoADay)
    const flow = await begin(world, way, address)
    stateOf(await resend(world, flow))
    expect(errorOf(await resend(world, flow))).toMatchObject({
      code: 429,
      info: { bucket_name: 'MessagingEmailPerTarget' },
    })
  })

  it.each([email, nobody])('is refused without a sender for %s', async (address) => {
    if (way === undefined) throw new TypeError('there is no such way')
    const world = testAuth(
      { ui: { forgot_password: { phone: [{ channel: 'sms', otp_form: 'code' }] } } },
      { senders: {} },
    )
    await createUser(world.auth, { email, password })
    const flow = await startFlow(world, 'account_recovery')
    stateOf(await flow.input({ identification: 'email', login_id: address }))
    expect(errorOf(await flow.input({ index: 0 })).reason).toBe('OTPDeliveryUnexpectedError')
  })
})

it('a message that fails costs the address of the client, and neither the account nor its address', async () => {
  const world = testAuth({ ...twoADay, authentication: byCode })
  await createUser(world.auth, { email, password })
  const flow = await startFlow(world, 'login')
  await flow.input({ identification: 'email', login_id: email })
  for (let times = 0; times < 5; times++) {
    world.outbox.failNext(new Error('the mail server is down'))
    expect(errorOf(await flow.input(choice)).reason).toBe('OTPDeliveryUnexpectedError')
  }
  stateOf(await flow.input(choice))
  expect(stateOf(await flow.input({ code: world.codeTo(email) })).action.type).toBe('finished')
})
