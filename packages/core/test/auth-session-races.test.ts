import { createUser } from '@gatehouse/core'
import { authCollections, createAnonymousUser } from '@gatehouse/core/auth'
import { createManualClock } from '@gatehouse/core/testing'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { runsOf } from '../../../test-support/lane.ts'
import { createFlow } from '../src/auth/flows/create-flow.ts'
import { createInvitation } from '../src/auth/invitations/create-invitation.ts'
import { listInvitations } from '../src/auth/invitations/list-invitations.ts'
import { impersonateUser } from '../src/auth/operators/impersonate-user.ts'
import { revokeOwnSession } from '../src/auth/own-account/own-sessions.ts'
import { deleteUser } from '../src/auth/people/delete-user.ts'
import { findUsers } from '../src/auth/people/find-users.ts'
import { getUser } from '../src/auth/people/get-user.ts'
import { disableUser } from '../src/auth/people/update-user.ts'
import {
  type ConfigDelta,
  startOfTests,
  stateOf,
  type TestAuth,
  testAuth,
} from '../src/auth/service.fixture.ts'
import { openBrowser, type TestBrowser } from '../src/auth/sessions/browser.fixture.ts'
import { createSession } from '../src/auth/sessions/create-session.ts'
import { listSessions } from '../src/auth/sessions/list-sessions.ts'
import { resolveSession } from '../src/auth/sessions/resolve-session.ts'
import { revokeSession } from '../src/auth/sessions/revoke-session.ts'
import { createApiKey } from '../src/auth/tokens/create-api-key.ts'
import { listApiKeys, revokeApiKey } from '../src/auth/tokens/list-api-keys.ts'
import { outcomesOf } from './outcomes.ts'
import { forEachStore, racesOn, type Store } from './stores.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const named = { identification: 'email', login_id: email }
const shown = { authentication: 'primary_password', password }
const select = { identification: 'select_account', index: 0 }
const newPassword = { authentication: 'primary_password', new_password: password }

const off = { per_ip: { enabled: false } }
const delta: ConfigDelta = {
  authentication: {
    identities: ['login_id', 'anonymous'],
    rate_limits: { general: off, signup_anonymous: off, signup: off, account_enumeration: off },
  },
  verification: { claims: { email: { required: false } } },
  links: { invitation: 'https://app.example/signup?x_invitation={code}' },
  api_keys: { scopes: ['orders:read'], max_per_owner: 3 },
  oauth: {
    clients: [
      {
        client_id: 'bank',
        redirect_uris: ['https://bank.example/cb'],
        x_max_concurrent_session: 1,
      },
    ],
  },
  authentication_flow: {
    login_flows: [
      {
        name: 'quick',
        steps: [
          { type: 'identify', one_of: [{ identification: 'email' }] },
          { type: 'terminate_other_sessions' },
          { type: 'authenticate', one_of: [{ authentication: 'primary_password' }] },
        ],
      },
    ],
  },
}

function describeRaces(store: Store): void {
  const it = racesOn(store.name)
  describe(`sessions on ${store.name}`, () => {
    let worlds: readonly [TestAuth, TestAuth]
    let one: TestAuth
    beforeEach(async () => {
      const clock = createManualClock(startOfTests)
      const storage = await store.openEmpty(clock)
      one = testAuth(delta, { storage, clock })
      worlds = [one, testAuth(delta, { storage, clock })]
    })
    afterEach(() => one.storage.close())

    /** Browsers, half of them with another process. */
    const browsers = (count: number): readonly TestBrowser[] =>
      Array.from({ length: count }, (_, index) => openBrowser(worlds[index % 2 === 0 ? 0 : 1]))

    it('begin for one of all who follow an invitation, which its address has once', async () => {
      const invited = await Promise.allSettled(
        [0, 1, 0, 1].map((world) => createInvitation(worlds[world === 0 ? 0 : 1].auth, { email })),
      )
      const [made, ...more] = invited.flatMap((one) =>
        one.status === 'fulfilled' ? [one.value] : [],
      )
      expect(more).toEqual([])
      const url_query = new URL(made?.link ?? '').search.slice(1)
      const flow = { type: 'signup', name: 'default', url_query, input: newPassword } as const
      const done = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          createFlow(worlds[index % 2 === 0 ? 0 : 1].auth, flow),
        ),
      )
      expect(done.filter(({ ok }) => ok)).toHaveLength(1)
      const [user, ...others] = await findUsers(one.auth, { login_id: email })
      expect(others).toEqual([])
      expect(await listSessions(one.auth, user?.id ?? '')).toHaveLength(1)
      expect(await listInvitations(one.auth)).toEqual({ items: [] })
    })

    it('are joined by API keys, as many as their user can have however many are made at once', async () => {
      const user_id = await createUser(one.auth, { email, password })
      const wanted = { user_id, name: 'laptop', scopes: ['orders:read'] }
      const made = await Promise.allSettled(
        Array.from({ length: 8 }, (_, index) =>
          createApiKey(worlds[index % 2 === 0 ? 0 : 1].auth, wanted),
        ),
      )
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
      const [first, ...others] = await listApiKeys(one.auth, { user_id })
      expect(others).toHaveLength(2)
      const ends = await Promise.allSettled(
        worlds.map(({ auth }) => revokeApiKey(auth, first?.id ?? '')),
      )
      expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      await deleteUser(one.auth, user_id)
      expect(await listApiKeys(worlds[1].auth, { user_id })).toEqual([])
    })

    it('are not the only thing that ends at once: no use brings back a key that is revoked beside it', async () => {
      for (let round = 0; round < 10; round++) {
        const { key, api_key } = await createApiKey(one.auth, {
          service: 'billing',
          name: 'export',
          scopes: ['orders:read'],
        })
        const headers = new Headers({ authorization: `Bearer ${key}` })
        const use = ({ auth }: TestAuth) => resolveSession(auth, { headers }, { apiKeys: true })
        await Promise.all([
          ...[...worlds, ...worlds].map(use),
          revokeApiKey(worlds[1].auth, api_key.id),
        ])
        expect(await Promise.all(worlds.map(use))).toEqual([undefined, undefined])
        expect(await listApiKeys(one.auth, { service: 'billing' })).toEqual([])
      }
    })

    it('of operators who act as a user stay ended, however they are used meanwhile', async () => {
      const userId = await createUser(one.auth, { email, password })
      const own = await createSession(one.auth, userId)
      for (let round = 0; round < runsOf(10); round++) {
        const acting = await impersonateUser(one.auth, userId, { operator: 'olga', reason: 'x' })
        const headers = new Headers({ cookie: `session=${acting.token}` })
        const use = ({ auth }: TestAuth) => resolveSession(auth, { headers })
        // An access is written once a minute.
        one.clock.advance(60_000)
        await Promise.all([
          ...[...worlds, ...worlds].map(use),
          revokeOwnSession(worlds[1].auth, own.session, acting.session.id),
        ])
        expect(await Promise.all(worlds.map(use))).toEqual([undefined, undefined])
        expect(await listSessions(one.auth, userId)).toHaveLength(1)
      }
    })

    it('do not begin for an operator once the user is disabled at the same moment', async () => {
      const userId = await createUser(one.auth, { email, password })
      const impersonation = { operator: 'olga', reason: 'x' }
      const wanted = { user_id: userId, name: 'laptop', scopes: ['orders:read'] }
      const [acting, made] = await Promise.allSettled([
        impersonateUser(one.auth, userId, impersonation),
        createApiKey(one.auth, wanted),
        disableUser(worlds[1].auth, userId),
      ])
      const token = acting.status === 'fulfilled' ? acting.value.token : ''
      const key = made.status === 'fulfilled' ? made.value.key : ''
      const cookie = new Headers({ cookie: `session=${token}` })
      const bearer = new Headers({ authorization: `Bearer ${key}` })
      for (const headers of [cookie, bearer]) {
        expect(await resolveSession(one.auth, { headers }, { apiKeys: true })).toBeUndefined()
      }
    })

    it('of a client that allows one are one after concurrent logins', async () => {
      const userId = await createUser(one.auth, { email, password })
      const all = browsers(8)
      for (const browser of all) {
        const params = { name: 'quick', url_query: 'client_id=bank', input: named }
        expect(stateOf(await browser.begin('login', params)).action.type).toBe('authenticate')
      }
      const results = await Promise.all(all.map((browser) => browser.input(shown)))
      expect(outcomesOf(results)).toEqual({ finished: 8 })
      expect(await listSessions(one.auth, userId)).toHaveLength(1)
    })

    it('continue once each, however many flows use one', async () => {
      const userId = await createUser(one.auth, { email, password })
      const { cookies, session } = await createSession(one.auth, userId, { ip: '0.0.0.0' })
      const all = browsers(8)
      for (const browser of all) {
        browser.keep(cookies)
        await browser.begin('login')
      }
      const results = await Promise.all(all.map((browser) => browser.input(select)))
      expect(outcomesOf(results)).toEqual({ finished: 8 })
      expect(await listSessions(one.auth, userId)).toEqual([session])
    })

    it('that are revoked while a flow continues them stay revoked', async () => {
      const userId = await createUser(one.auth, { email, password })
      for (let round = 0; round < runsOf(10); round++) {
        const { cookies, session } = await createSession(one.auth, userId)
        const [browser] = browsers(1)
        browser?.keep(cookies)
        await browser?.begin('login')
        const [result] = await Promise.all([
          browser?.input(select),
          revokeSession(worlds[1].auth, session.id),
        ])
        const outcome = result?.ok ? result.result.action.type : result?.error.reason
        expect(['finished', 'SelectAccountSessionChanged']).toContain(outcome)
        expect(await listSessions(one.auth, userId)).toEqual([])
      }
    })

    it('of an anonymous user end with one promotion, however many run at once', async () => {
      const { user_id: guest, cookies } = await createAnonymousUser(one.auth)
      const all = browsers(8)
      for (const [index, browser] of all.entries()) {
        browser.keep(cookies)
        await browser.begin('promote')
        stateOf(await browser.input({ ...named, login_id: `m${index}@harborlight.example` }))
      }
      const results = await Promise.all(all.map((browser) => browser.input(newPassword)))
      expect(outcomesOf(results)).toEqual({ finished: 1, UserNotFound: 7 })
      const winner = results.findIndex(({ ok }) => ok)
      expect(await getUser(one.auth, guest)).toMatchObject({
        identities: [{ normalized: `m${winner}@harborlight.example` }],
        authenticators: [{ type: 'password' }],
      })
      const [session, ...others] = await listSessions(one.auth, guest)
      expect(session?.id).toBe(all[winner]?.token.split('.')[0])
      expect(others).toEqual([])
    })

    it('of an anonymous user continue if another user takes the address at the same moment', async () => {
      const guests = await Promise.all(browsers(2).map(() => createAnonymousUser(one.auth)))
      const all = browsers(4)
      for (const [index, browser] of all.entries()) {
        const guest = guests[index]
        browser.keep(guest?.cookies ?? [])
        await browser.begin(guest === undefined ? 'signup' : 'promote', { input: named })
      }
      const results = await Promise.all(all.map((browser) => browser.input(newPassword)))
      expect(outcomesOf(results)).toEqual({ finished: 1, InvariantViolated: 3 })
      for (const [index, guest] of guests.entries()) {
        const sessions = await listSessions(one.auth, guest.user_id)
        expect(sessions).toHaveLength(1)
        const { identities } = await getUser(one.auth, guest.user_id)
        const type = results[index]?.ok ? 'login_id' : 'anonymous'
        expect(identities).toMatchObject([{ type }])
      }
    })
  })
}

forEachStore(authCollections, describeRaces)
