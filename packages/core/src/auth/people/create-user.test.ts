import { describe, expect, it } from 'vitest'
import { authenticatorCollection } from '../accounts/authenticator-record.ts'
import { identityKeyCollection } from '../accounts/identity-record.ts'
import { userCollection } from '../accounts/user-record.ts'
import { createFlow } from '../flows/create-flow.ts'
import type { PasswordHasher } from '../kinds/password/password-hasher.ts'
import { stateOf, type TestAuth, testAuth } from '../service.fixture.ts'
import { createUser } from './create-user.ts'
import { getUser } from './get-user.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'

const countOf = async ({ storage }: TestAuth): Promise<number> =>
  (await storage.find(userCollection, { by: 'id', limit: 100 })).length

const login = async ({ auth }: TestAuth, loginId: string, text = password) => {
  const result = await createFlow(auth, {
    type: 'login',
    name: 'default',
    batch_input: [
      { identification: 'email', login_id: loginId },
      { authentication: 'primary_password', password: text },
    ],
  })
  return stateOf(result).action.type
}

describe('a user that the host creates', () => {
  it('has the given values, and can sign in', async () => {
    const world = testAuth({
      identity: {
        login_id: { keys: [{ type: 'email' }, { type: 'phone' }, { type: 'username' }] },
      },
    })
    const id = await createUser(world.auth, {
      email: 'Maya@Harborlight.example',
      email_verified: true,
      phone_number: '+6591234567',
      preferred_username: 'Maya',
      password,
      standard_attributes: { given_name: 'Maya' },
      custom_attributes: { x_size: 'S' },
    })
    expect(await getUser(world.auth, id)).toMatchObject({
      id,
      created_at: world.clock.now(),
      last_login_at: null,
      is_disabled: false,
      standard_attributes: {
        email,
        phone_number: '+6591234567',
        preferred_username: 'maya',
        given_name: 'Maya',
      },
      custom_attributes: { x_size: 'S' },
      verified_claims: [{ name: 'email', value: email }],
      authenticators: [{ type: 'password', kind: 'primary' }],
    })
    expect(await login(world, email)).toBe('finished')
    expect((await getUser(world.auth, id)).last_login_at).toBe(world.clock.now())
  })

  it('needs an identity', async () => {
    const world = testAuth()
    await expect(createUser(world.auth, { password })).rejects.toMatchObject({
      reason: 'ValidationFailed',
      info: { causes: [{ location: '', kind: 'required' }] },
    })
    await expect(createUser(world.auth, { email: 'nobody' })).rejects.toMatchObject({
      reason: 'ValidationFailed',
      info: { causes: [{ location: '/email', kind: 'format' }] },
    })
    expect(await countOf(world)).toBe(0)
  })

  it('must have a password that the policy allows', async () => {
    const world = testAuth()
    await expect(createUser(world.auth, { email, password: 'short' })).rejects.toMatchObject({
      reason: 'PasswordPolicyViolated',
      info: { causes: [{ Name: 'PasswordTooShort' }] },
    })
    expect(await countOf(world)).toBe(0)
  })

  it('must not have a taken address, in any spelling', async () => {
    const world = testAuth()
    await createUser(world.auth, { email })
    const again = createUser(world.auth, { email: 'MAYA@harborlight.EXAMPLE', password })
    await expect(again).rejects.toMatchObject({
      reason: 'InvariantViolated',
      info: { cause: { kind: 'DuplicatedIdentity' } },
    })
    expect(await countOf(world)).toBe(1)
    expect(await identityKeyCollection.find(world.storage, { by: 'id', limit: 9 })).toHaveLength(1)
  })

  it('is created once by two concurrent calls', async () => {
    const world = testAuth()
    const made = await Promise.allSettled([1, 2, 3].map(() => createUser(world.auth, { email })))
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(await countOf(world)).toBe(1)
  })

  it("gets a hash by the host's own hasher", async () => {
    const hasher: PasswordHasher = {
      hash: async (text) => `$mine$${Buffer.from(text).toString('base64')}`,
      verify: async (text, hash) => hash === `$mine$${Buffer.from(text).toString('base64')}`,
      needsRehash: () => false,
    }
    const world = testAuth({}, { hasher })
    await createUser(world.auth, { email, password })
    expect(await login(world, email)).toBe('finished')
    const [stored] = await authenticatorCollection.find(world.storage, { by: 'id', limit: 2 })
    expect(stored?.value).toMatchObject({ hash: expect.stringMatching(/^\$mine\$/) })
  })
})
