import { describe, expect, it } from 'vitest'
import { endDueUsers } from '../people/start-user-maintenance.ts'
import { disableUser, updateUser } from '../people/update-user.ts'
import {
  type ConfigDelta,
  errorOf,
  startFlow,
  stateOf,
  type TestAuth,
  type TestFlow,
  testAuth,
} from '../service.fixture.ts'
import { listSessions } from '../sessions/list-sessions.ts'
import { changesOf, maya, signedIn } from './account.fixture.ts'
import { getAccount } from './get-account.ts'
import { scheduleDeletion } from './schedule-deletion.ts'

const day = 86_400_000
const delta: ConfigDelta = {
  account_deletion: { scheduled_by_end_user_enabled: true, grace_period_days: 7 },
}

/** A login up to what comes after the password. */
async function login(world: TestAuth): Promise<TestFlow> {
  const flow = await startFlow(world, 'login')
  await flow.input({ identification: 'email', login_id: maya.email })
  await flow.input({ authentication: 'primary_password', password: maya.password })
  return flow
}

describe('a user who deletes the account', () => {
  it('loses all sessions at once, and the account after the time to change their mind', async () => {
    const world = testAuth(delta)
    const person = await signedIn(world)
    const at = await scheduleDeletion(world.auth, person.session, person.request)
    expect(at).toBe(world.clock.now() + 7 * day)
    expect(await listSessions(world.auth, person.id)).toEqual([])
    expect(await person.details()).toMatchObject({ delete_at: at, delete_by: 'user' })
    expect(await changesOf(world)).toMatchObject([
      {
        type: 'user.deletion_scheduled',
        payload: { user: { id: person.id, delete_at: new Date(at).toISOString() } },
        context: { user_id: person.id, triggered_by: 'user', ip_address: '192.0.2.7' },
      },
    ])
    world.clock.advance(7 * day - 1)
    expect(await endDueUsers(world.auth)).toEqual({ deleted: 0, anonymized: 0 })
    world.clock.advance(1)
    expect(await endDueUsers(world.auth)).toEqual({ deleted: 1, anonymized: 0 })
    await expect(person.details()).rejects.toMatchObject({ reason: 'UserNotFound' })
  })

  it('keeps it by a sign-in that says so', async () => {
    const world = testAuth(delta)
    const person = await signedIn(world)
    const at = await scheduleDeletion(world.auth, person.session)
    const flow = await login(world)
    expect(stateOf(flow.last).action).toEqual({
      type: 'check_account_status',
      data: { reason: 'ScheduledDeletionByEndUser', delete_at: new Date(at).toISOString() },
    })
    expect(errorOf(await flow.input({ keep_account: false })).reason).toBe('ValidationFailed')
    // A sign-in that is not finished keeps nothing.
    expect(await person.details()).toMatchObject({ delete_at: at })
    expect(stateOf(await flow.input({ keep_account: true })).action.type).toBe('finished')
    expect(await person.details()).toMatchObject({ delete_at: null, delete_by: null })
    expect(await listSessions(world.auth, person.id)).toHaveLength(1)
    const types = (await changesOf(world)).map(({ type }) => type)
    expect(types).toEqual(['user.deletion_scheduled', 'user.deletion_unscheduled'])
    expect(stateOf((await login(world)).last).action.type).toBe('finished')
  })

  it('cannot keep it once the time has come, nor if it is disabled or deleted by the app', async () => {
    const world = testAuth(delta)
    const person = await signedIn(world)
    const at = await scheduleDeletion(world.auth, person.session)
    const reasonOf = async () => errorOf((await login(world)).last).reason
    await disableUser(world.auth, person.id)
    expect(await reasonOf()).toBe('ScheduledDeletionByEndUser')
    await updateUser(world.auth, person.id, { is_disabled: false })
    const late = await login(world)
    world.clock.advance(7 * day)
    expect(await reasonOf()).toBe('ScheduledDeletionByEndUser')
    expect(errorOf(await late.input({ keep_account: true })).reason).toBe(
      'AuthenticationFlowNotFound',
    )
    await updateUser(world.auth, person.id, { delete_at: at + day })
    expect(await reasonOf()).toBe('ScheduledDeletionByAdmin')
  })

  it('who keeps it loses against the app, which deletes it meanwhile', async () => {
    const world = testAuth(delta)
    const person = await signedIn(world)
    const at = await scheduleDeletion(world.auth, person.session)
    const flow = await login(world)
    await updateUser(world.auth, person.id, { delete_at: at })
    expect(errorOf(await flow.input({ keep_account: true })).reason).toBe(
      'ScheduledDeletionByAdmin',
    )
    expect(await person.details()).toMatchObject({ delete_at: at, delete_by: 'admin' })
  })

  it('must have signed in within ten minutes, and the app must allow it', async () => {
    const world = testAuth(delta)
    const person = await signedIn(world)
    expect((await getAccount(world.auth, person.session)).changes.delete_account).toEqual({
      grace_period_days: 7,
    })
    world.clock.advance(600_001)
    const late = scheduleDeletion(world.auth, person.session)
    await expect(late).rejects.toMatchObject({ reason: 'ReauthenticationRequired' })
    await scheduleDeletion(world.auth, person.session, { freshForMs: Number.POSITIVE_INFINITY })
    const other = testAuth()
    const tom = await signedIn(other)
    await expect(scheduleDeletion(other.auth, tom.session)).rejects.toMatchObject({
      kind: 'Forbidden',
      reason: 'AccountDeletionDisabled',
    })
    expect((await getAccount(other.auth, tom.session)).changes).not.toHaveProperty('delete_account')
  })

  it('does so once, whatever comes later', async () => {
    const world = testAuth(delta)
    const person = await signedIn(world)
    const at = await scheduleDeletion(world.auth, person.session)
    world.clock.advance(60_000)
    expect(await scheduleDeletion(world.auth, person.session)).toBe(at)
    expect(await changesOf(world)).toHaveLength(1)
    await updateUser(world.auth, person.id, { delete_at: at })
    await expect(scheduleDeletion(world.auth, person.session)).rejects.toMatchObject({
      reason: 'ScheduledDeletionByAdmin',
    })
  })
})
