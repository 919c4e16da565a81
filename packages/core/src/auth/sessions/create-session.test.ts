import { describe, expect, it } from 'vitest'
import { createUser } from '../people/create-user.ts'
import { disableUser } from '../people/update-user.ts'
import { type ConfigDelta, testAuth } from '../service.fixture.ts'
import { waitingEvents } from './browser.fixture.ts'
import { createSession } from './create-session.ts'
import { listSessions } from './list-sessions.ts'
import { resolveSessionToken } from './resolve-session.ts'

async function withMaya(delta: ConfigDelta = {}) {
  const world = testAuth(delta)
  const userId = await createUser(world.auth, { preferred_username: 'maya' })
  return { ...world, userId }
}

const secret = 'a'.repeat(32)

describe('a session opened by the program', () => {
  it('works like any other session', async () => {
    const world = await withMaya()
    const { auth, clock, userId } = world
    const options = { client_id: 'app', amr: ['pwd', 'mfa'], ip: '192.0.2.1', userAgent: 'phone' }
    const { session, token, cookies } = await createSession(auth, userId, options)
    const now = clock.now()
    expect(session).toEqual({
      id: token.split('.')[0],
      user_id: userId,
      client_id: 'app',
      created_at: now,
      authenticated_at: now,
      last_accessed_at: now,
      last_accessed_ip: '192.0.2.1',
      last_accessed_user_agent: 'phone',
      amr: ['mfa', 'pwd'],
      amr_at: { mfa: now, pwd: now },
      aal: 2,
      expires_at: now + 30 * 86_400_000,
    })
    expect(await resolveSessionToken(auth, token)).toEqual(session)
    expect(cookies).toMatchObject([{ name: 'session', value: token }, { name: 'same_site_strict' }])
    expect((await waitingEvents(world)).at(-1)).toMatchObject({
      type: 'user.authenticated',
      payload: { user: { id: userId }, session: { id: session.id, amr: ['mfa', 'pwd'] } },
      context: { triggered_by: 'admin_api', user_id: userId },
    })
  })

  it('can take over the id and token of another system', async () => {
    const { auth, userId } = await withMaya()
    const taken = await createSession(auth, userId, { token: `s-1.${secret}` })
    expect(taken.session.id).toBe('s-1')
    expect(await resolveSessionToken(auth, `s-1.${secret}`)).toMatchObject({ user_id: userId })
    const named = await createSession(auth, userId, { id: 's-2' })
    expect(named.token).toMatch(/^s-2\.[A-Za-z0-9]{32}$/)
    await expect(createSession(auth, userId, { id: 's-2' })).rejects.toMatchObject({
      kind: 'AlreadyExists',
      reason: 'SessionExists',
    })
    expect(await resolveSessionToken(auth, named.token)).toBeDefined()
  })

  it('refuses malformed ids and tokens', async () => {
    const { auth, userId } = await withMaya()
    const wrong = [
      { id: '' },
      { id: 'x'.repeat(65) },
      { id: 'a.b' },
      { id: 'a\0' },
      { token: secret },
      { token: `.${secret}` },
      { token: 'a.short' },
      { token: `a.${'x'.repeat(257)}` },
      { token: `a.${secret};` },
      { id: 'b', token: `a.${secret}` },
    ]
    for (const options of wrong) {
      await expect(createSession(auth, userId, options)).rejects.toMatchObject({
        reason: 'InvalidInput',
      })
    }
    expect(await listSessions(auth, userId)).toEqual([])
  })

  it('needs a user who may sign in', async () => {
    const { auth, userId } = await withMaya()
    await expect(createSession(auth, 'nobody')).rejects.toMatchObject({ reason: 'UserNotFound' })
    await disableUser(auth, userId, { reason: 'away' })
    await expect(createSession(auth, userId)).rejects.toMatchObject({
      reason: 'DisabledUser',
      info: { reason: 'away' },
    })
  })

  it('is the only one of a client that allows one session, however many are opened at once', async () => {
    const client = { redirect_uris: ['https://app.example/cb'], x_max_concurrent_session: 1 }
    const { auth, userId } = await withMaya({
      oauth: { clients: [{ client_id: 'bank', ...client }] },
    })
    await createSession(auth, userId, { client_id: 'shop' })
    await Promise.all(
      Array.from({ length: 5 }, () => createSession(auth, userId, { client_id: 'bank' })),
    )
    const clients = (await listSessions(auth, userId)).map(({ client_id }) => client_id)
    expect(clients.sort()).toEqual(['bank', 'shop'])
  })
})
