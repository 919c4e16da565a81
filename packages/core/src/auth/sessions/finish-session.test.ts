import { describe, expect, it } from 'vitest'
import type { AuthorizationBridge, FlowOutcome } from '../flow/session/authorization-bridge.ts'
import { createUser } from '../people/create-user.ts'
import { disableUser } from '../people/update-user.ts'
import { type ConfigDelta, errorOf, stateOf, type TestAuth, testAuth } from '../service.fixture.ts'
import { openBrowser, waitingEvents } from './browser.fixture.ts'
import { listSessions } from './list-sessions.ts'
import { resolveSessionToken } from './resolve-session.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const byPassword = [
  { identification: 'email', login_id: email },
  { authentication: 'primary_password', password },
]
const bank = { client_id: 'bank', redirect_uris: ['https://bank.example/cb'] }
/** A login that looks for other sessions before the password and does not check the account status. */
const quick: ConfigDelta = {
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
const [named = {}, shown = {}] = byPassword
const allowsOne: ConfigDelta = {
  ...quick,
  oauth: { clients: [{ ...bank, x_max_concurrent_session: 1 }] },
}
const query = { url_query: 'client_id=bank' }

const withMaya = async (world: TestAuth) => ({
  ...world,
  userId: await createUser(world.auth, { email, password }),
})

describe('a login for an authorization server with its own sessions', () => {
  async function withBridge() {
    const outcomes: FlowOutcome[] = []
    const authorizationBridge: AuthorizationBridge = {
      resolve: async (id) => ({
        id,
        redirect_uri: 'https://app.example.com/cb',
        suppress_idp_session_cookie: true,
      }),
      finish: async ({ redirect_uri }, outcome) => {
        outcomes.push(outcome)
        return redirect_uri
      },
    }
    return { ...(await withMaya(testAuth(quick, { authorizationBridge }))), outcomes }
  }

  it('opens and ends no session, and reports the user to the server', async () => {
    const world = await withBridge()
    const { auth, clock, outcomes, userId } = world
    const browser = openBrowser(world)
    await browser.begin('login', { batch_input: byPassword })
    const { token } = browser
    clock.advance(1_000)
    const done = await browser.begin('login', { url_query: 'x_ref=r', batch_input: byPassword })
    expect(stateOf(done).action.type).toBe('finished')
    expect(done.cookies).toEqual([])
    const amr = ['pwd', 'x_primary_password']
    const authenticated_at = clock.now()
    expect(outcomes).toEqual([{ user_id: userId, session_id: null, amr, authenticated_at }])
    expect(await listSessions(auth, userId)).toHaveLength(1)
    expect(await resolveSessionToken(auth, token)).toBeDefined()
    expect((await waitingEvents(world)).at(-1)).toMatchObject({
      type: 'user.authenticated',
      payload: { session: { id: null, amr } },
    })
  })

  it('reports no user who may not sign in, even if the flow does not check', async () => {
    const { auth, outcomes, userId, ...world } = await withBridge()
    const browser = openBrowser({ ...world, auth })
    await browser.begin('login', { name: 'quick', url_query: 'x_ref=r', input: named })
    await disableUser(auth, userId)
    expect(errorOf(await browser.input(shown)).reason).toBe('DisabledUser')
    expect(outcomes).toEqual([])
  })
})

describe('a client that allows one session', () => {
  it('has one session after concurrent logins that began without a session', async () => {
    const world = await withMaya(testAuth(allowsOne))
    const browsers = Array.from({ length: 4 }, () => openBrowser(world))
    for (const browser of browsers) {
      const asked = await browser.begin('login', { ...query, name: 'quick', input: named })
      expect(stateOf(asked).action.type).toBe('authenticate')
    }
    const results = await Promise.all(browsers.map((browser) => browser.input(shown)))
    expect(results.map((one) => stateOf(one).action.type)).toEqual(Array(4).fill('finished'))
    const left = await listSessions(world.auth, world.userId)
    expect(left).toHaveLength(1)
    const [session] = left
    const own = browsers.filter(({ token }) => token.split('.')[0] === session?.id)
    expect(own).toHaveLength(1)
  })

  it('leaves the sessions of other clients and of other users', async () => {
    const world = await withMaya(testAuth(allowsOne))
    const lena = await createUser(world.auth, { email: 'lena@harborlight.example', password })
    const other = [{ ...named, login_id: 'lena@harborlight.example' }, shown]
    await openBrowser(world).begin('login', { ...query, batch_input: other })
    await openBrowser(world).begin('login', { batch_input: byPassword })
    await openBrowser(world).begin('login', { ...query, batch_input: byPassword })
    expect(await listSessions(world.auth, lena)).toHaveLength(1)
    const clients = (await listSessions(world.auth, world.userId)).map((one) => one.client_id)
    expect(clients.sort()).toEqual(['bank', null])
  })
})
