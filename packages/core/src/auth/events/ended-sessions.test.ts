import { describe, expect, it } from 'vitest'
import type { AuthorizationBridge, EndedSessions } from '../flow/session/authorization-bridge.ts'
import { createAnonymousUser } from '../people/create-anonymous-user.ts'
import { createUser } from '../people/create-user.ts'
import { deleteUser } from '../people/delete-user.ts'
import { updateUser } from '../people/update-user.ts'
import { testAuth } from '../service.fixture.ts'
import { createSession } from '../sessions/create-session.ts'
import { revokeAllSessions, revokeSession } from '../sessions/revoke-session.ts'
import { startEvents } from '../start/start-events.ts'

/** A service with a bridge that keeps what it was told, and fails as long as `isDown`. */
async function withBridge() {
  const told: EndedSessions[] = []
  const state = { isDown: false }
  const authorizationBridge: AuthorizationBridge = {
    resolve: async () => undefined,
    finish: async () => '',
    async sessionsEnded(ended) {
      told.push(ended)
      if (state.isDown) throw new Error('it is down')
    },
  }
  const client = { client_id: 'kiosk', x_max_concurrent_session: 1 }
  const world = testAuth(
    { authentication: { identities: ['login_id', 'anonymous'] }, oauth: { clients: [client] } },
    { authorizationBridge, onEvent: undefined },
  )
  const userId = await createUser(world.auth, { email: 'maya@harborlight.example' })
  const open = (given = {}) => createSession(world.auth, userId, given)
  /** Delivers what waits, after some seconds. */
  const deliver = async (seconds = 1): Promise<readonly EndedSessions[]> => {
    const running = startEvents(world.auth)
    for (let second = 0; second <= seconds; second++) {
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
      world.clock.advance(1_000)
    }
    await running.stop()
    return told.splice(0)
  }
  return { ...world, userId, open, deliver, state }
}

describe('the authorization bridge', () => {
  it('is told of sessions that were removed, and of users who may not sign in', async () => {
    const { auth, userId, open, deliver } = await withBridge()
    const ids: string[] = []
    for (let one = 0; one < 4; one++) ids.push((await open()).session.id)
    const [first = '', second, third, fourth = ''] = ids
    await revokeSession(auth, first)
    expect(await deliver()).toEqual([{ sessions: [first], users: [] }])
    await revokeAllSessions(auth, userId, { except: fourth })
    const [others] = await deliver()
    expect(new Set(others?.sessions)).toEqual(new Set([second, third]))
    await updateUser(auth, userId, { is_disabled: true })
    expect(await deliver()).toEqual([{ sessions: [], users: [userId] }])
    await deleteUser(auth, userId)
    expect(await deliver()).toEqual([{ sessions: [fourth], users: [] }])
  })

  it('is told of a session that another one replaces', async () => {
    const { auth, open, deliver } = await withBridge()
    const kiosk = await open({ client_id: 'kiosk' })
    await open({ client_id: 'kiosk' })
    expect(await deliver()).toEqual([{ sessions: [kiosk.session.id], users: [] }])
    const { session, cookies } = await open()
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    await createAnonymousUser(auth, { cookie })
    expect(await deliver()).toEqual([{ sessions: [session.id], users: [] }])
  })

  it('is not told of what ends no session', async () => {
    const { auth, userId, open, deliver } = await withBridge()
    await open()
    await updateUser(auth, userId, { custom_attributes: { x_size: 'S' } })
    expect(await deliver()).toEqual([])
  })

  it('is told again of the same sessions until it accepts', async () => {
    const { auth, open, deliver, state } = await withBridge()
    const { session } = await open()
    state.isDown = true
    await revokeSession(auth, session.id)
    const ended = { sessions: [session.id], users: [] }
    expect(await deliver()).toEqual([ended])
    state.isDown = false
    expect(await deliver(3)).toEqual([ended])
    expect(await deliver(10)).toEqual([])
  })
})
