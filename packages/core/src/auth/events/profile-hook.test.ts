import { describe, expect, it } from 'vitest'
import type { HookAnswer } from '../flow/hooks/host-hook.ts'
import { getUser } from '../people/get-user.ts'
import { type ConfigDelta, errorOf, startFlow, stateOf } from '../service.fixture.ts'
import { email, type HookedAuth, hookedAuth, signUpMaya } from './hook.fixture.ts'
import { outboxCollection } from './outbox.ts'

type Mutations = NonNullable<HookAnswer['mutations']>

const config: ConfigDelta = {
  user_profile: {
    custom_attributes: {
      attributes: [{ id: '1', pointer: '/x_seats', type: 'integer', minimum: 1 }],
    },
  },
}

/** A service whose hook changes the profile of new users. */
const mutating = (user: Mutations['user'] & object) =>
  hookedAuth({ 'user.pre_create': { mutations: { user } } }, config)

const idOf = (world: HookedAuth): string => world.asked.at(-1)?.context.user_id ?? ''
const madeUser = (world: HookedAuth) => getUser(world.auth, idOf(world))

/** Expects that no user was created. */
async function expectNobody(world: HookedAuth): Promise<void> {
  await expect(madeUser(world)).rejects.toMatchObject({ reason: 'UserNotFound' })
}

describe('the profile of a new user that a hook returns', () => {
  it('replaces the given attributes as a whole', async () => {
    const world = mutating({ standard_attributes: { name: 'Maya', address: { locality: 'Oslo' } } })
    stateOf((await signUpMaya(world)).last)
    expect(await madeUser(world)).toMatchObject({
      standard_attributes: { name: 'Maya', address: { locality: 'Oslo' } },
      custom_attributes: {},
    })
  })

  it('keeps the attributes that are not given', async () => {
    const world = mutating({ custom_attributes: { x_seats: 2, x_note: { of: ['the host'] } } })
    stateOf((await signUpMaya(world)).last)
    expect(await madeUser(world)).toMatchObject({
      standard_attributes: { email },
      custom_attributes: { x_seats: 2, x_note: { of: ['the host'] } },
    })
  })

  it('is in the events that follow', async () => {
    const world = mutating({ custom_attributes: { x_seats: 2 } })
    await signUpMaya(world)
    const records = await world.storage.find(outboxCollection, { by: 'id', limit: 100 })
    const created = records
      .map(({ value }) => Object(value).event)
      .find(({ type }) => type === 'user.created')
    expect(created.payload.user.custom_attributes).toEqual({ x_seats: 2 })
  })

  it('may be the one the hook received, with its derived attributes', async () => {
    const world = hookedAuth({
      'user.pre_create': async ({ payload }) => {
        const { standard_attributes } = Object(payload.user)
        const given = { ...standard_attributes, email_verified: true, given_name: 'Maya' }
        return { is_allowed: true, mutations: { user: { standard_attributes: given } } }
      },
    })
    stateOf((await signUpMaya(world)).last)
    const user = await madeUser(world)
    expect(user.standard_attributes).toEqual({ email, given_name: 'Maya' })
  })

  it.each([
    ['an unknown attribute', { standard_attributes: { shoe_size: 'XL' } }],
    ['an invalid value', { standard_attributes: { website: 'no address' } }],
    ['a value that is too long', { standard_attributes: { name: 'x'.repeat(5_000) } }],
    ['an address of another user', { standard_attributes: { email: 'other@harborlight.example' } }],
    ['a malformed address', { standard_attributes: { phone_number: '+85251000000' } }],
    ['an invalid custom attribute', { custom_attributes: { x_seats: 0 } }],
    ['a custom attribute without its prefix', { custom_attributes: { seats: 1 } }],
    ['a name that every object has', { standard_attributes: JSON.parse('{"constructor":"x"}') }],
  ])('is refused for %s, and nothing is stored', async (_, user) => {
    const world = mutating(user)
    const flow = await signUpMaya(world)
    expect(errorOf(flow.last)).toMatchObject({ code: 500, reason: 'HookInvalidResponse' })
    await expectNobody(world)
  })

  it('is refused if it cannot be stored, and the log names the invalid attributes', async () => {
    const lines: object[] = []
    const log = (fields: object): void => {
      lines.push(fields)
    }
    let deep: Mutations['user'] & object = { custom_attributes: { x_note: 'end' } }
    for (let level = 0; level < 120; level++) {
      deep = { custom_attributes: { x_note: deep.custom_attributes ?? {} } }
    }
    const answers = [deep, { standard_attributes: { shoe_size: 'XL' } }]
    const world = hookedAuth(
      {
        'user.pre_create': async () => ({
          is_allowed: true,
          mutations: { user: answers.shift() ?? {} },
        }),
      },
      config,
      { logger: { debug: log, info: log, warn: log, error: log } },
    )
    const flow = await signUpMaya(world)
    expect(errorOf(flow.last).reason).toBe('HookInvalidResponse')
    const input = { authentication: 'primary_password', new_password: 'tidal-lantern-42' }
    expect(errorOf(await flow.input(input)).reason).toBe('HookInvalidResponse')
    expect(lines).toContainEqual({
      event: 'user.pre_create',
      problems: ['/standard_attributes/shoe_size'],
    })
    stateOf(await flow.input(input))
  })
})

it('a sign-up that the hook refuses stores nothing', async () => {
  const world = hookedAuth({ 'user.pre_create': { is_allowed: false } })
  const flow = await signUpMaya(world)
  expect(errorOf(flow.last)).toMatchObject({
    reason: 'HookDisallowed',
    info: { event_type: 'user.pre_create', reasons: [{}] },
  })
  await expectNobody(world)
})

it('the hook of a sign-up that fills in a profile receives that profile', async () => {
  const steps = [
    { type: 'identify', one_of: [{ identification: 'email' }] },
    { type: 'create_authenticator', one_of: [{ authentication: 'primary_password' }] },
    { type: 'fill_in_user_profile', user_profile: [{ pointer: '/given_name', required: true }] },
  ]
  const world = hookedAuth({}, { authentication_flow: { signup_flows: [{ name: 'long', steps }] } })
  const flow = await startFlow(world, 'signup', {}, 'long')
  await flow.input({ identification: 'email', login_id: email })
  await flow.input({ authentication: 'primary_password', new_password: 'tidal-lantern-42' })
  await flow.input({ attributes: [{ pointer: '/given_name', value: 'Maya' }] })
  expect(world.asked.at(-1)).toMatchObject({
    type: 'user.pre_create',
    payload: { user: { standard_attributes: { email, given_name: 'Maya' } } },
  })
})
