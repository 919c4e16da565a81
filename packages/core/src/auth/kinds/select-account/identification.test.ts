import { describe, expect, it } from 'vitest'
import type { AuthorizationBridge, FlowOutcome } from '../../flow/session/authorization-bridge.ts'
import type { CreateFlowParams } from '../../flows/create-flow.ts'
import { importUsers } from '../../people/import-users.ts'
import { disableUser } from '../../people/update-user.ts'
import { decodeBase32 } from '../../secrets/base32.ts'
import {
  type ConfigDelta,
  errorOf,
  stateOf,
  type TestAuth,
  testAuth,
  testState,
} from '../../service.fixture.ts'
import { openBrowser, type TestBrowser } from '../../sessions/browser.fixture.ts'
import { createSession } from '../../sessions/create-session.ts'
import { listSessions } from '../../sessions/list-sessions.ts'
import { resolveSessionToken } from '../../sessions/resolve-session.ts'
import { revokeSession } from '../../sessions/revoke-session.ts'
import { totpCode } from '../totp/totp.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const secret = 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN'
const select = { identification: 'select_account', index: 0 }
const byPassword = [
  { identification: 'email', login_id: email },
  { authentication: 'primary_password', password },
]

/** A login that requires a TOTP code after `select_account`. */
const withStepUp: ConfigDelta = {
  authentication_flow: {
    login_flows: [
      {
        name: 'step_up',
        steps: [
          {
            type: 'identify',
            one_of: [
              {
                identification: 'select_account',
                steps: [{ type: 'authenticate', one_of: [{ authentication: 'secondary_totp' }] }],
              },
              { identification: 'email' },
            ],
          },
        ],
      },
    ],
  },
}

/** Maya, signed in with her password in a browser. */
async function signedIn(delta: ConfigDelta = {}, options: Parameters<typeof testAuth>[1] = {}) {
  const world = testAuth(delta, options)
  const hash = await world.auth.hasher.hash(password)
  const users = [{ email, password: { type: 'scrypt', password_hash: hash } as const }]
  const [made] = await importUsers(world.auth, users)
  const userId = made?.outcome === 'inserted' ? made.user_id : ''
  const browser = openBrowser(world, { ip: '192.0.2.1', userAgent: 'desktop' })
  await login(browser)
  return { ...world, browser, userId }
}

async function login(browser: TestBrowser, params: Partial<CreateFlowParams> = {}): Promise<void> {
  const done = await browser.begin('login', { ...params, batch_input: byPassword })
  expect(stateOf(done).action.type).toBe('finished')
}

/** Gives a user a TOTP app. */
async function withApp({ auth }: TestAuth, address: string): Promise<string> {
  const hash = await auth.hasher.hash(password)
  const [made] = await importUsers(auth, [
    {
      email: address,
      password: { type: 'scrypt', password_hash: hash },
      mfa: { totp: { secret } },
    },
  ])
  return made?.outcome === 'inserted' ? made.user_id : ''
}

const codeNow = ({ clock }: TestAuth): string =>
  totpCode(decodeBase32(secret) ?? new Uint8Array(), Math.floor(clock.now() / 30_000))

const sessionOf = ({ auth }: TestAuth, { token }: TestBrowser) => resolveSessionToken(auth, token)

describe('the option to continue with the session', () => {
  it('is offered first, with the name as typed', async () => {
    const { browser, userId } = await signedIn()
    for (const type of ['login', 'signup_login'] as const) {
      await browser.begin(type)
      expect(browser.options).toEqual([
        { identification: 'select_account', display_name: email, user_id: userId },
        { identification: 'email' },
      ])
    }
    await browser.begin('signup')
    expect(browser.options).toEqual([{ identification: 'email' }])
  })

  it('is not offered without a session of a user who may sign in', async () => {
    const { auth, browser, userId } = await signedIn()
    const offered = async (): Promise<boolean> => {
      await browser.begin('login')
      return JSON.stringify(browser.options).includes('select_account')
    }
    expect(await offered()).toBe(true)
    await disableUser(auth, userId)
    expect(await offered()).toBe(false)
    browser.forget()
    expect(await offered()).toBe(false)
    browser.keep([
      {
        name: 'session',
        value: 'x.y',
        sameSite: 'Lax',
        secure: true,
        domain: undefined,
        maxAge: 9,
      },
    ])
    expect(await offered()).toBe(false)
  })

  it('is not offered once the session has ended', async () => {
    const { auth, browser, clock, userId } = await signedIn()
    clock.advance(30 * 86_400_000)
    await browser.begin('login')
    expect(browser.options).toEqual([{ identification: 'email' }])
    await login(browser)
    const [session] = await listSessions(auth, userId)
    await revokeSession(auth, session?.id ?? '')
    await browser.begin('login')
    expect(browser.options).toEqual([{ identification: 'email' }])
  })

  it('is not offered to an authorization request that demands a login, or forbids the session', async () => {
    const requests = {
      plain: {},
      login: { prompt: ['consent', 'login'] },
      suppressed: { suppress_idp_session_cookie: true },
    }
    const authorizationBridge: AuthorizationBridge = {
      resolve: async (reference) => ({
        id: reference,
        redirect_uri: 'https://app.example.com/cb',
        ...Object(requests[reference as keyof typeof requests]),
      }),
      finish: async ({ redirect_uri }) => redirect_uri,
    }
    const { browser } = await signedIn({}, { authorizationBridge })
    const counts: Record<string, number> = {}
    for (const name of Object.keys(requests)) {
      await browser.begin('login', { url_query: `x_ref=${name}` })
      counts[name] = browser.options.length
    }
    expect(counts).toEqual({ plain: 2, login: 1, suppressed: 1 })
  })

  it('is not offered if the flow does not list it', async () => {
    const steps = [{ type: 'identify', one_of: [{ identification: 'email' }] }]
    const { browser } = await signedIn({
      authentication_flow: { login_flows: [{ name: 'other', steps }] },
    })
    await browser.begin('login', { name: 'other' })
    expect(browser.options).toEqual([{ identification: 'email' }])
  })

  it('keeps its place without a name if the state is read without the session', async () => {
    const { browser, userId } = await signedIn()
    await browser.begin('login')
    const named = { identification: 'select_account', display_name: email, user_id: userId }
    expect((await browser.read()).action.data.options).toEqual([named, { identification: 'email' }])
    browser.forget()
    const read = await browser.read()
    expect(read.action.data.options).toEqual([
      { identification: 'select_account' },
      { identification: 'email' },
    ])
    expect(JSON.stringify(read)).not.toContain(userId)
  })

  it('is chosen by its index', async () => {
    const { browser } = await signedIn()
    await browser.begin('login')
    for (const index of [1, -1, '0', null]) {
      const refused = errorOf(await browser.input({ ...select, index }))
      expect(refused).toMatchObject({
        reason: 'ValidationFailed',
        info: {
          causes: expect.arrayContaining([
            { location: '/index', kind: 'const', details: { expected: 0, actual: index } },
          ]),
        },
      })
    }
    expect(errorOf(await browser.input({ identification: 'select_account' })).reason).toBe(
      'ValidationFailed',
    )
  })
})

describe('continuing with the session', () => {
  it('ends the flow with the unchanged session, and sets no cookie', async () => {
    const world = await signedIn()
    const { auth, browser, clock, userId } = world
    const before = await sessionOf(world, browser)
    clock.advance(3_600_000)
    await browser.begin('login')
    const done = await browser.input({ ...select, user_id: 'somebody else' })
    expect(stateOf(done).action).toEqual({ type: 'finished', data: {} })
    expect(done.cookies).toEqual([])
    expect(await listSessions(auth, userId)).toEqual([
      {
        ...before,
        last_accessed_at: clock.now(),
        expires_at: clock.now() + 30 * 86_400_000,
      },
    ])
  })

  it('works in one request, and in a flow that decides between sign-up and login', async () => {
    const { auth, browser, userId } = await signedIn()
    const done = await browser.begin('signup_login', { input: select })
    expect(stateOf(done)).toMatchObject({ type: 'login', action: { type: 'finished' } })
    expect(done.cookies).toEqual([])
    expect(await listSessions(auth, userId)).toHaveLength(1)
  })

  it('is refused if the session has ended, or belongs to another user', async () => {
    const world = await signedIn()
    const { browser, userId } = world
    const other = openBrowser(world)
    await withApp(world, 'lena@harborlight.example')
    const taken = { ...browser.request }
    await browser.begin('login')
    browser.forget()
    const changed = { reason: 'SelectAccountSessionChanged', code: 401 }
    const gone = await browser.input(select)
    expect(errorOf(gone)).toMatchObject(changed)
    expect(errorOf(gone)).not.toHaveProperty('info')
    expect(gone.result && testState(gone.result).action.data.options).toEqual([
      { identification: 'select_account' },
      { identification: 'email' },
    ])
    await login(other)
    expect(other.token).not.toBe('')
    browser.keep([
      {
        name: 'session',
        value: other.token,
        sameSite: 'Lax',
        secure: true,
        domain: undefined,
        maxAge: 9,
      },
    ])
    // Another session of the same user is refused too.
    expect(errorOf(await browser.input(select))).toMatchObject(changed)
    expect(taken.cookie).not.toBe(browser.request.cookie)
    expect(await listSessions(world.auth, userId)).toHaveLength(2)
  })

  it('is refused if a session with the same id now belongs to another user', async () => {
    const world = await signedIn()
    const { auth, browser } = world
    const lena = await withApp(world, 'lena@harborlight.example')
    await browser.begin('login')
    const { token } = browser
    await revokeSession(auth, token.split('.')[0] ?? '')
    await createSession(auth, lena, { token })
    expect(errorOf(await browser.input(select)).reason).toBe('SelectAccountSessionChanged')
    expect(JSON.stringify(await browser.read())).not.toContain('harborlight')
  })

  it('reports the existing session to the bridge', async () => {
    const outcomes: FlowOutcome[] = []
    const authorizationBridge: AuthorizationBridge = {
      resolve: async (id) => ({ id, redirect_uri: 'https://app.example.com/cb' }),
      finish: async ({ redirect_uri }, outcome) => {
        outcomes.push(outcome)
        return redirect_uri
      },
    }
    const world = await signedIn({}, { authorizationBridge })
    const session = await sessionOf(world, world.browser)
    world.clock.advance(60_000)
    await world.browser.begin('login', { url_query: 'x_ref=r1', input: select })
    expect(outcomes).toEqual([
      {
        user_id: world.userId,
        session_id: session?.id,
        amr: ['pwd', 'x_primary_password'],
        authenticated_at: world.clock.now() - 60_000,
      },
    ])
  })

  it('keeps the session of a client that allows one, and ends the others', async () => {
    const clients = [
      {
        client_id: 'bank',
        redirect_uris: ['https://bank.example/cb'],
        x_max_concurrent_session: 1,
      },
    ]
    const world = await signedIn({ oauth: { clients } })
    const { auth, browser, userId } = world
    const query = { url_query: 'client_id=bank' }
    await login(browser, query)
    await browser.begin('login', { ...query, input: select })
    expect((await listSessions(auth, userId)).map(({ id }) => id)).toEqual([
      browser.token.split('.')[0],
    ])
    const other = openBrowser(world)
    await other.begin('login', { ...query, batch_input: byPassword })
    stateOf(await other.input({ confirm_terminate_other_sessions: true }))
    expect(await sessionOf(world, browser)).toBeUndefined()
    expect(await sessionOf(world, other)).toBeDefined()
  })
})

describe('a step after the selection', () => {
  /** Maya with a TOTP app, signed in with her password an hour ago. */
  async function withMaya() {
    const world = testAuth({
      ...withStepUp,
      authentication: { secondary_authentication_mode: 'disabled' },
    })
    const userId = await withApp(world, email)
    const browser = openBrowser(world)
    await login(browser)
    world.clock.advance(3_600_000)
    return { ...world, browser, userId }
  }

  it('adds its authentication to the session, which is authenticated now', async () => {
    const world = await withMaya()
    const { browser, clock } = world
    const before = await sessionOf(world, browser)
    expect(before).toMatchObject({ aal: 1 })
    const asked = stateOf(await browser.begin('login', { name: 'step_up', input: select }))
    expect(asked.action.data.options).toEqual([{ authentication: 'secondary_totp' }])
    const done = await browser.input({ authentication: 'secondary_totp', code: codeNow(world) })
    expect(stateOf(done).action.type).toBe('finished')
    expect(done.cookies).toEqual([])
    const signedInAt = clock.now() - 3_600_000
    expect(await sessionOf(world, browser)).toMatchObject({
      id: before?.id,
      aal: 2,
      created_at: signedInAt,
      authenticated_at: clock.now(),
      amr: ['mfa', 'otp', 'pwd', 'x_primary_password', 'x_secondary_totp'],
      amr_at: {
        mfa: signedInAt,
        otp: clock.now(),
        pwd: signedInAt,
        x_primary_password: signedInAt,
        x_secondary_totp: clock.now(),
      },
    })
  })

  it('fails if the session has ended meanwhile', async () => {
    const world = await withMaya()
    const { auth, browser } = world
    await browser.begin('login', { name: 'step_up', input: select })
    await revokeSession(auth, browser.token.split('.')[0] ?? '')
    const code = codeNow(world)
    const refused = await browser.input({ authentication: 'secondary_totp', code })
    expect(errorOf(refused)).toMatchObject({ reason: 'SelectAccountSessionChanged', code: 401 })
    expect(errorOf(refused)).not.toHaveProperty('info')
    expect(await listSessions(auth, world.userId)).toEqual([])
  })

  it('fails without the cookie, even with the right factor', async () => {
    const world = await withMaya()
    const { browser, userId } = world
    await browser.begin('login', { name: 'step_up', input: select })
    browser.forget()
    const code = codeNow(world)
    const refused = await browser.input({ authentication: 'secondary_totp', code })
    expect(errorOf(refused).reason).toBe('SelectAccountSessionChanged')
    expect(await listSessions(world.auth, userId)).toMatchObject([{ aal: 1 }])
  })

  it('refuses a user without such a factor', async () => {
    const { browser } = await signedIn(withStepUp)
    const refused = errorOf(await browser.begin('login', { name: 'step_up', input: select }))
    expect(refused).toMatchObject({
      reason: 'InvariantViolated',
      info: { cause: { kind: 'NoAuthenticator' } },
    })
  })
})
