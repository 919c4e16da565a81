import { describe, expect, it } from 'vitest'
import { testAuth } from '../service.fixture.ts'
import { createSession } from '../sessions/create-session.ts'
import { resolveSessionToken } from '../sessions/resolve-session.ts'
import { changesOf, sessionOf, signedIn, tom } from './account.fixture.ts'
import { listOwnSessions, revokeOtherSessions, revokeOwnSession } from './own-sessions.ts'

/** A user with three sessions, the oldest first, and another user. */
async function house() {
  const world = testAuth()
  const other = await signedIn(world, tom)
  const first = await signedIn(world)
  world.clock.advance(1_000)
  const second = await sessionOf(world, first.id)
  world.clock.advance(1_000)
  const third = await sessionOf(world, first.id)
  const isThere = async ({ request }: typeof first): Promise<boolean> =>
    (await resolveSessionToken(world.auth, request.cookie.slice('session='.length))) !== undefined
  return { ...world, other, first, second, third, isThere }
}

describe('the sessions of a user', () => {
  it('are listed, newest first, with the current one marked', async () => {
    const { auth, first, second, third } = await house()
    const listed = await listOwnSessions(auth, second.session)
    expect(listed.map(({ id, is_current }) => [id, is_current])).toEqual([
      [third.session.id, false],
      [second.session.id, true],
      [first.session.id, false],
    ])
    expect(JSON.stringify(listed)).not.toContain('token')
  })

  it('have the country of their last address, if it is known', async () => {
    const geoIp = (ip: string) => (ip === '198.51.100.4' ? 'NO' : undefined)
    const world = testAuth({}, { geoIp })
    const { session, id } = await signedIn(world)
    const created = await createSession(world.auth, id, { amr: ['pwd'], ip: '198.51.100.4' })
    const listed = await listOwnSessions(world.auth, session)
    const places = listed.map((one) => [one.id, one.geo_location_code])
    expect(Object.fromEntries(places)).toEqual({
      [created.session.id]: 'NO',
      [session.id]: undefined,
    })
  })

  it("are ended one by one; another user's are not found", async () => {
    const world = await house()
    const { auth, other, first, second, isThere } = world
    await revokeOwnSession(auth, first.session, second.session.id, first.request)
    expect(await isThere(second)).toBe(false)
    for (const id of [second.session.id, other.session.id, 'nothing', '', '\0']) {
      await expect(revokeOwnSession(auth, first.session, id)).rejects.toMatchObject({
        reason: 'SessionNotFound',
        kind: 'NotFound',
      })
    }
    expect(await isThere(other)).toBe(true)
    await revokeOwnSession(auth, first.session, first.session.id)
    expect(await isThere(first)).toBe(false)
    expect((await changesOf(world))[0]).toMatchObject({
      type: 'user.session.terminated',
      payload: { sessions: [{ id: second.session.id }], termination_type: 'individual' },
      context: { user_id: first.id, triggered_by: 'user', ip_address: '192.0.2.7' },
    })
  })

  it('are ended together, except the current one', async () => {
    const world = await house()
    const { auth, other, first, second, third, isThere } = world
    expect(await revokeOtherSessions(auth, second.session)).toBe(2)
    expect(await revokeOtherSessions(auth, second.session)).toBe(0)
    const there = await Promise.all([first, second, third, other].map(isThere))
    expect(there).toEqual([false, true, false, true])
    const [event, ...more] = await changesOf(world)
    expect(event?.payload.termination_type).toBe('all_except_current')
    expect(more).toEqual([])
  })
})
