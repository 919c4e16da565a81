import { describe, expect, it } from 'vitest'
import { errorOf, startFlow, stateOf, type TestAuth, testAuth } from '../service.fixture.ts'
import { createUser } from './create-user.ts'
import { getUser } from './get-user.ts'
import { disableUser, enableUser, updateUser } from './update-user.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const hour = 3_600_000

const make = ({ auth }: TestAuth) => createUser(auth, { email, password })

async function login(world: TestAuth) {
  const flow = await startFlow(world, 'login')
  await flow.input({ identification: 'email', login_id: email })
  return flow.input({ authentication: 'primary_password', password })
}

describe('a user', () => {
  it('keeps unchanged values, and updates updated_at', async () => {
    const world = testAuth()
    const id = await make(world)
    const before = await getUser(world.auth, id)
    world.clock.advance(hour)
    await updateUser(world.auth, id, { custom_attributes: { x_size: 'S' } })
    expect(await getUser(world.auth, id)).toEqual({
      ...before,
      custom_attributes: { x_size: 'S' },
      updated_at: before.updated_at + hour,
    })
  })

  it('who is disabled cannot sign in and learns why, until enabled again', async () => {
    const world = testAuth()
    const id = await make(world)
    await disableUser(world.auth, id, { reason: 'fraud review' })
    expect(errorOf(await login(world))).toMatchObject({
      reason: 'DisabledUser',
      info: { reason: 'fraud review' },
    })
    await enableUser(world.auth, id)
    expect(stateOf(await login(world)).action.type).toBe('finished')
    expect(await getUser(world.auth, id)).toMatchObject({
      is_disabled: false,
      disable_reason: null,
    })
  })

  it('scheduled for deletion cannot sign in, until that is withdrawn', async () => {
    const world = testAuth()
    const id = await make(world)
    await updateUser(world.auth, id, { delete_at: world.clock.now() + 24 * hour })
    expect(errorOf(await login(world))).toMatchObject({
      reason: 'ScheduledDeletionByAdmin',
      info: { delete_at: '2026-03-05T10:00:00.000Z' },
    })
    await updateUser(world.auth, id, { delete_at: null })
    expect(stateOf(await login(world)).action.type).toBe('finished')
    expect(await getUser(world.auth, id)).toMatchObject({ delete_at: null, delete_by: null })
  })

  it('without a second factor may enrol one during their own grace period', async () => {
    const world = testAuth({ authentication: { secondary_authentication_mode: 'required' } })
    const id = await make(world)
    expect(errorOf(await login(world)).info).toMatchObject({ cause: { kind: 'NoAuthenticator' } })
    await updateUser(world.auth, id, { mfa_grace_end: world.clock.now() + hour })
    expect(stateOf(await login(world)).action.data).toMatchObject({
      type: 'create_authenticator_data',
      options: [{ authentication: 'secondary_totp' }],
    })
    world.clock.advance(hour)
    expect(errorOf(await login(world)).info).toMatchObject({ cause: { kind: 'NoAuthenticator' } })
  })

  it('who does not exist is not changed', async () => {
    const { auth } = testAuth()
    const missing = { reason: 'UserNotFound', kind: 'NotFound' }
    await expect(updateUser(auth, 'nobody', {})).rejects.toMatchObject(missing)
    await expect(disableUser(auth, 'nobody')).rejects.toMatchObject(missing)
    await expect(getUser(auth, 'nobody')).rejects.toMatchObject(missing)
  })

  it('gets all of several concurrent changes', async () => {
    const world = testAuth()
    const id = await make(world)
    const until = world.clock.now() + hour
    await Promise.all([
      updateUser(world.auth, id, { mfa_grace_end: until }),
      updateUser(world.auth, id, { custom_attributes: { x_size: 'S' } }),
      disableUser(world.auth, id),
    ])
    expect(await getUser(world.auth, id)).toMatchObject({
      mfa_grace_end: until,
      custom_attributes: { x_size: 'S' },
      is_disabled: true,
    })
  })
})
