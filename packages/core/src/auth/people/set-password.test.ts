import { describe, expect, it } from 'vitest'
import { authenticatorCollection } from '../accounts/authenticator-record.ts'
import { deviceTokenCollection } from '../accounts/device-token-record.ts'
import { createFlow } from '../flows/create-flow.ts'
import { type ConfigDelta, errorOf, stateOf, testAuth } from '../service.fixture.ts'
import { listSessions } from '../sessions/list-sessions.ts'
import { createUser } from './create-user.ts'
import { setPassword } from './set-password.ts'

const email = 'maya@harborlight.example'

async function withMaya(password?: string, delta: ConfigDelta = {}) {
  const world = testAuth(delta)
  const id = await createUser(world.auth, password === undefined ? { email } : { email, password })
  const login = (text: string) =>
    createFlow(world.auth, {
      type: 'login',
      name: 'default',
      batch_input: [
        { identification: 'email', login_id: email },
        { authentication: 'primary_password', password: text },
      ],
    })
  return { ...world, id, login }
}

describe('a password that the host sets', () => {
  it('replaces the earlier one', async () => {
    const { auth, id, login, storage } = await withMaya('first-password')
    await setPassword(auth, id, 'second-password')
    expect(errorOf(await login('first-password')).reason).toBe('InvalidCredentials')
    expect(stateOf(await login('second-password')).action.type).toBe('finished')
    expect(await authenticatorCollection.find(storage, { by: 'id', limit: 9 })).toHaveLength(1)
  })

  it('is created for a user without one', async () => {
    const { auth, id, login } = await withMaya()
    expect(errorOf(await login('first-password')).reason).toBe('InvalidCredentials')
    await setPassword(auth, id, 'first-password')
    expect(stateOf(await login('first-password')).action.type).toBe('finished')
  })

  it('ends all sessions but the kept one, and revokes trusted devices', async () => {
    const { auth, id, login, storage } = await withMaya('first-password')
    const sessions = async () => (await listSessions(auth, id)).map((one) => one.id)
    await login('first-password')
    await login('first-password')
    const [kept = ''] = await sessions()
    await storage.commit([deviceTokenCollection.write('t1', { user_id: id, created_at: 0 })])
    await setPassword(auth, id, 'second-password', { keepSession: kept })
    expect(await sessions()).toEqual([kept])
    expect(await deviceTokenCollection.find(storage, { by: 'id', limit: 9 })).toEqual([])
    await setPassword(auth, id, 'third-password')
    expect(await sessions()).toEqual([])
  })

  it('keeps sessions and trusted devices if configured so', async () => {
    const { auth, id, login, storage } = await withMaya('first-password', {
      authentication: { device_token: { revoke_on_password_change: false } },
      session: { revoke_on_password_change: false },
    })
    await login('first-password')
    await storage.commit([deviceTokenCollection.write('t1', { user_id: id, created_at: 0 })])
    await setPassword(auth, id, 'second-password')
    expect(await listSessions(auth, id)).toHaveLength(1)
    expect(await deviceTokenCollection.find(storage, { by: 'id', limit: 9 })).toHaveLength(1)
  })

  it('must be changed at login once it has expired, and not before', async () => {
    const { auth, clock, id, login } = await withMaya()
    await setPassword(auth, id, 'for-one-hour', { expireAfter: clock.now() + 3_600_000 })
    expect(stateOf(await login('for-one-hour')).action.type).toBe('finished')
    clock.advance(3_600_000)
    expect(stateOf(await login('for-one-hour')).action).toMatchObject({
      type: 'change_password',
      data: { force_change_reason: 'expiry' },
    })
  })

  it('has the age that the host gives', async () => {
    const expiry = { force_change: { enabled: true, duration_since_last_update: '24h' } }
    const { auth, clock, id, login } = await withMaya(undefined, {
      authenticator: { password: { expiry } },
    })
    const updatedAt = clock.now() - 24 * 3_600_000
    await setPassword(auth, id, 'first-password', { updatedAt: updatedAt + 1 })
    expect(stateOf(await login('first-password')).action.type).toBe('finished')
    await setPassword(auth, id, 'second-password', { updatedAt })
    expect(stateOf(await login('second-password')).action.type).toBe('change_password')
  })

  it('must satisfy the policy', async () => {
    const { auth, id, login } = await withMaya('first-password')
    await expect(setPassword(auth, id, 'short')).rejects.toMatchObject({
      reason: 'PasswordPolicyViolated',
    })
    expect(stateOf(await login('first-password')).action.type).toBe('finished')
  })

  it('of an unknown user is refused', async () => {
    const { auth } = await withMaya()
    await expect(setPassword(auth, 'nobody', 'first-password')).rejects.toMatchObject({
      reason: 'UserNotFound',
    })
  })
})
