import { describe, expect, it } from 'vitest'
import { authCollections } from '../collections.ts'
import { advanceFlow } from '../flows/advance-flow.ts'
import { errorOf, startFlow, stateOf, type TestAuth, testAuth } from '../service.fixture.ts'
import { createUser } from './create-user.ts'
import { deleteUser } from './delete-user.ts'
import { getUser } from './get-user.ts'
import { importUsers } from './import-users.ts'
import { getLockout } from './lockouts.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'

/** The names of the collections with a record that contains a text. */
async function tracesOf({ storage }: TestAuth, text: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const collection of authCollections) {
    const records = await storage.find(collection, { by: 'id', limit: 1_000 })
    if (records.some((record) => JSON.stringify(record).includes(text))) found.push(collection.name)
  }
  return found
}

async function login(world: TestAuth, text = password) {
  const flow = await startFlow(world, 'login')
  await flow.input({ identification: 'email', login_id: email })
  return flow.input({ authentication: 'primary_password', password: text })
}

describe('a deleted user', () => {
  it('leaves only the events about the deletion', async () => {
    const world = testAuth({ authenticator: { password: { policy: { history_size: 3 } } } })
    const { auth } = world
    const hash = await auth.hasher.hash(password)
    const [made] = await importUsers(auth, [
      {
        email,
        email_verified: true,
        preferred_username: 'maya',
        password: { type: 'scrypt', password_hash: hash },
      },
    ])
    const id = made?.outcome === 'inserted' ? made.user_id : ''
    stateOf(await login(world))
    const before = await tracesOf(world, id)
    expect(before).toEqual(
      expect.arrayContaining(['auth_users', 'auth_sessions', 'auth_password_history']),
    )
    await deleteUser(auth, id)
    expect(await tracesOf(world, id)).toEqual(['auth_outbox'])
    expect(await tracesOf(world, email)).toEqual(['auth_outbox'])
    await expect(getUser(auth, id)).rejects.toMatchObject({ reason: 'UserNotFound' })
  })

  it('frees the address for others', async () => {
    const world = testAuth()
    const id = await createUser(world.auth, { email, password })
    await deleteUser(world.auth, id)
    expect(await createUser(world.auth, { email })).not.toBe(id)
  })

  it('loses the failed attempts', async () => {
    const world = testAuth({
      authentication: {
        lockout: {
          max_attempts: 2,
          history_duration: '1h',
          minimum_duration: '1m',
          maximum_duration: '5m',
          lockout_type: 'per_user',
          password: { enabled: true },
        },
      },
    })
    const id = await createUser(world.auth, { email, password })
    await login(world, 'wrong')
    expect((await getLockout(world.auth, id)).attempts).toBe(1)
    await deleteUser(world.auth, id)
    expect((await getLockout(world.auth, id)).attempts).toBe(0)
  })

  it('cannot finish a login in progress', async () => {
    const world = testAuth()
    const id = await createUser(world.auth, { email, password })
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    await deleteUser(world.auth, id)
    const input = { authentication: 'primary_password', password }
    const late = await advanceFlow(world.auth, { state_token: flow.token, input })
    expect(errorOf(late).code).toBeLessThan(500)
    expect(late.cookies).toEqual([])
  })

  it('is deleted once', async () => {
    const { auth } = testAuth()
    const id = await createUser(auth, { email })
    await deleteUser(auth, id)
    await expect(deleteUser(auth, id)).rejects.toMatchObject({ reason: 'UserNotFound' })
  })
})
