import { describe, expect, it } from 'vitest'
import type { Authorize, Subject } from '../../authorization/authorize.ts'
import { fetchHandler } from '../../http/fetch-handler.ts'
import { identifyRequests } from '../../http/identify-requests.ts'
import { createFlow } from '../flows/create-flow.ts'
import { maya } from '../own-account/account.fixture.ts'
import { accountRoutes } from '../own-account/account-routes.ts'
import { listActivity } from '../own-account/list-activity.ts'
import { revokeOwnSession } from '../own-account/own-sessions.ts'
import { createUser } from '../people/create-user.ts'
import { listAuthEvents } from '../people/list-auth-events.ts'
import { disableUser } from '../people/update-user.ts'
import { type ConfigDelta, testAuth } from '../service.fixture.ts'
import { requireFresh } from '../sessions/require-fresh.ts'
import { resolveSession } from '../sessions/resolve-session.ts'
import { startEvents } from '../start/start-events.ts'
import { createApiKey } from '../tokens/create-api-key.ts'
import { issueTokens } from '../tokens/issue-tokens.ts'
import { impersonateUser } from './impersonate-user.ts'
import { userRoutes } from './user-routes.ts'

const origin = 'https://auth.example.com'

/** Subjects do what their roles are called. */
const byRole: Authorize = (subject, action) => subject?.roles?.includes(action) === true

async function house(delta: ConfigDelta = {}, roles: readonly string[] = []) {
  const world = testAuth(delta, { authorize: byRole })
  const id = await createUser(world.auth, { ...maya, email_verified: true })
  const subjectOf = (user: { readonly id: string }): Subject | undefined =>
    roles.length === 0 ? undefined : { id: user.id, kind: 'session', roles }
  const routes = [...userRoutes(world.auth, { subjectOf }), ...accountRoutes(world.auth)]
  const handle = fetchHandler(
    identifyRequests(routes, ({ headers }): Subject | undefined => {
      const own = headers.get('x-roles')?.split(' ')
      return own && { id: 'olga', kind: 'user', roles: own }
    }),
  )
  const send = async (method: string, path: string, headers: object = {}, body?: object) => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await handle(
      new Request(`${origin}${path}`, {
        method,
        headers: { ...headers, ...json },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    const cookies = response.headers.getSetCookie()
    return { status: response.status, cookies, body: text && JSON.parse(text) }
  }
  const begin = (own = 'users:impersonate', more: object = {}, reason = 'ticket 4711') =>
    send('POST', `/gatehouse/v1/users/${id}/impersonate`, { 'x-roles': own, ...more }, { reason })
  const act = async () => {
    const opened = await impersonateUser(world.auth, id, { operator: 'olga', reason: 'ticket' })
    return { ...opened, headers: { cookie: `session=${opened.token}` } }
  }
  return { ...world, id, send, begin, act }
}

describe('an operator who acts as a user', () => {
  it('gets a short session that names the operator, to the user as well', async () => {
    const world = await house()
    const { status, body, cookies } = await world.begin()
    expect([status, body.expiresAt]).toEqual([200, '2026-03-04T10:30:00.000Z'])
    expect(cookies[0]).toMatch(/^session=.*; Max-Age=1800; HttpOnly; Secure; SameSite=Lax$/)
    const headers = { cookie: cookies[0]?.split(';')[0] ?? '' }
    const request = new Request(origin, { headers })
    const session = await resolveSession(world.auth, request)
    expect(session).toMatchObject({ user_id: world.id, impersonated_by: 'olga', amr: [], aal: 1 })
    const shown = await world.send('GET', '/api/v1/account', headers)
    expect(shown.body.result.sessions).toMatchObject([
      { impersonated_by: 'olga', is_current: true },
    ])
    // Using it does not make it last.
    world.clock.advance(29 * 60_000)
    expect(await resolveSession(world.auth, request)).toBeDefined()
    world.clock.advance(60_000)
    expect(await resolveSession(world.auth, request)).toBeUndefined()
  })

  it('needs the right, a name and a reason, and a host that says whom users are', async () => {
    const world = await house()
    expect((await world.begin('users:manage')).status).toBe(403)
    expect((await world.begin('users:impersonate', {}, ' ')).body).toMatchObject({
      reason: 'InvalidInput',
      info: { path: 'reason' },
    })
    const closed = fetchHandler(userRoutes(world.auth))
    const path = `${origin}/gatehouse/v1/users/${world.id}/impersonate`
    expect((await closed(new Request(path, { method: 'POST' }))).status).toBe(404)
    await disableUser(world.auth, world.id)
    expect((await world.begin()).body.reason).toBe('DisabledUser')
  })

  it('acts as nobody who may do more, and not from within such a session', async () => {
    const world = await house({}, ['users:impersonate', 'config:read'])
    expect((await world.begin()).body).toMatchObject({
      reason: 'ImpersonationForbidden',
      info: { action: 'config:read' },
    })
    expect((await world.begin('users:impersonate config:read')).status).toBe(200)
    const { headers } = await world.act()
    const nested = await world.begin('users:impersonate config:read', headers)
    expect(nested.body.reason).toBe('ImpersonationForbidden')
  })

  it('changes nothing about how the user signs in, and has authenticated as nobody', async () => {
    const world = await house({ account_deletion: { scheduled_by_end_user_enabled: true } })
    const own = await world.act()
    const other = await world.act()
    const identity = (await world.send('GET', '/api/v1/account', own.headers)).body.result
      .identities[0].id
    const calls = [
      ['POST', 'flows', { change_password: 'primary' }],
      ['POST', 'flows', { add_identity: 'email' }],
      ['POST', 'flows', { create_passkey: true }],
      ['DELETE', `identities/${identity}`],
      ['DELETE', 'authenticators/x'],
      ['POST', 'deletion'],
      ['POST', 'device-tokens/revoke'],
      ['POST', 'sessions/revoke-others'],
      ['DELETE', `sessions/${other.session.id}`],
    ] as const
    for (const [method, path, body] of calls) {
      const refused = await world.send(method, `/api/v1/account/${path}`, own.headers, body)
      expect([path, refused.body.error?.reason]).toEqual([path, 'Impersonated'])
    }
    expect(() => requireFresh(world.auth, own.session, { maxAgeMs: 60_000 })).toThrow(
      'authenticate again',
    )
  })

  it('is not known to flows as the user', async () => {
    const world = await house({
      authentication_flow: {
        login_flows: [
          {
            name: 'default',
            steps: [
              {
                type: 'identify',
                one_of: [{ identification: 'select_account' }, { identification: 'email' }],
              },
            ],
          },
        ],
      },
    })
    const { token } = await world.act()
    const flow = await createFlow(
      world.auth,
      { type: 'login', name: 'default' },
      { cookie: `session=${token}` },
    )
    expect(JSON.stringify(flow.ok && flow.result.action.data)).not.toContain('select_account')
  })

  it('is in the audit log with both names, and ends by either', async () => {
    const world = await house({ messaging: { notices: { impersonated: true } } })
    const { session, headers } = await world.act()
    await world.send('PATCH', '/api/v1/account/profile', headers, {
      attributes: [{ pointer: '/name', value: 'Maya' }],
    })
    await world.send('POST', '/api/v1/account/sign-out', headers)
    const again = await world.act()
    await revokeOwnSession(
      world.auth,
      { ...session, id: 'of-maya', impersonated_by: undefined } as never,
      again.session.id,
    )
    expect(await resolveSession(world.auth, new Request(origin, again))).toBeUndefined()
    const running = startEvents(world.auth)
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
    await running.stop()
    const { items } = await listAuthEvents(world.auth, { user_id: world.id })
    const acts = items.filter(({ payload }) => payload.impersonator !== undefined).reverse()
    expect(acts.map(({ type, payload }) => [type, Object(payload.impersonator).id])).toEqual([
      ['user.impersonated', 'olga'],
      ['user.profile.updated', 'olga'],
      ['user.signed_out', 'olga'],
      ['user.impersonated', 'olga'],
    ])
    expect(acts[0]?.payload).toMatchObject({ reason: 'ticket', session: { id: session.id } })
    const activity = await listActivity(world.auth, session)
    expect(activity.items.find(({ type }) => type === 'user.impersonated')).toMatchObject({
      about: 'olga',
    })
    expect(world.outbox.messages.map(({ kind }) => kind)).toContain('impersonated')
  })

  it('is named in access tokens', async () => {
    const world = await house({ tokens: {} })
    const { session } = await world.act()
    const { access_token: token } = await issueTokens(world.auth, session)
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({ sub: world.id, act: { sub: 'olga' } })
    // Services that ask for a recent authentication must not take it for one.
    expect(claims).not.toHaveProperty('auth_time')
  })

  it('is not outlived by access tokens, which others verify without asking', async () => {
    const world = await house({ tokens: { access_token_lifetime_seconds: 600 } })
    const { session } = await world.act()
    world.clock.advance(25 * 60_000)
    const { access_token: token, expires_in } = await issueTokens(world.auth, session)
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    expect([expires_in, claims.exp * 1_000]).toEqual([300, session.expires_at])
  })

  it('manages nobody, so that nothing is recorded as done by the user', async () => {
    const world = await house({ api_keys: { scopes: ['orders:read'] } })
    const { headers } = await world.act()
    const all = { ...headers, 'x-roles': 'users:manage api-keys:manage' }
    const key = { userId: world.id, name: 'x', scopes: ['orders:read'] }
    for (const [method, path, body] of [
      ['POST', 'api-keys', key],
      ['POST', 'users', { email: 'eve@harborlight.example' }],
      ['DELETE', `users/${world.id}`],
    ] as const) {
      const refused = await world.send(method, `/gatehouse/v1/${path}`, all, body)
      expect([refused.status, refused.body.reason]).toEqual([403, 'ImpersonationForbidden'])
    }
    expect((await world.send('GET', '/gatehouse/v1/users', all)).status).toBe(200)
  })

  it('makes, and ends, no API key that would last', async () => {
    const world = await house({ api_keys: { scopes: ['a'], own_scopes: ['a'] } })
    const { headers } = await world.act()
    const { api_key } = await createApiKey(world.auth, {
      user_id: world.id,
      name: 'own',
      scopes: ['a'],
    })
    const place = '/api/v1/account/api-keys'
    for (const refused of [
      await world.send('POST', place, headers, { name: 'x', scopes: ['a'] }),
      await world.send('DELETE', `${place}/${api_key.id}`, headers),
    ]) {
      expect([refused.status, refused.body.error.reason]).toEqual([403, 'Impersonated'])
    }
    const listed = await world.send('GET', place, headers)
    expect(listed.body.result.items).toMatchObject([{ id: api_key.id }])
  })
})
