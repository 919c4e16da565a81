import { describe, expect, it } from 'vitest'
import { sessionCollection } from '../accounts/session-record.ts'
import { createFlow } from '../flows/create-flow.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { createUser } from '../people/create-user.ts'
import { deleteUser } from '../people/delete-user.ts'
import { disableUser, enableUser, updateUser } from '../people/update-user.ts'
import { type ConfigDelta, stateOf, type TestAuth, testAuth } from '../service.fixture.ts'
import { waitingEvents } from './browser.fixture.ts'
import { listSessions } from './list-sessions.ts'
import { resolveSession, resolveSessionToken } from './resolve-session.ts'
import { logout, revokeAllSessions, revokeSession } from './revoke-session.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const day = 86_400_000

/** A service in which Maya is signed in. */
async function signedIn(delta: ConfigDelta = {}) {
  const world = testAuth(delta)
  const userId = await createUser(world.auth, { email, password })
  return { ...world, userId, token: await signIn(world) }
}

/** Signs Maya in; returns the token of the session. */
async function signIn({ auth }: TestAuth, request: RequestContext = {}): Promise<string> {
  const inputs = [
    { identification: 'email', login_id: email },
    { authentication: 'primary_password', password },
  ]
  const params = { type: 'login', name: 'default', batch_input: inputs } as const
  const result = await createFlow(auth, params, request)
  expect(stateOf(result).action.type).toBe('finished')
  return result.cookies[0]?.value ?? ''
}

const requestWith = (cookie: string) => new Request('https://app.example', { headers: { cookie } })

describe('a session', () => {
  it('is found by its cookie, with its user and their authentication', async () => {
    const { auth, clock, token, userId } = await signedIn()
    const session = await resolveSession(auth, requestWith(`theme=dark; session=${token}`))
    expect(session).toEqual({
      id: token.slice(0, token.indexOf('.')),
      user_id: userId,
      client_id: null,
      created_at: clock.now(),
      authenticated_at: clock.now(),
      last_accessed_at: clock.now(),
      last_accessed_ip: '0.0.0.0',
      last_accessed_user_agent: null,
      amr: ['pwd', 'x_primary_password'],
      amr_at: { pwd: clock.now(), x_primary_password: clock.now() },
      aal: 1,
      expires_at: clock.now() + 30 * day,
    })
  })

  it('is found only by a cookie with the prefix of the configuration', async () => {
    const { auth, token } = await signedIn({
      http: { public_origin: 'https://auth.example.com', cookie_prefix: 'app_' },
    })
    expect(await resolveSession(auth, requestWith(`session=${token}`))).toBeUndefined()
    expect(await resolveSession(auth, requestWith(`app_session=${token}`))).toBeDefined()
  })

  it('is not found without its whole token', async () => {
    const { auth, token } = await signedIn()
    const [id = ''] = token.split('.')
    const others = ['', '.', id, `${id}.`, `${id}.${'x'.repeat(32)}`, `${token}x`, `x.${token}`]
    for (const other of others) expect(await resolveSessionToken(auth, other)).toBeUndefined()
    expect(await resolveSession(auth, { headers: new Headers() })).toBeUndefined()
  })

  it('ends after 30 days without use', async () => {
    const { auth, clock, token } = await signedIn()
    clock.advance(30 * day - 1)
    expect(await resolveSessionToken(auth, token)).toBeDefined()
    clock.advance(30 * day - 1)
    expect(await resolveSessionToken(auth, token)).toBeDefined()
    clock.advance(30 * day)
    expect(await resolveSessionToken(auth, token)).toBeUndefined()
  })

  it('ends after 52 weeks, however often it was used', async () => {
    const { auth, clock, token } = await signedIn()
    for (let week = 1; week < 52; week++) {
      clock.advance(7 * day)
      expect(await resolveSessionToken(auth, token)).toBeDefined()
    }
    clock.advance(7 * day - 1)
    expect((await resolveSessionToken(auth, token))?.expires_at).toBe(clock.now() + 1)
    clock.advance(1)
    expect(await resolveSessionToken(auth, token)).toBeUndefined()
  })

  it('has no idle timeout if none is configured', async () => {
    const session = { idle_timeout_enabled: false, lifetime_seconds: 100 * 86_400 }
    const { auth, clock, token } = await signedIn({ session })
    clock.advance(100 * day - 1)
    expect(await resolveSessionToken(auth, token)).toBeDefined()
    clock.advance(1)
    expect(await resolveSessionToken(auth, token)).toBeUndefined()
  })

  it('records an access at most once a minute', async () => {
    const { auth, clock, storage, token } = await signedIn()
    const [id = ''] = token.split('.')
    const versions = new Set<unknown>()
    for (let second = 0; second < 120; second += 10) {
      await resolveSessionToken(auth, token, { ip: `192.0.2.${second}`, userAgent: 'app' })
      versions.add((await sessionCollection.get(storage, id))?.version)
      clock.advance(10_000)
    }
    expect(versions.size).toBe(2)
    expect(await resolveSessionToken(auth, token, { ip: '198.51.100.7' })).toMatchObject({
      last_accessed_at: clock.now(),
      last_accessed_ip: '198.51.100.7',
      last_accessed_user_agent: 'app',
    })
  })

  it('is found by each of many concurrent requests', async () => {
    const { auth, clock, token } = await signedIn()
    clock.advance(120_000)
    const found = await Promise.all(
      Array.from({ length: 20 }, () => resolveSessionToken(auth, token)),
    )
    expect(found.filter((session) => session === undefined)).toEqual([])
  })

  it('is not found while its user may not sign in', async () => {
    const { auth, clock, token, userId } = await signedIn()
    await disableUser(auth, userId)
    expect(await resolveSessionToken(auth, token)).toBeUndefined()
    await enableUser(auth, userId)
    expect(await resolveSessionToken(auth, token)).toBeDefined()
    await updateUser(auth, userId, { account_valid_until: clock.now() + 1 })
    expect(await resolveSessionToken(auth, token)).toBeDefined()
    clock.advance(1)
    expect(await resolveSessionToken(auth, token)).toBeUndefined()
  })

  it('is not found after its user was deleted', async () => {
    const { auth, token, userId } = await signedIn()
    await deleteUser(auth, userId)
    expect(await resolveSessionToken(auth, token)).toBeUndefined()
  })

  it('is replaced by the next login of its browser, not by one of another browser', async () => {
    const world = await signedIn()
    const elsewhere = await signIn(world)
    const next = await signIn(world, { cookie: `session=${world.token}` })
    expect(await resolveSessionToken(world.auth, world.token)).toBeUndefined()
    expect(await resolveSessionToken(world.auth, elsewhere)).toBeDefined()
    expect(await resolveSessionToken(world.auth, next)).toBeDefined()
  })

  it('is not ended by a login that knows only its id', async () => {
    const world = await signedIn()
    const [id = ''] = world.token.split('.')
    await signIn(world, { cookie: `session=${id}.guessed` })
    expect(await resolveSessionToken(world.auth, world.token)).toBeDefined()
  })
})

describe('the sessions of a user', () => {
  it('are listed newest first, without their tokens, until they end', async () => {
    const world = await signedIn()
    world.clock.advance(day)
    const second = await signIn(world, { ip: '192.0.2.1', userAgent: 'phone' })
    const sessions = await listSessions(world.auth, world.userId)
    expect(sessions.map(({ id }) => id)).toEqual(
      [second, world.token].map((token) => token.split('.')[0]),
    )
    expect(sessions[0]).toMatchObject({
      last_accessed_ip: '192.0.2.1',
      last_accessed_user_agent: 'phone',
    })
    expect(JSON.stringify(sessions)).not.toContain('hash')
    world.clock.advance(29 * day)
    expect(await listSessions(world.auth, world.userId)).toHaveLength(1)
    expect(await listSessions(world.auth, 'nobody')).toEqual([])
  })

  it('can be ended one by one', async () => {
    const world = await signedIn()
    const other = await signIn(world)
    await revokeSession(world.auth, world.token.split('.')[0] ?? '')
    await revokeSession(world.auth, 'unknown')
    expect(await resolveSessionToken(world.auth, world.token)).toBeUndefined()
    expect(await resolveSessionToken(world.auth, other)).toBeDefined()
  })

  it('can be ended all at once, or all but one', async () => {
    const world = await signedIn()
    await signIn(world)
    const [except = ''] = (await signIn(world)).split('.')
    await revokeAllSessions(world.auth, world.userId, { except })
    expect((await listSessions(world.auth, world.userId)).map(({ id }) => id)).toEqual([except])
    await revokeAllSessions(world.auth, world.userId)
    await revokeAllSessions(world.auth, world.userId)
    expect(await listSessions(world.auth, world.userId)).toEqual([])
  })
})

describe('a logout', () => {
  it('ends the session and its cookies', async () => {
    const { auth, token } = await signedIn()
    const cookies = await logout(auth, requestWith(`session=${token}`))
    expect(cookies).toMatchObject([
      { name: 'session', value: '', maxAge: 0 },
      { name: 'same_site_strict', value: '', maxAge: 0 },
    ])
    expect(await resolveSessionToken(auth, token)).toBeUndefined()
  })

  it('is delivered as one event, however many pages log out at the same time', async () => {
    const world = await signedIn()
    const request = requestWith(`session=${world.token}`)
    await Promise.all(Array.from({ length: 5 }, () => logout(world.auth, request)))
    const events = (await waitingEvents(world)).filter(({ type }) => type === 'user.signed_out')
    expect(events).toMatchObject([
      { payload: { user: { id: world.userId }, session: { id: world.token.split('.')[0] } } },
    ])
  })

  it('ends the cookies even without a session', async () => {
    const { auth, token } = await signedIn()
    expect(await logout(auth, requestWith('session=x.y'))).toHaveLength(2)
    expect(await resolveSessionToken(auth, token)).toBeDefined()
  })
})
