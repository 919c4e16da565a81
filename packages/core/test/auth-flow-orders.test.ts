import { type FlowResult, resolveSessionToken } from '@gatehouse/core'
import { getUser, importUsers } from '@gatehouse/core/auth'
import { describe, expect, it } from 'vitest'
import { sampleOf } from '../../../test-support/lane.ts'
import {
  type ConfigDelta,
  startFlow,
  stateOf,
  type TestAuth,
  type TestFlow,
  testAuth,
} from '../src/auth/service.fixture.ts'
import { totpNow, totpSecret } from './auth-people.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'

/** All orders of a list. */
function ordersOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, index) =>
    ordersOf(items.filter((_, place) => place !== index)).map((rest) => [item, ...rest]),
  )
}

/** The orders that a type of flow goes through: all of them, and by way of the type `signup_login` usually every fourth. */
const isInLane = (type: string, index: number): boolean =>
  type !== 'signup_login' || isEveryFourth(index)
const isEveryFourth = sampleOf(4)

/** Answers whatever a flow asks, until it ends. Returns the types of its actions. */
async function goThrough(world: TestAuth, flow: TestFlow): Promise<readonly string[]> {
  const types: string[] = []
  let secret = totpSecret
  for (let turn = 0; turn < 20; turn++) {
    const { action } = stateOf(flow.last)
    const { type, data } = action
    types.push(type)
    if (type === 'finished') return types
    const [option] = (data.options ?? []) as readonly { readonly authentication?: string }[]
    const by = option?.authentication
    const answers: Readonly<Record<string, () => Promise<FlowResult>>> = {
      identification_data: () => flow.input({ identification: 'email', login_id: email }),
      verify_oob_otp_data: () => flow.input({ code: world.codeTo(email) }),
      view_recovery_code_data: () => flow.input({ confirm_recovery_code: true }),
      new_password_data: () => flow.input({ new_password: 'a longer lantern-42' }),
      create_totp_data() {
        secret = String(data.secret)
        return flow.input({ code: totpNow(world, secret) })
      },
      create_authenticator_data: () =>
        flow.input({
          authentication: by,
          ...(by === 'primary_password' ? { new_password: password } : {}),
        } as never),
      authentication_data: () =>
        flow.input(
          by === 'primary_password'
            ? { authentication: by, password }
            : { authentication: 'secondary_totp', code: totpNow(world, secret) },
        ),
    }
    const answer =
      answers[String(data.type)] ??
      (() => flow.input({ attributes: [{ pointer: '/name', value: 'Maya' }] }))
    stateOf(await answer())
  }
  throw new Error(`the flow does not end: ${types.join(', ')}`)
}

const who = { name: 'who', type: 'identify', one_of: [{ identification: 'email' }] }
const create = (authentication: string, more: object = {}) => ({
  type: 'create_authenticator',
  one_of: [{ authentication, ...more }],
})

const both = { signup_flow: 'default', login_flow: 'default' }
const signup_login_flows = [
  {
    name: 'default',
    steps: [{ type: 'identify', one_of: [{ identification: 'email', ...both }] }],
  },
]

const signUpSteps = [
  who,
  { type: 'verify', target_step: 'who' },
  create('primary_password'),
  create('secondary_totp', { steps: [{ type: 'view_recovery_code' }] }),
  { type: 'fill_in_user_profile', user_profile: [{ pointer: '/name', required: true }] },
]

const off = { enabled: false }
const unlimited: ConfigDelta = {
  rate_limits: { signup: { per_ip: off }, account_enumeration: { per_ip: off } },
}

describe('every order of the steps of a sign-up', () => {
  it.each(['signup', 'signup_login'] as const)(
    'of the type %s makes the same user',
    async (type) => {
      for (const [index, steps] of ordersOf(signUpSteps).entries()) {
        if (!isInLane(type, index)) continue
        const signup_flows = [{ name: 'default', steps }]
        const world = testAuth({
          authentication: unlimited,
          authentication_flow: { signup_flows, signup_login_flows },
        })
        const flow = await startFlow(world, type)
        const types = await goThrough(world, flow)
        const order = steps.map((step) => step.type).join(', ')
        expect(types.at(-1), order).toBe('finished')
        const token = flow.last.cookies.find(({ name }) => name === 'session')?.value ?? ''
        const session = await resolveSessionToken(world.auth, token)
        expect(session?.amr, order).toEqual([
          'mfa',
          'otp',
          'pwd',
          'x_primary_password',
          'x_secondary_totp',
        ])
        const user = await getUser(world.auth, session?.user_id ?? '')
        expect(user.is_verified, order).toBe(true)
        expect(user.standard_attributes, order).toEqual({ email, name: 'Maya' })
        expect(user.authenticators.map((one) => one.type).toSorted(), order).toEqual([
          'password',
          'totp',
        ])
      }
    },
  )
})

const how = { name: 'how', type: 'authenticate', one_of: [{ authentication: 'primary_password' }] }
const logInSteps = [
  who,
  how,
  { type: 'authenticate', one_of: [{ authentication: 'secondary_totp' }] },
  { type: 'change_password', target_step: 'how' },
  { type: 'check_account_status' },
]

describe('every order of the steps of a login', () => {
  it.each(['login', 'signup_login'] as const)('of the type %s lets the user in', async (type) => {
    for (const [index, steps] of ordersOf(logInSteps).entries()) {
      if (!isInLane(type, index)) continue
      const login_flows = [{ name: 'default', steps }]
      const world = testAuth({
        authentication: unlimited,
        authenticator: { password: { policy: { min_length: 17 } } },
        authentication_flow: { login_flows, signup_login_flows },
      })
      const hash = await world.auth.hasher.hash(password)
      await importUsers(world.auth, [
        {
          email,
          password: { type: 'scrypt', password_hash: hash },
          mfa: { totp: { secret: totpSecret } },
        },
      ])
      const types = await goThrough(world, await startFlow(world, type))
      const order = steps.map((step) => step.type).join(', ')
      const expected = ['authenticate', 'authenticate', 'change_password', 'finished', 'identify']
      expect(types.toSorted(), order).toEqual(expected)
    }
  })
})
