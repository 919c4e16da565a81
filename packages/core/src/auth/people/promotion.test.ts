import { describe, expect, it } from 'vitest'
import { identityCollection, identityKeyCollection } from '../accounts/identity-record.ts'
import { userCollection } from '../accounts/user-record.ts'
import type { AuthorizationBridge } from '../flow/session/authorization-bridge.ts'
import { type ConfigDelta, errorOf, stateOf, type TestAuth, testAuth } from '../service.fixture.ts'
import {
  openBrowser,
  type TestBrowser,
  waitingEvents,
  waitingEventTypes,
} from '../sessions/browser.fixture.ts'
import { createSession } from '../sessions/create-session.ts'
import { listSessions } from '../sessions/list-sessions.ts'
import { resolveSessionToken } from '../sessions/resolve-session.ts'
import { createAnonymousUser } from './create-anonymous-user.ts'
import { createUser } from './create-user.ts'
import { getUser } from './get-user.ts'
import { disableUser } from './update-user.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const named = { identification: 'email', login_id: email }
const newPassword = { authentication: 'primary_password', new_password: password }
const anonymous: ConfigDelta = {
  authentication: { identities: ['login_id', 'anonymous'] },
  verification: { claims: { email: { required: false } } },
}
const orLogin: ConfigDelta = { ...anonymous, identity: { on_conflict: { promotion: 'login' } } }

type Options = NonNullable<Parameters<typeof testAuth>[1]>

/** A guest in a browser. */
async function withGuest(delta: ConfigDelta = anonymous, options: Options = {}) {
  const world = testAuth(delta, options)
  const browser = openBrowser(world, { ip: '192.0.2.1', userAgent: 'desktop' })
  const { user_id: guest } = await enter(world, browser)
  return { ...world, browser, guest }
}

/** Creates an anonymous user for a browser. */
async function enter({ auth }: TestAuth, browser: TestBrowser) {
  const made = await createAnonymousUser(auth, browser.request)
  browser.keep(made.cookies)
  return made
}

const sessionOf = ({ auth }: TestAuth, { token }: TestBrowser) => resolveSessionToken(auth, token)

const countOf = async ({ storage }: TestAuth) => {
  const all = { by: 'id', limit: 100 } as const
  return {
    users: (await userCollection.find(storage, all)).length,
    identities: (await identityCollection.find(storage, all)).length,
    keys: (await identityKeyCollection.find(storage, all)).length,
  }
}

describe('an anonymous user', () => {
  it('has a session and no attributes', async () => {
    const world = await withGuest()
    const { auth, browser, clock, guest } = world
    expect(await sessionOf(world, browser)).toMatchObject({
      user_id: guest,
      amr: [],
      aal: 1,
      client_id: null,
      last_accessed_ip: '192.0.2.1',
      last_accessed_user_agent: 'desktop',
    })
    expect(await getUser(auth, guest)).toMatchObject({
      created_at: clock.now(),
      identities: [{ type: 'anonymous', user_id: guest }],
      authenticators: [],
      standard_attributes: {},
    })
    expect((await waitingEvents(world)).map(({ type, context }) => [type, context])).toEqual(
      ['user.created', 'user.authenticated'].map((type) => [
        type,
        expect.objectContaining({
          user_id: guest,
          triggered_by: 'user',
          ip_address: '192.0.2.1',
          user_agent: 'desktop',
        }),
      ]),
    )
  })

  it('is refused if anonymous users are not enabled', async () => {
    const { auth } = testAuth()
    await expect(createAnonymousUser(auth)).rejects.toMatchObject({
      kind: 'Invalid',
      reason: 'InvariantViolated',
      info: { cause: { kind: 'AnonymousUserDisallowed' } },
    })
  })

  it('is created a limited number of times a minute for one address', async () => {
    const limits = { signup_anonymous: { per_ip: { enabled: true, period: '1m', burst: 2 } } }
    const world = testAuth({
      authentication: { identities: ['login_id', 'anonymous'], rate_limits: limits },
    })
    const make = (ip: string) => createAnonymousUser(world.auth, { ip })
    await make('192.0.2.1')
    await make('192.0.2.1')
    await expect(make('192.0.2.1')).rejects.toMatchObject({
      reason: 'RateLimited',
      info: {
        bucket_name: 'SignupAnonymousPerIP',
        rate_limit: {
          name: 'authentication.signup_anonymous.per_ip',
          group: 'authentication.signup_anonymous',
        },
      },
    })
    await make('192.0.2.2')
    expect(await countOf(world)).toEqual({ users: 3, identities: 3, keys: 3 })
  })

  it('replaces the session of the browser', async () => {
    const world = await withGuest()
    const { auth, browser, guest } = world
    const before = browser.token
    await enter(world, browser)
    expect(await resolveSessionToken(auth, before)).toBeUndefined()
    expect(await listSessions(auth, guest)).toEqual([])
  })

  it('belongs to the client of the request', async () => {
    const { auth } = testAuth(anonymous)
    const { session } = await createAnonymousUser(auth, { query: 'client_id=shop' })
    expect(session.client_id).toBe('shop')
  })

  it('is not offered by select_account', async () => {
    const { browser } = await withGuest()
    await browser.begin('login')
    expect(browser.options).toEqual([{ identification: 'email' }])
  })
})

describe('the promotion of an anonymous user', () => {
  it('gives the same user an identity, and replaces all sessions with a new one', async () => {
    const world = await withGuest()
    const { auth, browser, clock, guest } = world
    const old = browser.token
    const { token: elsewhere } = await createSession(auth, guest)
    const begun = stateOf(await browser.begin('promote'))
    expect(begun).toMatchObject({
      type: 'promote',
      name: 'default',
      action: { type: 'identify', data: { options: [{ identification: 'email' }] } },
    })
    await browser.input(named)
    expect(await countOf(world)).toEqual({ users: 1, identities: 1, keys: 1 })
    const done = await browser.input(newPassword)
    expect(stateOf(done).action.type).toBe('finished')
    expect(done.cookies.map(({ name }) => name)).toEqual(['session', 'same_site_strict'])
    expect(await sessionOf(world, browser)).toMatchObject({
      user_id: guest,
      amr: ['pwd', 'x_primary_password'],
    })
    for (const token of [old, elsewhere]) {
      expect(await resolveSessionToken(auth, token)).toBeUndefined()
    }
    expect(await getUser(auth, guest)).toMatchObject({
      identities: [{ type: 'login_id', normalized: email }],
      authenticators: [{ type: 'password', kind: 'primary' }],
      standard_attributes: { email },
      last_login_at: clock.now(),
    })
    expect(await countOf(world)).toEqual({ users: 1, identities: 1, keys: 1 })
    expect((await waitingEventTypes(world)).slice(-2)).toEqual([
      'user.anonymous.promoted',
      'user.authenticated',
    ])
  })

  it("keeps the host's attributes, and adds none if population is off", async () => {
    const none = { standard_attributes: { population: { strategy: 'none' } } }
    const world = await withGuest({ ...anonymous, user_profile: none })
    await world.browser.begin('promote', { batch_input: [named, newPassword] })
    expect((await getUser(world.auth, world.guest)).standard_attributes).toEqual({})
  })

  it('has the same steps as a sign-up', async () => {
    const { browser, codeTo } = await withGuest({
      authentication: { identities: ['login_id', 'anonymous'] },
    })
    await browser.begin('promote')
    expect(stateOf(await browser.input(named)).action.type).toBe('verify')
    const next = stateOf(await browser.input({ code: codeTo(email) }))
    expect(next).toMatchObject({ type: 'promote', action: { type: 'create_authenticator' } })
    expect(stateOf(await browser.input(newPassword)).action.type).toBe('finished')
  })

  it('needs an anonymous user', async () => {
    const world = await withGuest()
    const nobody = {
      reason: 'UserNotFound',
      code: 404,
      info: { FlowType: 'promote', IdentityTypeIncoming: 'anonymous' },
    }
    expect(errorOf(await openBrowser(world).begin('promote'))).toMatchObject(nobody)
    await createUser(world.auth, { email, password })
    const known = openBrowser(world)
    const byPassword = [named, { authentication: 'primary_password', password }]
    stateOf(await known.begin('login', { batch_input: byPassword }))
    expect(errorOf(await known.begin('promote'))).toMatchObject(nobody)
    await disableUser(world.auth, world.guest)
    expect(errorOf(await world.browser.begin('promote'))).toMatchObject(nobody)
    const failed = 'authentication.identity.anonymous.failed'
    expect((await waitingEventTypes(world)).filter((type) => type === failed)).toHaveLength(3)
  })

  it('is refused if anonymous users are not enabled', async () => {
    expect(errorOf(await openBrowser(testAuth()).begin('promote'))).toMatchObject({
      reason: 'InvariantViolated',
      info: { FlowType: 'promote', cause: { kind: 'AnonymousUserDisallowed' } },
    })
  })

  it('succeeds once over several flows', async () => {
    const world = await withGuest()
    const { auth, browser, guest } = world
    const copy = openBrowser(world)
    copy.keep((await createSession(auth, guest)).cookies)
    for (const [one, address] of [
      [browser, email],
      [copy, 'other@harborlight.example'],
    ] as const) {
      await one.begin('promote')
      await one.input({ ...named, login_id: address })
    }
    stateOf(await browser.input(newPassword))
    expect(errorOf(await copy.input(newPassword))).toMatchObject({
      reason: 'UserNotFound',
      info: { FlowType: 'promote', IdentityTypeIncoming: 'anonymous' },
    })
    expect((await getUser(auth, guest)).identities).toMatchObject([{ normalized: email }])
  })

  it('prefers the user of a signed login hint to that of the session', async () => {
    const signed = new Map<string, string>()
    const world = await withGuest(anonymous, {
      promotionVerifier: async (hint) => signed.get(hint),
    })
    const { user_id: app, token } = await createAnonymousUser(world.auth)
    signed.set('https://authgear.com/login_hint?type=anonymous&jwt=x.y.z', app)
    const hint = [...signed.keys()][0] ?? ''
    const query = { url_query: `login_hint=${encodeURIComponent(hint)}` }
    const fresh = openBrowser(world)
    expect(errorOf(await fresh.begin('promote', { url_query: 'login_hint=forged' })).reason).toBe(
      'UserNotFound',
    )
    stateOf(await fresh.begin('promote', { ...query, batch_input: [named, newPassword] }))
    expect(await sessionOf(world, fresh)).toMatchObject({ user_id: app })
    expect(await resolveSessionToken(world.auth, token)).toBeUndefined()
    expect(await sessionOf(world, world.browser)).toMatchObject({ user_id: world.guest })
  })

  it('by a login hint is refused for a user who may not sign in', async () => {
    const signed = new Map<string, string>()
    const world = await withGuest(anonymous, {
      promotionVerifier: async (hint) => signed.get(hint),
    })
    signed.set('h', world.guest)
    await disableUser(world.auth, world.guest)
    const refused = await openBrowser(world).begin('promote', { url_query: 'login_hint=h' })
    expect(errorOf(refused)).toMatchObject({
      reason: 'DisabledUser',
      info: { FlowType: 'promote' },
    })
  })

  it('finds no user for an authorization that ignores sessions', async () => {
    const authorizationBridge: AuthorizationBridge = {
      resolve: async (id) => ({
        id,
        redirect_uri: 'https://app.example.com/cb',
        suppress_idp_session_cookie: true,
      }),
      finish: async ({ redirect_uri }) => redirect_uri,
    }
    const { browser } = await withGuest(anonymous, { authorizationBridge })
    expect(errorOf(await browser.begin('promote', { url_query: 'x_ref=r' })).reason).toBe(
      'UserNotFound',
    )
  })
})

describe('an identity that another user has', () => {
  it('is refused by default', async () => {
    const world = await withGuest()
    await createUser(world.auth, { email, password })
    await world.browser.begin('promote')
    expect(errorOf(await world.browser.input(named))).toMatchObject({
      reason: 'InvariantViolated',
      info: {
        FlowType: 'promote',
        IdentityTypeIncoming: 'login_id',
        LoginIDTypeIncoming: 'email',
        IdentityTypeExisting: 'login_id',
        LoginIDTypeExisting: 'email',
        cause: { kind: 'DuplicatedIdentity' },
      },
    })
  })

  it('is refused at the end if it was taken meanwhile', async () => {
    for (const delta of [anonymous, orLogin]) {
      const world = await withGuest(delta)
      await world.browser.begin('promote')
      await world.browser.input(named)
      await createUser(world.auth, { email, password })
      expect(errorOf(await world.browser.input(newPassword))).toMatchObject({
        reason: 'InvariantViolated',
        info: { FlowType: 'promote', cause: { kind: 'DuplicatedIdentity' } },
      })
      expect((await getUser(world.auth, world.guest)).identities).toMatchObject([
        { type: 'anonymous' },
      ])
      expect(await sessionOf(world, world.browser)).toMatchObject({ user_id: world.guest })
    }
  })

  it('signs its owner in if configured so, without anything of the guest', async () => {
    const world = await withGuest(orLogin)
    const { auth, browser, guest } = world
    const owner = await createUser(auth, { email, password })
    const old = browser.token
    await browser.begin('promote')
    const asked = stateOf(await browser.input(named))
    expect(asked).toMatchObject({
      type: 'login',
      name: 'default',
      action: { type: 'authenticate' },
    })
    expect(await resolveSessionToken(auth, old)).toBeDefined()
    const wrong = { authentication: 'primary_password', password: 'wrong' }
    expect(errorOf(await browser.input(wrong)).reason).toBe('InvalidCredentials')
    const done = await browser.input({ authentication: 'primary_password', password })
    expect(stateOf(done)).toMatchObject({ type: 'login', action: { type: 'finished' } })
    expect(await sessionOf(world, browser)).toMatchObject({ user_id: owner })
    expect(await resolveSessionToken(auth, old)).toBeUndefined()
    expect((await getUser(auth, guest)).identities).toMatchObject([{ type: 'anonymous' }])
    expect((await getUser(auth, owner)).identities).toHaveLength(1)
    expect(await waitingEventTypes(world)).not.toContain('user.anonymous.promoted')
  })

  it('is limited by the enumeration limit', async () => {
    const limits = { account_enumeration: { per_ip: { enabled: true, period: '1m', burst: 1 } } }
    const world = await withGuest({
      ...orLogin,
      authentication: { identities: ['login_id', 'anonymous'], rate_limits: limits },
    })
    await createUser(world.auth, { email, password })
    await world.browser.begin('promote')
    stateOf(await world.browser.input(named))
    expect(errorOf(await world.browser.begin('promote', { input: named }))).toMatchObject({
      reason: 'RateLimited',
      info: { bucket_name: 'AccountEnumerationPerIP' },
    })
  })

  it('is not revealed under enumeration protection', async () => {
    const world = await withGuest({
      ...orLogin,
      authentication: {
        identities: ['login_id', 'anonymous'],
        enumeration_protection: 'strict',
      },
      verification: {},
    })
    await createUser(world.auth, { email, password, email_verified: true })
    await world.browser.begin('promote')
    expect(stateOf(await world.browser.input(named))).toMatchObject({
      type: 'promote',
      action: { type: 'verify' },
    })
  })
})
