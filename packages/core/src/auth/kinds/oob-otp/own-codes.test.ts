import { describe, expect, it } from 'vitest'
import type { FlowInput } from '../../flow/view.ts'
import { advanceFlow } from '../../flows/advance-flow.ts'
import { getFlowState } from '../../flows/get-flow-state.ts'
import { askForCode, byCode, email, mayasHouse } from '../../maya.fixture.ts'
import { importUsers } from '../../people/import-users.ts'
import {
  errorOf,
  startFlow,
  stateOf,
  type TestAuth,
  type TestFlow,
  testAuth,
} from '../../service.fixture.ts'
import { createSession } from '../../sessions/create-session.ts'

/** Another stranger each time. */
const stranger = (number: number) => ({ ip: `10.0.${number}.1` })
const wrong: FlowInput = { code: '000000' }

/** Whether a right code finishes a flow. */
const goesOn = async (flow: TestFlow, code: string): Promise<boolean> =>
  (await flow.input({ code })).ok

describe('a code in the flow that it was sent for', () => {
  it('is accepted whatever strangers have tried in flows of their own', async () => {
    const world = await mayasHouse(byCode)
    for (let round = 0; round < 30; round++) {
      const flow = await askForCode(world, 'login')
      const other = await askForCode(world, 'login', stranger(round))
      for (let i = 0; i < 11; i++) await other.input(wrong)
      expect(errorOf(await other.input(wrong)).reason).toBe('RateLimited')
      expect(await goesOn(flow, world.codeTo(email))).toBe(true)
      world.clock.advance(61_000)
    }
  })

  it('is accepted after strangers were sent codes too, and have tried them', async () => {
    const world = await mayasHouse(byCode)
    for (let round = 0; round < 20; round++) {
      const other = await askForCode(world, 'login', stranger(round))
      for (let i = 0; i < 11; i++) await other.input(wrong)
      world.clock.advance(61_000)
    }
    const flow = await askForCode(world, 'login')
    expect(await goesOn(flow, world.codeTo(email))).toBe(true)
  })

  it.each(['login', 'account_recovery'] as const)(
    'is accepted after strangers were sent newer ones: %s',
    async (type) => {
      const world = await mayasHouse(byCode)
      const flow = await askForCode(world, type)
      const code = world.codeTo(email)
      for (let round = 0; round < 4; round++) {
        world.clock.advance(61_000)
        await askForCode(world, type, stranger(round))
      }
      expect(world.outbox.messages).toHaveLength(5)
      expect(world.codeTo(email)).not.toBe(code)
      const name = type === 'login' ? 'code' : 'account_recovery_code'
      const late = await askForCode(world, type, stranger(9))
      expect((await late.input({ [name]: code })).ok).toBe(false)
      expect((await flow.input({ [name]: code })).ok).toBe(true)
    },
  )

  it('stays shown as sent when the message of a stranger fails', async () => {
    const world = await mayasHouse(byCode)
    const flow = await askForCode(world, 'login')
    world.clock.advance(61_000)
    world.outbox.failNext(new Error('the mail server is down'))
    await askForCode(world, 'login', stranger(1))
    const read = stateOf(await getFlowState(world.auth, { state_token: flow.token }))
    expect(read.action.data.delivery_status).toBe('sent')
    expect(await goesOn(flow, world.codeTo(email))).toBe(true)
  })

  it('is replaced by a newer one of the same flow', async () => {
    const world = await mayasHouse(byCode)
    const flow = await askForCode(world, 'login')
    const first = world.codeTo(email)
    world.clock.advance(61_000)
    stateOf(await flow.input({ resend: true }))
    expect(await goesOn(flow, first)).toBe(false)
    expect(await goesOn(flow, world.codeTo(email))).toBe(true)
  })

  it('is accepted although strangers have locked the account, once', async () => {
    const lockout = {
      max_attempts: 3,
      history_duration: '1h',
      minimum_duration: '10m',
      maximum_duration: '1h',
      lockout_type: 'per_user',
    }
    const authentication = { ...Object(byCode.authentication), lockout }
    const world = await mayasHouse({ ...byCode, authentication })
    const flow = await askForCode(world, 'login')
    const second = await askForCode(world, 'login', stranger(1))
    for (let i = 0; i < 3; i++) await second.input(wrong)
    expect(errorOf(await second.input({ code: world.codeTo(email) })).reason).toBe('AccountLockout')
    expect(await goesOn(flow, world.codeTo(email))).toBe(true)
    world.clock.advance(61_000)
    const late = await askForCode(world, 'login', stranger(1))
    expect(errorOf(await late.input(wrong)).reason).toBe('AccountLockout')
    expect(errorOf(await late.input({ code: world.codeTo(email) })).reason).toBe('AccountLockout')
  })

  it('has one first try, also if many come at once', async () => {
    const limits = {
      oob_otp: { email: { validate_per_user: { enabled: true, period: '24h', burst: 1 } } },
    }
    const authentication = { ...Object(byCode.authentication), rate_limits: limits }
    const world = await mayasHouse({ ...byCode, authentication })
    const flow = await askForCode(world, 'login')
    const results = await Promise.all(Array.from({ length: 9 }, () => flow.input(wrong)))
    const compared = results.filter((one) => errorOf(one).reason === 'InvalidCredentials')
    // The first try, and the only attempt of the account.
    expect(compared).toHaveLength(2)
  })

  it('is revoked by wrong codes in that flow', async () => {
    const world = await mayasHouse(byCode)
    const flow = await askForCode(world, 'login')
    for (let i = 0; i < 10; i++) await flow.input(wrong)
    expect(errorOf(await flow.input({ code: world.codeTo(email) })).reason).toBe('RateLimited')
  })
})

describe('the link of a recovery', () => {
  /** Opens the link of a recovery in another browser. */
  const open = async ({ auth }: TestAuth, code: string): Promise<boolean> =>
    (await advanceFlow(auth, { input: { account_recovery_code: code } })).ok

  it('is good whatever strangers have tried, and after they were sent newer ones', async () => {
    const world = await mayasHouse()
    await askForCode(world, 'account_recovery')
    const code = world.codeTo(email)
    for (let round = 0; round < 5; round++) {
      world.clock.advance(61_000)
      const other = await askForCode(world, 'account_recovery', stranger(round))
      for (let i = 0; i < 15; i++) await other.input({ account_recovery_code: 'x'.repeat(32) })
    }
    expect(await open(world, code)).toBe(true)
  })

  it('is dead once another one was used', async () => {
    const world = await mayasHouse()
    await askForCode(world, 'account_recovery')
    const first = world.codeTo(email)
    world.clock.advance(61_000)
    const flow = await askForCode(world, 'account_recovery')
    stateOf(await flow.input({ account_recovery_code: world.codeTo(email) }))
    stateOf(await flow.input({ new_password: 'copper-meadow-7' }))
    expect(await open(world, first)).toBe(false)
  })
})

describe('a browser that is known to the user', () => {
  const twoADay = {
    messaging: { rate_limits: { email_per_target: { enabled: true, period: '24h', burst: 2 } } },
  }

  it.each(['login', 'account_recovery'] as const)(
    'is sent codes although strangers use up the cooldown and the messages: %s',
    async (type) => {
      const world = await mayasHouse({ ...byCode, ...twoADay })
      const { token } = await createSession(world.auth, world.id)
      const known = { cookie: `session=${token}` }
      const sent = (): number => world.outbox.messages.length
      await askForCode(world, type, stranger(1))
      const flow = await askForCode(world, type, known)
      expect(sent()).toBe(2)
      world.clock.advance(61_000)
      await askForCode(world, type, stranger(2))
      expect(sent()).toBe(3)
      stateOf(await flow.input({ resend: true }))
      await Promise.all(world.auth.sending)
      expect(sent()).toBe(4)
      const name = type === 'login' ? 'code' : 'account_recovery_code'
      expect((await flow.input({ [name]: world.codeTo(email) })).ok).toBe(true)
    },
  )

  it('waits for its own cooldown, shows it, and sends no more for being several', async () => {
    const world = await mayasHouse({ ...byCode, ...twoADay })
    const cookies = await Promise.all(
      [1, 2, 3].map(async () => `session=${(await createSession(world.auth, world.id)).token}`),
    )
    await askForCode(world, 'login', stranger(1))
    for (const cookie of cookies) await askForCode(world, 'login', { cookie })
    expect(world.outbox.messages).toHaveLength(2)
    const [cookie = ''] = cookies
    const late = await askForCode(world, 'login', { cookie })
    const { can_resend_at: at } = stateOf(late.last).action.data
    expect(Date.parse(String(at))).toBe(world.clock.now() + 60_000)
    expect(errorOf(await late.input({ resend: true })).reason).toBe('RateLimited')
    for (let i = 0; i < 9; i++, world.clock.advance(61_000)) {
      await askForCode(world, 'login', { cookie: cookies[i % 3] ?? '' })
    }
    expect(world.outbox.messages).toHaveLength(4)
  })

  it('of somebody else is a stranger', async () => {
    const world = await mayasHouse(byCode)
    const { token } = await createSession(world.auth, world.id)
    await askForCode(world, 'login', stranger(1))
    const cookie = `session=${token.slice(0, -1)}`
    await askForCode(world, 'login', { cookie })
    expect(world.outbox.messages).toHaveLength(1)
  })
})

describe('a flow within the cooldown', () => {
  const read = async (world: TestAuth, flow: TestFlow) =>
    stateOf(await getFlowState(world.auth, { state_token: flow.token })).action.data

  it.each(['login', 'account_recovery'] as const)(
    'says that it was sent nothing, until it is: %s',
    async (type) => {
      const world = await mayasHouse(byCode)
      const first = await askForCode(world, type)
      const second = await askForCode(world, type)
      expect(await read(world, first)).not.toHaveProperty('is_unsent')
      expect((await read(world, second)).is_unsent).toBe(true)
      world.clock.advance(61_000)
      stateOf(await second.input({ resend: true }))
      expect(await read(world, second)).not.toHaveProperty('is_unsent')
      expect(await read(world, first)).not.toHaveProperty('is_unsent')
    },
  )

  it('says the same for an address that nobody has', async () => {
    const authentication = { ...Object(byCode.authentication), enumeration_protection: 'login' }
    const world = await mayasHouse({ ...byCode, authentication })
    const shown = []
    for (const login of [email, 'nobody@harborlight.example']) {
      for (let round = 0; round < 2; round++) {
        const flow = await askForCode(world, 'login', {}, login)
        shown.push((await read(world, flow)).is_unsent)
      }
    }
    expect(shown).toEqual([undefined, true, undefined, true])
  })

  it('says so of an address that was corrected, and of a code that was used', async () => {
    const world = testAuth()
    const flow = await startFlow(world, 'signup')
    const { token } = flow
    const named = (login_id: string) => ({ identification: 'email', login_id })
    await flow.input(named('typo@harborlight.example'), token)
    await flow.input(named(email), token)
    expect((await read(world, flow)).is_unsent).toBe(true)
    world.clock.advance(61_000)
    await flow.input(named(email), token)
    expect(await read(world, flow)).not.toHaveProperty('is_unsent')
    await flow.input({ code: world.codeTo(email) })
    await flow.input(named(email), token)
    expect((await read(world, flow)).is_unsent).toBe(true)
  })

  it('says so of a link, which is good in its own flow alone', async () => {
    const byLink = { authenticator: { oob_otp: { email: { email_otp_mode: 'login_link' } } } }
    const world = await mayasHouse({ ...byCode, ...byLink })
    await askForCode(world, 'login')
    const second = await askForCode(world, 'login')
    expect(await read(world, second)).toMatchObject({ otp_form: 'link', is_unsent: true })
  })
})

it('a code of the second factor is sent right after that of the first one, to another address', async () => {
  const second = 'maya@lighthouse.example'
  const world = testAuth({
    authentication: {
      primary_authenticators: ['oob_otp_email'],
      secondary_authenticators: ['oob_otp_email'],
      secondary_authentication_mode: 'required',
    },
  })
  await importUsers(world.auth, [{ email, email_verified: true, mfa: { email: second } }])
  const flow = await startFlow(world, 'login')
  stateOf(await flow.input({ identification: 'email', login_id: email }))
  stateOf(await flow.input({ authentication: 'primary_oob_otp_email', index: 0 }))
  stateOf(await flow.input({ code: world.codeTo(email) }))
  const asked = stateOf(await flow.input({ authentication: 'secondary_oob_otp_email', index: 0 }))
  expect(asked.action.data).not.toHaveProperty('is_unsent')
  expect(errorOf(await flow.input({ resend: true })).reason).toBe('RateLimited')
  expect(stateOf(await flow.input({ code: world.codeTo(second) })).action.type).toBe('finished')
})
