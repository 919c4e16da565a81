import { describe, expect, it } from 'vitest'
import { type TestAuth, testAuth } from '../service.fixture.ts'
import { createUser } from './create-user.ts'
import { findUsers } from './find-users.ts'
import { getUser } from './get-user.ts'
import { endDueUsers, startUserMaintenance } from './start-user-maintenance.ts'
import { updateUser } from './update-user.ts'

const minute = 60_000

const make = ({ auth }: TestAuth, name: string) =>
  createUser(auth, { email: `${name}@x.example`, standard_attributes: { name } })

/** Whether a user is stored. */
const isThere = async ({ auth }: TestAuth, id: string) =>
  getUser(auth, id).then(
    () => true,
    () => false,
  )

/** Advances the clock to the next turn, and waits for it. */
async function nextTurn({ clock }: TestAuth): Promise<void> {
  clock.advance(minute)
  // Stopping waits for the current turn; a second one starts and ends at once.
  await new Promise((resolve) => setImmediate(resolve))
}

describe('maintenance', () => {
  it('deletes and anonymizes users at their time, and no others', async () => {
    const world = testAuth()
    const { auth, clock } = world
    const [deleted, later, anonymous, kept] = [
      await make(world, 'a'),
      await make(world, 'b'),
      await make(world, 'c'),
      await make(world, 'd'),
    ]
    await updateUser(auth, deleted, { delete_at: clock.now() + minute })
    await updateUser(auth, later, { delete_at: clock.now() + minute + 1 })
    await updateUser(auth, anonymous, { anonymize_at: clock.now() })
    await endDueUsers(auth)
    expect(await getUser(auth, anonymous)).toMatchObject({ is_anonymized: true, identities: [] })
    expect(await findUsers(auth, { attribute: { name: 'name', value: 'c' } })).toEqual([])
    expect(await isThere(world, deleted)).toBe(true)
    clock.advance(minute)
    await endDueUsers(auth)
    expect(await isThere(world, deleted)).toBe(false)
    expect(await isThere(world, later)).toBe(true)
    expect((await getUser(auth, kept)).is_anonymized).toBe(false)
  })

  it('runs again at each interval until it is stopped', async () => {
    const world = testAuth()
    const running = startUserMaintenance(world.auth, { intervalMs: minute })
    const id = await make(world, 'a')
    await updateUser(world.auth, id, { delete_at: world.clock.now() + minute })
    await expect
      .poll(async () => {
        await nextTurn(world)
        return isThere(world, id)
      })
      .toBe(false)
    await running.stop()
    const other = await make(world, 'b')
    await updateUser(world.auth, other, { delete_at: world.clock.now() })
    await nextTurn(world)
    expect(await isThere(world, other)).toBe(true)
  })

  it('emits events of the system', async () => {
    const world = testAuth()
    const id = await make(world, 'a')
    await updateUser(world.auth, id, { delete_at: world.clock.now() })
    await endDueUsers(world.auth)
    const { items } = await world.storage
      .find({ name: 'auth_outbox', fields: {}, feed: false }, { by: 'id', limit: 10 })
      .then((records) => ({ items: records.map(({ value }) => Object(value).event) }))
    expect(items.at(-1)).toMatchObject({
      type: 'user.deleted',
      context: { user_id: id, triggered_by: 'system' },
    })
  })

  it('by two processes ends each of many users once', async () => {
    const world = testAuth()
    const ids = await Promise.all(
      Array.from({ length: 250 }, (_, index) => make(world, `u${index}`)),
    )
    for (const id of ids) await updateUser(world.auth, id, { delete_at: world.clock.now() })
    const [one, other] = [
      startUserMaintenance(world.auth),
      startUserMaintenance(testAuth({}, { storage: world.storage, clock: world.clock }).auth),
    ]
    await expect
      .poll(async () => (await Promise.all(ids.map((id) => isThere(world, id)))).includes(true))
      .toBe(false)
    await Promise.all([one.stop(), other.stop()])
    const events = await world.storage.find(
      { name: 'auth_outbox', fields: {}, feed: false },
      { by: 'id', limit: 10_000 },
    )
    const deleted = events.filter(({ value }) => Object(value).event.type === 'user.deleted')
    expect(deleted).toHaveLength(250)
  })
})
