import { describe, expect, it } from 'vitest'
import { updateUser } from '../people/update-user.ts'
import { errorOf, stateOf, testAuth } from '../service.fixture.ts'
import { changesOf, maya, signedIn } from './account.fixture.ts'
import { getAccount } from './get-account.ts'
import { updateProfile } from './update-profile.ts'

const custom = {
  user_profile: {
    custom_attributes: {
      attributes: [
        { id: 'c1', pointer: '/x_height', type: 'integer', minimum: 1 },
        { id: 'c2', pointer: '/x_plan', type: 'string' },
      ],
    },
  },
}
const customAttributes = { '/x_height': 'readwrite', '/x_plan': 'readonly' } as const

describe('a profile', () => {
  it('is changed by attribute; others stay', async () => {
    const world = testAuth(custom)
    const { auth } = world
    const { session, request, details } = await signedIn(world)
    const changed = await updateProfile(
      auth,
      session,
      [
        { pointer: '/nickname', value: 'May' },
        { pointer: '/address/locality', value: 'Oslo' },
        { pointer: '/x_height', value: 170 },
      ],
      { ...request, customAttributes },
    )
    expect(changed).toEqual({
      standard_attributes: { email: maya.email, nickname: 'May', address: { locality: 'Oslo' } },
      custom_attributes: { x_height: 170 },
    })
    await updateProfile(auth, session, [{ pointer: '/address' }], request)
    expect(await details()).toMatchObject({
      standard_attributes: { email: maya.email, nickname: 'May' },
      custom_attributes: { x_height: 170 },
    })
    const [event] = await changesOf(world)
    expect(event).toMatchObject({
      type: 'user.profile.updated',
      payload: { user: { standard_attributes: { nickname: 'May' } } },
      context: { triggered_by: 'user', user_id: session.user_id, ip_address: '192.0.2.7' },
    })
  })

  it("accepts valid values, and only the user's own addresses", async () => {
    const { auth, ...world } = testAuth()
    const { session, details } = await signedIn({ auth, ...world })
    const wrong: readonly (readonly [pointer: string, value: string | number, location: string])[] =
      [
        ['/nickname', '', '/attributes/0/value'],
        ['/nickname', 7, '/attributes/0/value'],
        ['/birthdate', 'long ago', '/attributes/0/value'],
        ['/email', 'tom@harborlight.example', '/attributes/0/value'],
      ]
    for (const [pointer, value, location] of wrong) {
      const refused = updateProfile(auth, session, [{ pointer, value }])
      await expect(refused).rejects.toMatchObject({
        reason: 'ValidationFailed',
        info: { causes: [{ location }] },
      })
    }
    const twice = [
      { pointer: '/nickname', value: 'May' },
      { pointer: '/nickname', value: 'Mia' },
    ]
    await expect(updateProfile(auth, session, twice)).rejects.toMatchObject({
      reason: 'ValidationFailed',
    })
    const shapeless = [{ value: 'May' }, 7, null] as unknown as typeof twice
    await expect(updateProfile(auth, session, shapeless)).rejects.toMatchObject({
      info: { causes: [{ location: '/attributes/0' }, { kind: 'type' }, { kind: 'type' }] },
    })
    expect((await details()).standard_attributes).toEqual({ email: maya.email })
  })

  it('hides custom attributes unless the host opens them', async () => {
    const world = testAuth(custom)
    const { auth } = world
    const person = await signedIn(world)
    await updateUser(auth, person.id, {
      custom_attributes: { x_plan: 'pro', x_height: 170, x_pin: 'hash' },
    })
    const pointers = ['/x_plan', '/x_height', '/x_pin', '/x_new', '/__proto__', '/is_disabled', '']
    for (const pointer of pointers) {
      const changes = [{ pointer, value: 'root' }]
      await expect(updateProfile(auth, person.session, changes)).rejects.toMatchObject({
        reason: 'AccessControlViolated',
        kind: 'Forbidden',
        info: { pointer },
      })
      const flow = await person.tryTo({ fill_in_user_profile: [pointer] })
      expect(errorOf(flow).reason).toBe('AccessControlViolated')
    }
    const plan = updateProfile(auth, person.session, [{ pointer: '/x_plan', value: 'free' }], {
      customAttributes,
    })
    await expect(plan).rejects.toMatchObject({ reason: 'AccessControlViolated' })
    expect((await getAccount(auth, person.session)).user.custom_attributes).toEqual({})
    const seen = await getAccount(auth, person.session, { customAttributes })
    expect(seen.user.custom_attributes).toEqual({ x_plan: 'pro', x_height: 170 })
    const flow = await person.begin({ fill_in_user_profile: ['/x_height'] }, { customAttributes })
    stateOf(await flow.input({ attributes: [{ pointer: '/x_height', value: 171 }] }))
    expect((await person.details()).custom_attributes).toMatchObject({
      x_height: 171,
      x_pin: 'hash',
    })
  })

  it('can be changed by the hook', async () => {
    const standard_attributes = { email: maya.email, nickname: 'Mx. May' }
    const world = testAuth(
      {},
      { hook: async () => ({ is_allowed: true, mutations: { user: { standard_attributes } } }) },
    )
    const { session } = await signedIn(world)
    const changes = [{ pointer: '/nickname', value: 'May' }]
    expect(await updateProfile(world.auth, session, changes)).toMatchObject({ standard_attributes })
    const refusing = testAuth({}, { hook: async () => ({ is_allowed: false }) })
    const other = await signedIn(refusing)
    await expect(updateProfile(refusing.auth, other.session, changes)).rejects.toMatchObject({
      reason: 'HookDisallowed',
    })
  })

  it('does not change last_login_at', async () => {
    const world = testAuth()
    const { session, details } = await signedIn(world)
    await updateProfile(world.auth, session, [{ pointer: '/nickname', value: 'May' }])
    expect(await details()).toMatchObject({ last_login_at: null, updated_at: world.clock.now() })
  })
})
