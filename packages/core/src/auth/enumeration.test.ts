import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import type { Storage } from '../storage/storage.ts'
import { createManualClock } from '../testing/manual-clock.ts'
import type { FlowType } from './config/flow-definition.ts'
import type { FlowInput } from './flow/view.ts'
import type { FlowResult } from './flows/flow-result.ts'
import { getFlowState } from './flows/get-flow-state.ts'
import { createUser } from './people/create-user.ts'
import {
  type ConfigDelta,
  errorOf,
  startFlow,
  startOfTests,
  type TestAuth,
  testAuth,
} from './service.fixture.ts'

const password = 'tidal-lantern-42'
const somebody = 'maya@harborlight.example'
const withoutPassword = 'lena@harborlight.example'
const nobody = 'nina@harborlight.example'

/** A storage, and a log of its calls: the operation and the collections. */
function watched(storage: Storage): { readonly storage: Storage; readonly log: string[] } {
  const log: string[] = []
  const collectionsIn = (given: unknown): string =>
    Array.isArray(given)
      ? given.map(({ collection }) => collection.name).join(' ')
      : (given as { name: string }).name
  const proxy = new Proxy(storage, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...given: readonly unknown[]) => {
        log.push(`${String(name)} ${collectionsIn(given[0])}`)
        return Reflect.apply(member, target, given)
      }
    },
  })
  return { storage: proxy, log }
}

interface House extends TestAuth {
  readonly log: string[]
}

/** Maya has a password, Lena has none, and Nina has no account. */
async function house(delta: ConfigDelta): Promise<House> {
  const clock = createManualClock(startOfTests)
  const { storage, log } = watched(createMemoryStorage({ clock }))
  const world = testAuth(delta, { storage, clock })
  await createUser(world.auth, { email: somebody, password })
  await createUser(world.auth, { email: withoutPassword })
  // Warms up, so that one-time work is done before.
  await answersTo(world, 'login', 'warm@harborlight.example', [showing('a wrong password')])
  return { ...world, clock, log }
}

const showing = (text: string): FlowInput => ({
  authentication: 'primary_password',
  password: text,
})

/** Results as clients see them, without the values that differ between any two flows. */
function shown(result: FlowResult): unknown {
  return JSON.parse(
    JSON.stringify(result, (key, value) =>
      ['state_token', 'websocket_url', 'tracking_id'].includes(key) ? undefined : value,
    ).replace(/(ma|le|ni|wa)\*\*/g, '…'),
  )
}

/** The results of a flow for an address as a client sees them, and the storage calls meanwhile. */
async function answersTo(
  world: Omit<House, 'log'> & { readonly log?: string[] },
  type: FlowType,
  address: string,
  inputs: readonly FlowInput[],
  ...before: readonly FlowInput[]
): Promise<{ readonly seen: readonly unknown[]; readonly asked: readonly string[] }> {
  const { log = [] } = world
  const flow = await startFlow(world, type, { ip: '192.0.2.1' })
  for (const input of before) await flow.input(input)
  log.length = 0
  const seen: unknown[] = []
  for (const input of [{ identification: 'email', login_id: address }, ...inputs]) {
    seen.push(shown(await flow.input(input)))
    const read = await getFlowState(world.auth, { state_token: flow.token }, { ip: '192.0.2.1' })
    seen.push(shown(read))
    await Promise.all(world.auth.sending)
    seen.push(shown(await getFlowState(world.auth, { state_token: flow.token })))
  }
  return { seen, asked: [...log] }
}

/** Leaves out the event for a sent message, which is stored after the answer. */
const withoutEvents = (asked: readonly string[]): readonly string[] =>
  asked.filter((line) => line !== 'commit auth_outbox')

const protectedLogin: ConfigDelta = { authentication: { enumeration_protection: 'login' } }
const codeLogin: ConfigDelta = {
  authentication: {
    enumeration_protection: 'login',
    primary_authenticators: ['oob_otp_email'],
    secondary_authentication_mode: 'disabled',
  },
}

describe('a login that must not reveal who has an account', () => {
  const wrong = [showing('wrong'), showing('wrong again')]

  it('gives the same answers and makes the same storage calls for everyone', async () => {
    const world = await house(protectedLogin)
    const known = await answersTo(world, 'login', somebody, wrong)
    expect(await answersTo(world, 'login', withoutPassword, wrong)).toEqual(known)
    expect(await answersTo(world, 'login', nobody, wrong)).toEqual(known)
    expect(known.asked.length).toBeGreaterThan(20)
  })

  it('does so with a code too, without waiting for the sender', async () => {
    const world = await house(codeLogin)
    const inputs = [{ authentication: 'primary_oob_otp_email', index: 0 }, { code: 'wrong' }]
    const known = await answersTo(world, 'login', somebody, inputs)
    const unknown = await answersTo(world, 'login', nobody, inputs)
    expect(unknown.seen).toEqual(known.seen)
    expect(withoutEvents(unknown.asked)).toEqual(withoutEvents(known.asked))
    expect(world.outbox.messages.map(({ target }) => target)).toEqual([somebody])
  })

  it('gives the same answer for a code that cannot be sent', async () => {
    const world = await house(codeLogin)
    const inputs = [{ authentication: 'primary_oob_otp_email', index: 0 }]
    world.outbox.failNext(new Error('the mail server is down'))
    const known = await answersTo(world, 'login', somebody, inputs)
    const unknown = await answersTo(world, 'login', nobody, inputs)
    expect(known.seen).toEqual(unknown.seen)
  })

  it.each(['the mail server is down', 'all mails arrive'])(
    'does so for a code that is sent again after wrong ones when %s',
    async (mails) => {
      const world = await house(codeLogin)
      const answers = async (address: string) => {
        const { clock, log } = world
        const flow = await startFlow(world, 'login', { ip: '192.0.2.1' })
        await flow.input({ identification: 'email', login_id: address })
        await flow.input({ authentication: 'primary_oob_otp_email', index: 0 })
        for (let guess = 0; guess < 10; guess++) await flow.input({ code: 'wrong' })
        clock.advance(61_000)
        log.length = 0
        const seen: unknown[] = []
        if (mails !== 'all mails arrive') world.outbox.failNext(new Error(mails))
        for (const input of [{ resend: true }, { code: 'wrong' }, { resend: true }]) {
          seen.push(shown(await flow.input(input)))
          await Promise.all(world.auth.sending)
          seen.push(shown(await getFlowState(world.auth, { state_token: flow.token })))
        }
        world.outbox.clear()
        // The clock goes on, so the same waits end at other instants.
        const relative = JSON.stringify(seen).replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'an instant')
        return { relative, asked: withoutEvents(log) }
      }
      const known = await answers(somebody)
      expect(await answers(nobody)).toEqual(known)
      expect(known.asked.length).toBeGreaterThan(10)
    },
  )

  it('is rate limited after the same attempts, over any number of flows', async () => {
    const world = await house(protectedLogin)
    const reasonsFor = async (address: string): Promise<readonly string[]> => {
      const reasons: string[] = []
      for (let flows = 0; flows < 12; flows++) {
        const flow = await startFlow(world, 'login', { ip: '192.0.2.1' })
        await flow.input({ identification: 'email', login_id: address })
        reasons.push(errorOf(await flow.input(showing('wrong'))).reason)
      }
      world.clock.advance(3_600_000)
      return reasons
    }
    const known = await reasonsFor(somebody)
    expect(known.slice(9)).toEqual(['InvalidCredentials', 'RateLimited', 'RateLimited'])
    expect(await reasonsFor(nobody)).toEqual(known)
  })

  it('is locked after the same attempts', async () => {
    const lockout = {
      max_attempts: 3,
      history_duration: '1h',
      minimum_duration: '1m',
      maximum_duration: '5m',
      lockout_type: 'per_user',
      password: { enabled: true },
    }
    const world = await house({ authentication: { enumeration_protection: 'login', lockout } })
    for (const address of [somebody, nobody]) {
      const reasons: string[] = []
      for (let flows = 0; flows < 4; flows++) {
        const flow = await startFlow(world, 'login', { ip: `192.0.2.${flows}` })
        await flow.input({ identification: 'email', login_id: address })
        reasons.push(errorOf(await flow.input(showing('wrong'))).reason)
      }
      expect([address, reasons.slice(1)]).toEqual([
        address,
        ['InvalidCredentials', 'AccountLockout', 'AccountLockout'],
      ])
    }
  })

  it('gives the same answers for a name in the field of an address', async () => {
    const keys = [{ type: 'email' }, { type: 'phone' }, { type: 'username' }]
    for (const delta of [protectedLogin, codeLogin]) {
      const world = await house({ ...delta, identity: { login_id: { keys } } })
      await createUser(world.auth, { preferred_username: 'maya', email: 'm@harborlight.example' })
      await createUser(world.auth, { phone_number: '+6591234567' })
      const known = await answersTo(world, 'login', 'maya', wrong)
      expect(await answersTo(world, 'login', 'nina', wrong)).toEqual(known)
      const number = await answersTo(world, 'login', '+6591234567', wrong)
      expect(await answersTo(world, 'login', '+6591234568', wrong)).toEqual(number)
    }
  })

  it('reveals nothing by the limit on codes for unknown addresses', async () => {
    const world = await house(protectedLogin)
    for (let guess = 0; guess < 30; guess++) {
      const flow = await startFlow(world, 'login', { ip: '192.0.2.1' })
      const named = { identification: 'email', login_id: `guess${guess}@harborlight.example` }
      expect((await flow.input(named)).ok).toBe(true)
    }
  })
})

describe('the limit on codes for known addresses', () => {
  it('counts names that are guessed in the field of an address', async () => {
    const keys = [{ type: 'email' }, { type: 'username' }]
    const world = await house({ identity: { login_id: { keys } } })
    await createUser(world.auth, { preferred_username: 'maya' })
    for (const type of ['login', 'signup_login'] as const) {
      const guesses = await asks(world, type, 'guess#', 11)
      expect(guesses.slice(9)).toEqual(['ValidationFailed', 'RateLimited'])
      expect(await asks(world, type, 'maya')).toEqual(['RateLimited'])
      expect(await asks(world, type, 'nina')).toEqual(['RateLimited'])
      world.clock.advance(60_000)
      expect(await asks(world, type, 'maya')).toEqual(['asked'])
    }
  })

  const outcomeOf = (result: FlowResult): string => (result.ok ? 'asked' : errorOf(result).reason)

  async function asks(
    world: TestAuth,
    type: FlowType,
    address: string,
    times = 1,
  ): Promise<readonly string[]> {
    const outcomes: string[] = []
    for (let time = 0; time < times; time++) {
      const flow = await startFlow(world, type, { ip: '192.0.2.9' })
      const named = { identification: 'email', login_id: address.replace('#', `${time}`) }
      outcomes.push(outcomeOf(await flow.input(named)))
    }
    return outcomes
  }

  it('is reached alike with and without an account once a login has used it up', async () => {
    const world = await house({})
    const guesses = await asks(world, 'login', 'guess#@harborlight.example', 11)
    expect(guesses.slice(9)).toEqual(['UserNotFound', 'RateLimited'])
    expect(await asks(world, 'login', somebody)).toEqual(['RateLimited'])
    expect(await asks(world, 'login', nobody)).toEqual(['RateLimited'])
  })

  it('is reached alike for every address once a sign-up has used it up', async () => {
    const world = await house({})
    const guesses = await asks(world, 'signup', somebody, 11)
    expect(guesses.slice(9)).toEqual(['InvariantViolated', 'RateLimited'])
    expect(await asks(world, 'signup', nobody)).toEqual(['RateLimited'])
  })

  it('is not used up by users who ask for themselves', async () => {
    const world = await house({})
    expect(new Set(await asks(world, 'login', somebody, 30))).toEqual(new Set(['asked']))
    const fresh = await asks(world, 'signup', 'fresh#@harborlight.example', 30)
    expect(new Set(fresh)).toEqual(new Set(['asked']))
    expect(await asks(world, 'login', nobody)).toEqual(['UserNotFound'])
  })
})

describe('a sign-up that must not reveal who has an account', () => {
  const strict: ConfigDelta = { authentication: { enumeration_protection: 'strict' } }

  it('gives the same answers and makes as many storage calls for every address', async () => {
    const world = await house(strict)
    const taken = await answersTo(world, 'signup', somebody, [{ code: 'wrong' }])
    const fresh = await answersTo(world, 'signup', nobody, [{ code: 'wrong' }])
    expect(fresh).toEqual(taken)
    expect(world.outbox.messages.map(({ kind }) => kind)).toEqual(['signup_taken', 'verification'])
  })

  it('does so if it begins with an authenticator', async () => {
    const steps = [
      { type: 'create_authenticator', one_of: [{ authentication: 'primary_password' }] },
      { type: 'verify', target_step: 'who' },
      { type: 'identify', name: 'who', one_of: [{ identification: 'email' }] },
    ]
    const world = await house({
      ...strict,
      authentication_flow: { signup_flows: [{ name: 'default', steps }] },
    })
    const made = { authentication: 'primary_password', new_password: password }
    const taken = await answersTo(world, 'signup', somebody, [{ code: 'wrong' }], made)
    const fresh = await answersTo(world, 'signup', nobody, [{ code: 'wrong' }], made)
    expect(fresh).toEqual(taken)
    expect(fresh.seen.at(-1)).toMatchObject({ result: { action: { type: 'verify' } } })
    expect(world.outbox.messages.map(({ kind }) => kind)).toEqual(['signup_taken', 'verification'])
  })

  it('reveals that a name is taken, which no code could prove', async () => {
    const keys = [{ type: 'username' }, { type: 'email' }]
    const world = testAuth({ ...strict, identity: { login_id: { keys } } })
    await createUser(world.auth, { preferred_username: 'maya' })
    const flow = await startFlow(world, 'signup')
    const refused = await flow.input({ identification: 'username', login_id: 'maya' })
    expect(errorOf(refused).info).toMatchObject({ cause: { kind: 'DuplicatedIdentity' } })
  })

  it('reveals nothing by the limit on codes for known addresses', async () => {
    const world = await house(strict)
    for (let guess = 0; guess < 30; guess++) {
      const flow = await startFlow(world, 'signup', { ip: '192.0.2.1' })
      expect((await flow.input({ identification: 'email', login_id: somebody })).ok).toBe(true)
    }
  })
})

describe('an account recovery', () => {
  const send = [{ index: 0 }, { account_recovery_code: 'wrong' }]

  it('gives the same answers for a name in the field of an address', async () => {
    const keys = [{ type: 'email' }, { type: 'username' }]
    const world = await house({ identity: { login_id: { keys } } })
    await createUser(world.auth, { preferred_username: 'maya', email: 'm@harborlight.example' })
    const known = await answersTo(world, 'account_recovery', 'maya', send)
    const unknown = await answersTo(world, 'account_recovery', 'nina', send)
    expect(JSON.stringify(unknown.seen).replaceAll('nina', 'maya')).toBe(JSON.stringify(known.seen))
    expect(withoutEvents(unknown.asked)).toEqual(withoutEvents(known.asked))
    expect(world.outbox.messages.map(({ target }) => target)).toEqual(['m@harborlight.example'])
  })

  it.each([
    ['by link', {}],
    ['by code', { ui: { forgot_password: { email: [{ channel: 'email', otp_form: 'code' }] } } }],
  ])(
    '%s gives the same answers and makes the same storage calls for known and unknown users',
    async (_how, delta) => {
      const world = await house(delta)
      const known = await answersTo(world, 'account_recovery', somebody, send)
      const unknown = await answersTo(world, 'account_recovery', nobody, send)
      expect(unknown.seen).toEqual(known.seen)
      expect(withoutEvents(unknown.asked)).toEqual(withoutEvents(known.asked))
      expect(world.outbox.messages.map(({ target }) => target)).toEqual([somebody])
    },
  )

  it('with a limit on codes per user is limited after the same attempts', async () => {
    const trigger = { trigger_per_ip: { enabled: true, period: '1h', burst: 2 } }
    const world = await house({ forgot_password: { rate_limits: { email: trigger } } })
    for (const [address, ip] of [
      [somebody, '192.0.2.1'],
      [nobody, '192.0.2.2'],
    ] as const) {
      const reasons: string[] = []
      for (let times = 0; times < 4; times++) {
        world.clock.advance(61_000)
        const flow = await startFlow(world, 'account_recovery', { ip })
        await flow.input({ identification: 'email', login_id: address })
        const result = await flow.input({ index: 0 })
        reasons.push(result.ok ? 'sent' : result.error.reason)
      }
      expect([address, reasons]).toEqual([address, ['sent', 'sent', 'RateLimited', 'RateLimited']])
    }
  })
})
