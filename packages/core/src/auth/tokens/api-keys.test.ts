import { describe, expect, it } from 'vitest'
import { admitRequest } from '../http/admit-request.ts'
import { maya, signedIn, tom } from '../own-account/account.fixture.ts'
import { createOwnApiKey, listOwnApiKeys, revokeOwnApiKey } from '../own-account/own-api-keys.ts'
import { createUser } from '../people/create-user.ts'
import { deleteUser } from '../people/delete-user.ts'
import { listAuthEvents } from '../people/list-auth-events.ts'
import { disableUser, enableUser, updateUser } from '../people/update-user.ts'
import { apiKeyIdOf } from '../secrets/api-key.ts'
import { type ConfigDelta, testAuth } from '../service.fixture.ts'
import { disownSignIn } from '../sessions/disown-sign-in.ts'
import { resolveSession, resolveSessionToken } from '../sessions/resolve-session.ts'
import { startEvents } from '../start/start-events.ts'
import { createApiKey } from './create-api-key.ts'
import { issueTokens } from './issue-tokens.ts'
import { listApiKeys, listServiceApiKeys, revokeApiKey } from './list-api-keys.ts'
import { refreshTokens } from './refresh-tokens.ts'

const minute = 60_000
const day = 86_400_000
const section = {
  scopes: ['orders:read', 'orders:write', 'stock:read'],
  own_scopes: ['orders:read'],
}

function house(delta: ConfigDelta = { api_keys: section }) {
  const world = testAuth(delta)
  const asked = (key: string) => ({ headers: new Headers({ authorization: `Bearer ${key}` }) })
  const resolve = (key: string, ip = '192.0.2.7') =>
    resolveSession(world.auth, asked(key), { apiKeys: true, ip })
  const admit = (key: string, apiKeyScopes: readonly string[], more: object = {}) =>
    admitRequest(
      world.auth,
      { method: 'GET', url: '/orders', ...asked(key) },
      { apiKeyScopes, ...more },
    )
  return { ...world, asked, resolve, admit }
}

const ofBilling = { service: 'billing', name: 'nightly export', scopes: ['orders:read'] }

describe('an API key', () => {
  it('is one of a user or a service, and names its scopes', async () => {
    const { auth, resolve } = house()
    const user_id = await createUser(auth, maya)
    const made = await createApiKey(auth, { user_id, name: 'laptop', scopes: ['orders:read'] })
    expect(await resolve(made.key)).toMatchObject({
      kind: 'api_key',
      user_id,
      service: null,
      scopes: ['orders:read'],
      last_used_ip: '192.0.2.7',
    })
    const other = await createApiKey(auth, ofBilling)
    expect(await resolve(other.key)).toMatchObject({ user_id: null, service: 'billing' })
  })

  it('is stored only as a digest, and shown once', async () => {
    const { auth, storage } = house()
    const { key, api_key } = await createApiKey(auth, ofBilling)
    const { authCollections } = await import('../collections.ts')
    const all = await Promise.all(
      authCollections.map((one) => storage.find(one, { by: 'id', limit: 100 })),
    )
    const secret = key.slice('gatehouse_'.length + 16)
    expect(JSON.stringify(all)).not.toContain(secret)
    expect(
      JSON.stringify([api_key, await listApiKeys(auth, { service: 'billing' })]),
    ).not.toContain(secret)
  })

  it('has a prefix and a checksum that scanners know without asking', async () => {
    const { key, api_key } = await createApiKey(house().auth, ofBilling)
    expect(key).toMatch(/^gatehouse_[0-9A-Za-z]{54}$/)
    expect(apiKeyIdOf(key)).toBe(api_key.id)
    for (const place of [10, 20, 40, 63]) {
      const other = key[place] === 'a' ? 'b' : 'a'
      const mistyped = `${key.slice(0, place)}${other}${key.slice(place + 1)}`
      expect(apiKeyIdOf(mistyped), mistyped).toBeUndefined()
    }
    for (const text of ['', 'gatehouse_', `${key}0`, key.slice(1), 'x'.repeat(100_000)]) {
      expect(apiKeyIdOf(text)).toBeUndefined()
    }
    // Held to these values, so that scanners' patterns keep working.
    expect(apiKeyIdOf(`gatehouse_${'0'.repeat(48)}1pvjej`)).toBe('0'.repeat(16))
  })

  it('is refused if its secret is another one, though its checksum is right', async () => {
    const { auth, resolve } = house()
    const { api_key, key } = await createApiKey(auth, ofBilling)
    const second = await createApiKey(auth, ofBilling)
    await revokeApiKey(auth, second.api_key.id)
    expect(await resolve(second.key)).toBeUndefined()
    expect((await resolve(key))?.id).toBe(api_key.id)
  })

  it('ends with its time', async () => {
    const { auth, clock, resolve } = house()
    const expires_at = clock.now() + day
    const { key } = await createApiKey(auth, { ...ofBilling, expires_at })
    clock.advance(day - 1)
    expect(await resolve(key)).toMatchObject({ expires_at })
    clock.advance(1)
    expect(await resolve(key)).toBeUndefined()
    expect(await listApiKeys(auth, { service: 'billing' })).toEqual([])
  })

  it('works only while its user may sign in, and ends with the user', async () => {
    const { auth, resolve } = house()
    const user_id = await createUser(auth, maya)
    const request = { user_id, name: 'laptop', scopes: ['orders:read'] }
    const { key } = await createApiKey(auth, request)
    await disableUser(auth, user_id)
    expect(await resolve(key)).toBeUndefined()
    await expect(createApiKey(auth, request)).rejects.toMatchObject({ reason: 'DisabledUser' })
    await enableUser(auth, user_id)
    expect(await resolve(key)).toBeDefined()
    await deleteUser(auth, user_id)
    expect(await resolve(key)).toBeUndefined()
    expect(await listApiKeys(auth, { user_id })).toEqual([])
    await expect(createApiKey(auth, request)).rejects.toMatchObject({ reason: 'UserNotFound' })
  })

  it('ends with the sign-in that its user did not make, if it was made since', async () => {
    const { auth, clock, resolve } = house()
    const user_id = await createUser(auth, maya)
    const request = { user_id, name: 'laptop', scopes: ['orders:read'] }
    const old = await createApiKey(auth, request)
    clock.advance(1)
    const at = clock.now()
    const theirs = await createApiKey(auth, request)
    await disownSignIn(auth, { user_id, at })
    expect(await resolve(theirs.key)).toBeUndefined()
    expect(await resolve(old.key)).toBeDefined()
    await startEvents(auth).stop()
    const { items } = await listAuthEvents(auth, { type: ['api_key.revoked'] })
    expect(items).toMatchObject([{ user_id, payload: { api_key: { id: theirs.api_key.id } } }])
  })

  it('of a service is found without the name of the service, by page', async () => {
    const { auth } = house()
    const user_id = await createUser(auth, maya)
    await createApiKey(auth, { user_id, name: 'laptop', scopes: ['orders:read'] })
    for (const service of ['stock', 'billing', 'archive']) {
      await createApiKey(auth, { ...ofBilling, service })
    }
    const first = await listServiceApiKeys(auth, { limit: 2 })
    expect(first.items.map(({ service }) => service)).toEqual(['archive', 'billing'])
    const rest = await listServiceApiKeys(auth, { limit: 2, after: first.next ?? '' })
    expect(rest).toMatchObject({ items: [{ service: 'stock' }] })
    expect(rest).not.toHaveProperty('next')
  })

  it('notes its last use at most once a minute, and not in a write for each request', async () => {
    const { auth, clock, resolve, storage } = house()
    const { key } = await createApiKey(auth, ofBilling)
    let commits = 0
    const commit = storage.commit.bind(storage)
    Object.assign(storage, {
      commit: (...writes: Parameters<typeof commit>) => {
        commits += 1
        return commit(...writes)
      },
    })
    const first = clock.now()
    await resolve(key)
    clock.advance(minute - 1)
    expect(await resolve(key, '192.0.2.8')).toMatchObject({ last_used_at: first })
    expect(commits).toBe(1)
    clock.advance(1)
    await resolve(key, '192.0.2.8')
    expect(await listApiKeys(auth, { service: 'billing' })).toMatchObject([
      { last_used_at: first + minute, last_used_ip: '192.0.2.8' },
    ])
    expect(commits).toBe(2)
  })

  it('loses a scope that the configuration no longer has', async () => {
    const { auth, admit } = house()
    const { key } = await createApiKey(auth, {
      ...ofBilling,
      scopes: ['orders:read', 'stock:read'],
    })
    auth.config.current = auth.readConfig({
      id: 'test',
      http: { public_origin: 'https://auth.example.com' },
      api_keys: { scopes: ['stock:read'] },
    })
    expect((await admit(key, ['stock:read'])).session).toMatchObject({ scopes: ['stock:read'] })
    expect((await admit(key, ['orders:read'])).refusal?.reason).toBe('InsufficientScope')
  })
})

describe('a new API key', () => {
  it.each([
    { ...ofBilling, name: ' ' },
    { ...ofBilling, name: 'a\nb' },
    { ...ofBilling, name: 'x'.repeat(101) },
    { ...ofBilling, scopes: [] },
    { ...ofBilling, scopes: ['everything'] },
    { ...ofBilling, service: 'bill ing' },
    { ...ofBilling, user_id: 'u' },
    { name: 'x', scopes: ['orders:read'] },
    { ...ofBilling, expires_at: 1 },
  ])('is refused with what it may not be', async (request) => {
    await expect(createApiKey(house().auth, request as never)).rejects.toMatchObject({
      reason: 'InvalidInput',
    })
  })

  it('expires in time where the configuration wants it', async () => {
    const { auth, clock } = house({ api_keys: { ...section, max_lifetime_days: 30 } })
    const { api_key } = await createApiKey(auth, ofBilling)
    expect(api_key.expires_at).toBe(clock.now() + 30 * day)
    const late = { ...ofBilling, expires_at: clock.now() + 30 * day + 1 }
    await expect(createApiKey(auth, late)).rejects.toMatchObject({ reason: 'InvalidInput' })
  })

  it('is refused at the limit of its owner, also of many at once', async () => {
    const { auth } = house({ api_keys: { ...section, max_per_owner: 3 } })
    const made = await Promise.allSettled(
      Array.from({ length: 6 }, () => createApiKey(auth, ofBilling)),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    const [oldest] = await listApiKeys(auth, { service: 'billing' })
    await expect(createApiKey(auth, ofBilling)).rejects.toMatchObject({
      reason: 'ApiKeyLimitReached',
    })
    await createApiKey(auth, { ...ofBilling, service: 'stock' })
    await revokeApiKey(auth, oldest?.id ?? '')
    await createApiKey(auth, ofBilling)
  })

  it('needs the section "api_keys", without which there are none', async () => {
    const { auth } = house({})
    const disabled = { kind: 'NotFound', reason: 'ApiKeysDisabled' }
    await expect(createApiKey(auth, ofBilling)).rejects.toMatchObject(disabled)
  })

  it('and its end are events of its user, and of the service', async () => {
    const { auth } = house()
    const user_id = await createUser(auth, maya)
    const { api_key } = await createApiKey(auth, {
      user_id,
      name: 'laptop',
      scopes: ['orders:read'],
    })
    await revokeApiKey(auth, api_key.id)
    await createApiKey(auth, ofBilling)
    await startEvents(auth).stop()
    const { items } = await listAuthEvents(auth, { type: ['api_key.created', 'api_key.revoked'] })
    const about = { api_key: { id: api_key.id, name: 'laptop' } }
    expect(items).toMatchObject([
      { type: 'api_key.created', payload: { service: 'billing' } },
      { type: 'api_key.revoked', user_id, payload: about },
      { type: 'api_key.created', user_id, payload: about },
    ])
  })
})

describe('a request with an API key', () => {
  it('is admitted only by a route that takes keys, with all scopes of the route', async () => {
    const { auth, admit, asked } = house()
    const { key } = await createApiKey(auth, ofBilling)
    expect(await resolveSession(auth, asked(key))).toBeUndefined()
    const closed = await admitRequest(auth, { method: 'GET', url: '/', ...asked(key) })
    expect(closed.refusal?.answer.status).toBe(401)
    expect((await admit(key, [])).session).toMatchObject({ service: 'billing' })
    expect((await admit(key, ['orders:read'], { aal: 2, maxAgeMs: 1 })).session).toBeDefined()
    const { refusal } = await admit(key, ['orders:read', 'orders:write'])
    expect(refusal).toMatchObject({ reason: 'InsufficientScope', answer: { status: 403 } })
    expect(JSON.parse(String(refusal?.answer.body)).error.info.missing).toEqual(['orders:write'])
  })

  it('has the roles of its user; a service has none', async () => {
    const { auth, admit } = house()
    const user_id = await createUser(auth, maya)
    const ofMaya = await createApiKey(auth, { user_id, name: 'x', scopes: ['orders:read'] })
    const roles = { roles: ['admin'] }
    expect((await admit(ofMaya.key, [], roles)).refusal?.reason).toBe('AccessControlViolated')
    await updateUser(auth, user_id, { custom_attributes: { x_role: 'admin' } })
    expect((await admit(ofMaya.key, [], roles)).session).toBeDefined()
    const { key } = await createApiKey(auth, ofBilling)
    expect((await admit(key, [], roles)).refusal?.reason).toBe('AccessControlViolated')
  })

  it('is not signed in by its cookie if the key is wrong, nor sent to a page', async () => {
    const world = house()
    const { auth } = world
    const { request } = await signedIn(world)
    const headers = new Headers({
      cookie: request.cookie,
      accept: 'text/html',
      authorization: 'Bearer gatehouse_nonsense',
    })
    const { refusal } = await admitRequest(
      auth,
      { method: 'GET', url: '/', headers },
      { apiKeyScopes: [] },
    )
    expect(refusal).toMatchObject({ reason: 'NotAuthenticated', answer: { status: 401 } })
  })

  it('is not signed in by its cookie if the token is malformed, whatever is wrong with it', async () => {
    const world = house({ api_keys: section, tokens: {} })
    const { request, session } = await signedIn(world)
    const { key } = await createApiKey(world.auth, ofBilling)
    const asked = (authorization: string) =>
      resolveSession(
        world.auth,
        { headers: new Headers({ cookie: request.cookie, authorization }) },
        { apiKeys: true },
      )
    for (const authorization of [
      `Bearer ${key} ${key}`,
      `Bearer ${key}, x`,
      'Bearer gatehouse_ x',
      'Bearer a b',
      `bearer\tgatehouse_x`,
      `Bearer ${session.id}`,
    ]) {
      expect(await asked(authorization), authorization).toBeUndefined()
    }
    expect(await asked(`bearer\t ${key} `)).toMatchObject({ kind: 'api_key' })
    // Another scheme is the business of somebody else.
    expect(await asked('Basic eDp5')).toMatchObject({ id: session.id })
  })

  it('is not taken for another kind of token, nor another kind for a key', async () => {
    const world = house({ api_keys: section, tokens: {} })
    const { request, session } = await signedIn(world)
    const token = request.cookie.slice('session='.length)
    const { key } = await createApiKey(world.auth, ofBilling)
    const { access_token, refresh_token } = await issueTokens(world.auth, session)
    await expect(refreshTokens(world.auth, key)).rejects.toMatchObject({ reason: 'InvalidToken' })
    expect(await resolveSessionToken(world.auth, key)).toBeUndefined()
    const cookie = new Headers({ cookie: `session=${key}` })
    expect(await resolveSession(world.auth, { headers: cookie }, { apiKeys: true })).toBeUndefined()
    expect(await world.resolve(refresh_token)).toBeUndefined()
    for (const own of [access_token, token]) {
      expect(await world.resolve(own)).toMatchObject({ id: session.id })
      expect(await world.resolve(`gatehouse_${own}`)).toBeUndefined()
    }
  })

  it('counts with all addresses of its network where these are many', async () => {
    const wrong_per_ip = { enabled: true, period: '1m', burst: 2 }
    const { resolve } = house({ api_keys: { ...section, rate_limits: { wrong_per_ip } } })
    const wrong = 'gatehouse_nonsense'
    for (const host of ['1', '2']) await resolve(wrong, `2001:db8::${host}`)
    await expect(resolve(wrong, '2001:db8::3')).rejects.toMatchObject({ reason: 'RateLimited' })
    expect(await resolve(wrong, '2001:db8:0:1::3')).toBeUndefined()
  })

  it('gets 429 after many wrong keys from its address; right keys are not held up', async () => {
    const wrong_per_ip = { enabled: true, period: '1m', burst: 2 }
    const { auth, admit, resolve } = house({
      api_keys: { ...section, rate_limits: { wrong_per_ip } },
    })
    const { key } = await createApiKey(auth, ofBilling)
    const wrong = 'gatehouse_nonsense'
    for (let turn = 0; turn < 2; turn++) expect(await resolve(wrong)).toBeUndefined()
    await expect(resolve(wrong)).rejects.toMatchObject({ reason: 'RateLimited' })
    expect(await resolve(key)).toBeDefined()
    expect(await resolve(wrong, '192.0.2.99')).toBeUndefined()
    for (let turn = 0; turn < 2; turn++) await admit(wrong, [])
    expect((await admit(wrong, [])).refusal).toMatchObject({
      reason: 'RateLimited',
      answer: { status: 429, headers: { 'retry-after': '30' } },
    })
  })
})

describe("a person's own API keys", () => {
  it('have the scopes that people may give, and are theirs alone to revoke', async () => {
    const world = house()
    const { auth, resolve } = world
    const person = await signedIn(world)
    const other = await signedIn(world, tom)
    const wanted = { name: 'laptop', scopes: ['orders:read'] }
    const { key, api_key } = await createOwnApiKey(auth, person.session, wanted, person.request)
    expect(await resolve(key)).toMatchObject({ user_id: person.id })
    const more = createOwnApiKey(auth, person.session, { ...wanted, scopes: ['orders:write'] })
    await expect(more).rejects.toMatchObject({ reason: 'InvalidInput' })
    expect(await listOwnApiKeys(auth, person.session)).toMatchObject({
      items: [{ id: api_key.id, name: 'laptop' }],
      scopes: ['orders:read'],
      max_lifetime_days: null,
    })
    await expect(revokeOwnApiKey(auth, other.session, api_key.id)).rejects.toMatchObject({
      reason: 'ApiKeyNotFound',
    })
    await revokeOwnApiKey(auth, person.session, api_key.id)
    expect(await resolve(key)).toBeUndefined()
  })

  it('need a recent authentication, and a configuration that lets people make them', async () => {
    const world = house()
    const person = await signedIn(world)
    world.clock.advance(10 * minute + 1)
    const wanted = { name: 'laptop', scopes: ['orders:read'] }
    await expect(createOwnApiKey(world.auth, person.session, wanted)).rejects.toMatchObject({
      reason: 'ReauthenticationRequired',
    })
    const closed = house({ api_keys: { scopes: ['orders:read'] } })
    const tomsSession = (await signedIn(closed, tom)).session
    await expect(createOwnApiKey(closed.auth, tomsSession, wanted)).rejects.toMatchObject({
      reason: 'ApiKeysDisabled',
    })
  })
})
