import { describe, expect, it } from 'vitest'
import type { Authorize, Subject } from '../../authorization/authorize.ts'
import { fetchHandler } from '../../http/fetch-handler.ts'
import { identifyRequests } from '../../http/identify-requests.ts'
import { apiKeyCollection } from '../accounts/api-key-record.ts'
import type { AuthOptions } from '../auth-options.ts'
import { maya, sessionOf, signedIn } from '../own-account/account.fixture.ts'
import { addAuthenticator } from '../people/add-authenticator.ts'
import { addRecoveryCodes } from '../people/add-recovery-codes.ts'
import { createUser } from '../people/create-user.ts'
import { type ConfigDelta, startFlow, testAuth } from '../service.fixture.ts'
import { startEvents } from '../start/start-events.ts'
import { userRoutes } from './user-routes.ts'

const root = '/gatehouse/v1'
const base = `${root}/users`
const secret = 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN'

const onlyOlga: Authorize = (subject, action) =>
  (subject?.id === 'olga' && action === 'users:manage') ||
  (subject?.id === 'kim' && action === 'api-keys:manage')

/** A service whose senders name themselves in a header. */
function house(options: Partial<AuthOptions> = { authorize: onlyOlga }, delta: ConfigDelta = {}) {
  const lines: object[] = []
  const ignore = (): void => {}
  const log = (fields: object): number => lines.push(fields)
  const logger = { debug: ignore, info: log, warn: ignore, error: ignore }
  const world = testAuth(delta, { logger, ...options })
  const routes = userRoutes(world.auth)
  const handle = fetchHandler(
    identifyRequests(routes, ({ headers }): Subject | undefined => {
      const id = headers.get('x-user')
      return id === null ? undefined : { id, kind: 'user' }
    }),
  )
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = { 'x-user': 'olga' },
  ) => {
    const response = await handle(
      new Request(`https://auth.example.com${path.startsWith(root) ? '' : base}${path}`, {
        method,
        headers: {
          ...headers,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text && JSON.parse(text),
    }
  }
  return { ...world, routes, send, lines }
}

/** A body that every route with one accepts at first sight. */
const bodies: Readonly<Record<string, unknown>> = {
  [`${base}`]: { email: 'x@example.com' },
  [`${base}/import`]: { users: [] },
  [`${base}/:id/disable`]: {},
  [`${root}/invitations`]: { email: 'x@example.com' },
  [`${root}/api-keys`]: { service: 'billing', name: 'n', scopes: [] },
}

describe('the events of what operators do', () => {
  it('name the operator, and nobody for what the program does', async () => {
    const { send, auth } = house({ authorize: onlyOlga, auditRetentionMs: 60_000 })
    const events = startEvents(auth)
    const id = await createUser(auth, maya)
    expect((await send('POST', `/${id}/disable`, {})).status).toBe(200)
    await events.stop()
    const { body } = await send('GET', `/${id}/events`)
    expect(
      body.items.map(({ type, triggeredBy, operator }: Record<string, unknown>) => [
        type,
        triggeredBy,
        operator,
      ]),
    ).toEqual([
      ['user.profile.updated', 'admin_api', 'olga'],
      ['user.created', 'admin_api', undefined],
    ])
  })
})

describe('the routes for the management of users', () => {
  it('do not exist without authorize', () => {
    expect(userRoutes(testAuth().auth)).toEqual([])
  })

  it('refuse unknown senders and those without the right, before anything happens', async () => {
    const { routes, send, auth } = house()
    const id = await createUser(auth, maya)
    for (const { method, path, action } of routes) {
      if (action === 'public') continue
      expect(action).toBe(path.includes('api-keys') ? 'api-keys:manage' : 'users:manage')
      const place = path.replace(':id', id).replace(':session', 's')
      const body = method === 'POST' ? bodies[path] : undefined
      const unknown = await send(method, place, body, {})
      expect([method, path, unknown.status]).toEqual([method, path, 401])
      expect(unknown.headers.get('www-authenticate')).toBe('Bearer')
      const known = await send(method, place, body, { 'x-user': 'maya' })
      expect([method, path, known.status]).toEqual([method, path, 403])
      if (method !== 'HEAD') expect(known.body.reason).toBe('NotAllowed')
    }
    const { items: users } = (await send('GET', '')).body
    expect(users).toMatchObject([{ id, isDisabled: false }])
  })

  it.each([
    { origin: 'https://evil.example' },
    { origin: 'https://page.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ])('refuse pages of other origins, also those that may sign people in: %o', async (headers) => {
    const http = {
      public_origin: 'https://auth.example.com',
      allowed_origins: ['https://page.example'],
    }
    const { send } = house(undefined, { http })
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? { email: 'x@example.com' } : undefined
      const { status } = await send(method, '', body, { 'x-user': 'olga', ...headers })
      expect(status).toBe(403)
    }
    const own = { 'x-user': 'olga', origin: 'https://auth.example.com' }
    expect((await send('POST', '', { email: 'x@example.com' }, own)).status).toBe(200)
  })

  it('show an account without secrets', async () => {
    const geoIp = (): string => 'NO'
    const world = house({ authorize: onlyOlga, geoIp })
    const { auth, send } = world
    const person = await signedIn(world)
    await addAuthenticator(auth, person.id, { type: 'totp', secret, display_name: 'phone' })
    await addRecoveryCodes(auth, person.id)
    const { status, headers, text, body } = await send('GET', `/${person.id}`)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toMatchObject({
      user: { id: person.id, standardAttributes: { email: maya.email }, isDisabled: false },
      isVerified: true,
      identities: [{ original: maya.email, isVerified: true }],
      authenticators: [
        { type: 'password', kind: 'primary' },
        { authentication: 'secondary_totp', displayName: 'phone' },
      ],
      recoveryCodes: 16,
      deviceTokens: 0,
      sessions: [{ id: person.session.id, createdAt: '2026-03-04T10:00:01.000Z' }],
      lockout: { attempts: 0, lockedUntil: null, addresses: [] },
    })
    expect(text).not.toMatch(/hash|secret|K5QW|is_?current|sealed|user_?id|unique_?key/i)
    expect((await send('GET', '/nobody')).body.reason).toBe('UserNotFound')
  })

  it('find users by id, login ID, its beginning, and name', async () => {
    const { auth, send } = house()
    const id = await createUser(auth, {
      email: 'Maya@harborlight.example',
      standard_attributes: { name: 'Maya Lund' },
    })
    await createUser(auth, { email: 'tom@harborlight.example' })
    const found = async (search: string): Promise<unknown[]> => {
      const { items } = (await send('GET', `?search=${encodeURIComponent(search)}`)).body
      return items.map((user: { id: string }) => user.id)
    }
    for (const text of [id, 'maya@HARBORLIGHT.example', 'may', ' Maya Lund ', 'Maya']) {
      expect([text, await found(text)]).toEqual([text, [id]])
    }
    for (const text of ['x', 'aya', '\u0000', 'a'.repeat(5_000)]) {
      expect(await found(text)).toEqual([])
    }
    expect((await send('GET', '')).body.items).toHaveLength(2)
  })

  it('list users page by page', async () => {
    const { auth, send, clock } = house()
    for (const name of ['a', 'b', 'c']) {
      await createUser(auth, { email: `${name}@x.example` })
      clock.advance(1)
    }
    const first = (await send('GET', '?limit=2')).body
    const second = (await send('GET', `?limit=2&after=${first.next}`)).body
    const emails = [...first.items, ...second.items].map(
      ({ standardAttributes: { email } }) => email,
    )
    expect(emails).toEqual(['c@x.example', 'b@x.example', 'a@x.example'])
    expect(second.next).toBeUndefined()
    for (const query of ['?limit=0', '?limit=many', '?after=x']) {
      const { status, body } = await send('GET', query)
      expect([status, body.reason]).toEqual([400, 'InvalidInput'])
    }
    const { body } = await send('GET', '?limit=many')
    expect(body.message).toBe('query.limit: expected a whole number from 1 to 1000, got "many"')
  })

  it.each([
    [
      { phoneNumber: 'x', display_name: 'y' },
      'display_name: expected "displayName", got an unknown key',
    ],
    [{ identities: [{ a_b: 1 }] }, 'identities[0].a_b: expected "aB", got an unknown key'],
    [JSON.parse('{"__proto__": 1}'), '__proto__: expected a key in camelCase, got an unknown key'],
    [{ [`a_${'b'.repeat(60_000)}`]: 1 }, expect.stringMatching(/^.{1,200}$/)],
  ])('refuse keys in other spellings, in a short message', async (user, message) => {
    const { status, body } = await house().send('POST', '', user)
    expect([status, body.reason, body.message]).toEqual([400, 'InvalidInput', message])
  })

  it('create, disable, enable and delete a user, and log who did', async () => {
    const { send, lines } = house()
    const created = await send('POST', '', { email: 'new@x.example', password: 'quiet-harbour-17' })
    const id = created.body.id
    expect(created.text).not.toContain('harbour')
    const userNow = async () => (await send('GET', `/${id}`)).body.user
    expect((await send('POST', `/${id}/disable`, { reason: 'gone' })).status).toBe(200)
    expect(await userNow()).toMatchObject({ isDisabled: true, disableReason: 'gone' })
    expect((await send('POST', `/${id}/enable`)).status).toBe(200)
    expect(await userNow()).toMatchObject({ isDisabled: false, disableReason: null })
    expect((await send('DELETE', `/${id}`)).status).toBe(200)
    expect((await send('DELETE', `/${id}`)).status).toBe(404)
    const changes = lines.filter((line) => 'subject' in line)
    expect(changes).toEqual([
      { method: 'POST', path: base, subject: 'olga', kind: 'user' },
      { method: 'POST', path: `${base}/${id}/disable`, subject: 'olga', kind: 'user' },
      { method: 'POST', path: `${base}/${id}/enable`, subject: 'olga', kind: 'user' },
      { method: 'DELETE', path: `${base}/${id}`, subject: 'olga', kind: 'user' },
    ])
  })

  it('import records, each with its result', async () => {
    const { send } = house()
    const users = [
      { email: 'a@x.example', email_verified: true },
      { email: 'not an address' },
      { email: 'a@x.example' },
      7,
    ]
    const { items } = (await send('POST', '/import', { users })).body
    expect(items).toMatchObject([
      { outcome: 'inserted', userId: expect.any(String) },
      { outcome: 'failed', error: { reason: 'ValidationFailed' } },
      { outcome: 'failed', error: { reason: 'InvariantViolated' } },
      { outcome: 'failed', error: { reason: 'ValidationFailed' } },
    ])
    for (const body of [{ users: 7 }, {}, { users: Array.from({ length: 1_001 }, () => 7) }]) {
      expect((await send('POST', '/import', body)).body.reason).toBe('ValidationFailed')
    }
  })

  it('bound the body, and take only JSON', async () => {
    const { send } = house()
    const large = { email: 'x'.repeat(70_000) }
    expect((await send('POST', '', large)).status).toBe(413)
    const asText = { 'x-user': 'olga', 'content-type': 'text/plain' }
    expect((await send('POST', '/u/enable', undefined, asText)).status).toBe(400)
    for (const body of [null, [], 'x', { email: 7 }, { shoeSize: 7 }, { disable_reason: 'x' }]) {
      expect((await send('POST', '', body)).status).toBe(400)
    }
  })

  it('decode a new user, and why one is disabled, by the schemas that document them', async () => {
    const { send } = house()
    const { id } = (await send('POST', '', { email: 'new@x.example' })).body
    const cases: readonly (readonly [path: string, body: object, causes: object])[] = [
      ['', { email: 7 }, { location: '/email', kind: 'type' }],
      ['', { createdAt: 1_700_000_000_000 }, { location: '/createdAt', kind: 'type' }],
      ['', { createdAt: 'yesterday' }, { location: '/createdAt', kind: 'format' }],
      ['', { mfa: { recoveryCodes: [7] } }, { location: '/mfa/recoveryCodes/0', kind: 'type' }],
      [`/${id}/disable`, { reason: 7 }, { location: '/reason', kind: 'type' }],
    ]
    for (const [path, given, cause] of cases) {
      const { status, body } = await send('POST', path, given)
      expect([status, body.reason]).toEqual([400, 'ValidationFailed'])
      expect(body.info.causes).toMatchObject([cause])
    }
    expect((await send('GET', `/${id}`)).body.user.isDisabled).toBe(false)
  })

  it("end a user's sessions, not those of others, with an event", async () => {
    const world = house()
    const { send } = world
    const person = await signedIn(world)
    await sessionOf(world, person.id)
    const other = await createUser(world.auth, { email: 'tom@x.example' })
    const session = `/sessions/${person.session.id}`
    expect((await send('DELETE', `/${other}${session}`)).body.reason).toBe('SessionNotFound')
    expect((await send('DELETE', `/${person.id}${session}`)).status).toBe(200)
    expect((await send('DELETE', `/${person.id}${session}`)).status).toBe(404)
    const all = await send('DELETE', `/${person.id}/sessions`)
    expect(all.body).toEqual({ revoked: 1 })
    await startEvents(world.auth).stop()
    const listed = (await send('GET', `/${person.id}/events?limit=2`)).body
    const ended = { type: 'user.session.terminated', at: '2026-03-04T10:00:01.000Z' }
    expect(listed.items).toMatchObject([
      { ...ended, triggeredBy: 'admin_api', payload: { termination_type: 'all' } },
      { ...ended, payload: { termination_type: 'individual' } },
    ])
    expect(listed.next).toBeTypeOf('string')
    const wrong = await send('GET', `/${person.id}/events?after=x`)
    expect([wrong.status, wrong.body.reason]).toEqual([400, 'InvalidHistoryQuery'])
  })

  it('invite a person, and never show the link', async () => {
    const links = { invitation: 'https://app.example.com/signup?x_invitation={code}' }
    const { send, outbox, auth } = house(undefined, { links })
    const place = `${root}/invitations`
    const made = await send('POST', place, {
      email: maya.email,
      customAttributes: { x_role: 'editor' },
    })
    expect(made.body).toEqual({
      id: expect.any(String),
      email: maya.email,
      createdAt: '2026-03-04T10:00:00.000Z',
      expiresAt: '2026-03-11T10:00:00.000Z',
      sentAt: '2026-03-04T10:00:00.000Z',
      sentCount: 1,
      invitedBy: 'olga',
      locale: null,
      standardAttributes: {},
      customAttributes: { x_role: 'editor' },
    })
    expect((await send('GET', place)).body).toEqual({ items: [made.body] })
    // Only code leaves out the mail, and speaks for others.
    for (const own of [{ send: false }, { invitedBy: 'root' }]) {
      const refused = await send('POST', place, { email: 'b@b.example', ...own })
      expect([refused.status, refused.body.info.path]).toEqual([400, Object.keys(own)[0]])
    }
    expect((await send('POST', place, { email: maya.email })).status).toBe(409)
    const wrong = await send('POST', place, {
      email: 'a@b.example',
      expiresAt: '2020-01-01T00:00:00Z',
    })
    expect(wrong.body).toMatchObject({ reason: 'InvalidInput', info: { path: 'expiresAt' } })
    const soon = await send('POST', `${place}/${made.body.id}/resend`)
    expect([soon.status, soon.headers.get('retry-after')]).toEqual([429, '60'])
    expect((await send('DELETE', `${place}/${made.body.id}`)).status).toBe(200)
    expect((await send('DELETE', `${place}/${made.body.id}`)).body.reason).toBe(
      'InvitationNotFound',
    )
    await createUser(auth, { ...maya, email_verified: true })
    expect((await send('POST', place, { email: maya.email })).body.reason).toBe('InvariantViolated')
    expect(outbox.messages.map(({ kind }) => kind)).toEqual(['invitation'])
    expect((await send('GET', `${place}/x/y`)).status).toBe(404)
  })

  it('make and end API keys for those with a right of its own', async () => {
    const delta = { api_keys: { scopes: ['orders:read', 'orders:write'], max_lifetime_days: 30 } }
    const { send, auth, storage } = house(undefined, delta)
    const user = await createUser(auth, maya)
    const place = `${root}/api-keys`
    const kim = { 'x-user': 'kim' }
    const wanted = { name: 'laptop', scopes: ['orders:read'] }
    expect((await send('POST', place, { ...wanted, userId: user })).status).toBe(403)
    const made = await send('POST', place, { ...wanted, userId: user }, kim)
    expect(made.body).toMatchObject({
      key: expect.stringMatching(/^gatehouse_/),
      apiKey: { userId: user, service: null, expiresAt: '2026-04-03T10:00:00.000Z' },
    })
    const listed = await send('GET', `${place}?user=${user}`, undefined, kim)
    expect(listed.body).toEqual({
      items: [made.body.apiKey],
      scopes: ['orders:read', 'orders:write'],
      maxLifetimeDays: 30,
    })
    expect(listed.text).not.toContain(made.body.key)
    const two = await send('GET', `${place}?user=${user}&service=a`, undefined, kim)
    expect(two.body).toMatchObject({ reason: 'InvalidInput', info: { path: 'owner' } })
    for (const service of ['b', 'a']) await send('POST', place, { ...wanted, service }, kim)
    const ofServices = await send('GET', `${place}?limit=1`, undefined, kim)
    expect(ofServices.body).toMatchObject({ items: [{ service: 'a' }], next: expect.any(String) })
    const rest = await send('GET', `${place}?after=${ofServices.body.next}`, undefined, kim)
    expect(rest.body).toMatchObject({ items: [{ service: 'b' }] })
    const wrong = await send('POST', place, { ...wanted, service: 'b', scopes: ['x'] }, kim)
    expect(wrong.body).toMatchObject({ reason: 'InvalidInput', info: { path: 'scopes' } })
    const end = () => send('DELETE', `${place}/${made.body.apiKey.id}`, undefined, kim)
    expect((await end()).status).toBe(200)
    expect((await end()).body.reason).toBe('ApiKeyNotFound')
    expect(await storage.find(apiKeyCollection, { by: 'id', limit: 9 })).toHaveLength(2)
    const off = house()
    expect((await off.send('GET', `${place}?service=b`, undefined, kim)).body.reason).toBe(
      'ApiKeysDisabled',
    )
  })

  it('reset a lockout', async () => {
    const lockout = {
      max_attempts: 1,
      history_duration: '1h',
      minimum_duration: '5m',
      maximum_duration: '5m',
      backoff_factor: 1,
      lockout_type: 'per_user',
      password: { enabled: true },
    }
    const world = house(undefined, { authentication: { lockout } })
    const { send } = world
    const id = await createUser(world.auth, maya)
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: maya.email })
    await flow.input({ authentication: 'primary_password', password: 'wrong' })
    const lockoutNow = async () => (await send('GET', `/${id}`)).body.lockout
    expect(await lockoutNow()).toMatchObject({ attempts: 1, lockedUntil: expect.any(String) })
    expect((await send('DELETE', `/${id}/lockout`)).status).toBe(200)
    expect(await lockoutNow()).toMatchObject({ attempts: 0, lockedUntil: null })
    expect((await send('DELETE', '/nobody/lockout')).status).toBe(404)
  })

  it('answer other methods with 405', async () => {
    const { status, headers, body } = await house().send('PUT', '')
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST'])
    expect(body.message).toBe('only GET and POST are supported')
  })
})
