import { describe, expect, it } from 'vitest'
import type { AuthorizationBridge, FlowOutcome } from '../../flow/session/authorization-bridge.ts'
import { importUsers } from '../../people/import-users.ts'
import { disableUser } from '../../people/update-user.ts'
import { decodeBase32 } from '../../secrets/base32.ts'
import {
  type ConfigDelta,
  errorOf,
  stateOf,
  type TestAuth,
  testAuth,
} from '../../service.fixture.ts'
import { openBrowser, type TestBrowser, waitingEventTypes } from '../../sessions/browser.fixture.ts'
import { listSessions } from '../../sessions/list-sessions.ts'
import { resolveSessionToken } from '../../sessions/resolve-session.ts'
import { revokeSession } from '../../sessions/revoke-session.ts'
import { totpCode } from '../totp/totp.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const secret = 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN'
const hour = 3_600_000
const token = (name: string) => ({ identification: 'id_token', id_token: name })
const byPassword = { authentication: 'primary_password', password }

type Options = NonNullable<Parameters<typeof testAuth>[1]>

/** Maya and Lena, each signed in with a password in a browser. Their ID tokens are their names. */
async function house(delta: ConfigDelta = {}, options: Options = {}) {
  const users = new Map<string, string>()
  const asked: string[] = []
  const world = testAuth(delta, {
    idTokenVerifier: async (given) => {
      asked.push(given)
      return given === 'ghost' ? 'b5f5b7c2-4a6b-4d1c-9a33-2f0c1f1f7a11' : users.get(given)
    },
    ...options,
  })
  const hash = await world.auth.hasher.hash(password)
  for (const name of ['maya', 'lena']) {
    const [made] = await importUsers(world.auth, [
      {
        email: `${name}@harborlight.example`,
        password: { type: 'scrypt', password_hash: hash },
        mfa: { totp: { secret } },
      },
    ])
    if (made?.outcome === 'inserted') users.set(name, made.user_id)
  }
  const browser = openBrowser(world)
  await login(world, browser)
  return { ...world, browser, users, asked, maya: users.get('maya') ?? '' }
}

async function login(world: TestAuth, browser: TestBrowser, address = email): Promise<void> {
  await browser.begin('login', {
    batch_input: [{ identification: 'email', login_id: address }, byPassword],
  })
  const done = await browser.input({ authentication: 'secondary_totp', code: codeNow(world) })
  expect(stateOf(done).action.type).toBe('finished')
}

const codeNow = ({ clock }: TestAuth): string =>
  totpCode(decodeBase32(secret) ?? new Uint8Array(), Math.floor(clock.now() / 30_000))

const sessionOf = ({ auth }: TestAuth, browser: TestBrowser) =>
  resolveSessionToken(auth, browser.token)

describe('a reauthentication', () => {
  it('renews the session of the request, with the times of all its authentications', async () => {
    const world = await house()
    const { browser, clock } = world
    const before = await sessionOf(world, browser)
    clock.advance(hour)
    const asked = stateOf(await browser.begin('reauth', { input: token('maya') }))
    expect(asked).toMatchObject({ type: 'reauth', action: { type: 'authenticate' } })
    const done = await browser.input(byPassword)
    expect(stateOf(done).action).toEqual({ type: 'finished', data: {} })
    expect(done.cookies).toEqual([])
    const now = clock.now()
    expect(await sessionOf(world, browser)).toEqual({
      ...before,
      authenticated_at: now,
      last_accessed_at: now,
      expires_at: now + 30 * 86_400_000,
      amr_at: {
        mfa: now - hour,
        otp: now - hour,
        pwd: now,
        x_primary_password: now,
        x_secondary_totp: now - hour,
      },
    })
    expect((await waitingEventTypes(world)).at(-1)).toBe('user.reauthenticated')
  })

  it('accepts a second factor as well', async () => {
    const world = await house()
    world.clock.advance(hour)
    await world.browser.begin('reauth', { input: token('maya') })
    const code = codeNow(world)
    stateOf(await world.browser.input({ authentication: 'secondary_totp', code }))
    expect(await sessionOf(world, world.browser)).toMatchObject({
      aal: 2,
      authenticated_at: world.clock.now(),
    })
  })

  it('renews the session that the token names, without its cookie', async () => {
    let session_id: string | undefined
    const world = await house(
      {},
      {
        idTokenVerifier: async () => ({ user_id: users.maya ?? '', session_id: session_id ?? '' }),
      },
    )
    const users = { maya: (await sessionOf(world, world.browser))?.user_id }
    const before = await sessionOf(world, world.browser)
    session_id = before?.id
    world.clock.advance(hour)
    const app = openBrowser(world)
    await app.begin('reauth', { input: token('any') })
    const done = await app.input(byPassword)
    expect(stateOf(done).action.type).toBe('finished')
    expect(done.cookies).toEqual([])
    expect(await sessionOf(world, world.browser)).toMatchObject({
      id: before?.id,
      authenticated_at: world.clock.now(),
    })
  })

  it('renews no named session that has ended or is of another user', async () => {
    let named = { user_id: '', session_id: '' }
    const world = await house({}, { idTokenVerifier: async () => named })
    const session = await sessionOf(world, world.browser)
    if (session === undefined) throw new Error('there is no session')
    const own = { user_id: session.user_id, session_id: session.id }
    const others = openBrowser(world)
    await login(world, others, 'lena@harborlight.example')
    const lena = await sessionOf(world, others)
    for (const session_id of ['', 'none', lena?.id ?? '']) {
      named = { ...own, session_id }
      const refused = await openBrowser(world).begin('reauth', { input: token('any') })
      expect(errorOf(refused)).toMatchObject({ reason: 'SelectAccountSessionChanged', code: 401 })
    }
    named = own
    const app = openBrowser(world)
    await app.begin('reauth', { input: token('any') })
    await revokeSession(world.auth, session.id)
    expect(errorOf(await app.input(byPassword))).toMatchObject({
      reason: 'SelectAccountSessionChanged',
    })
  })

  it('needs a valid token of an existing user', async () => {
    const { browser, asked } = await house()
    await browser.begin('reauth')
    expect(browser.options).toEqual([{ identification: 'id_token' }])
    expect(errorOf(await browser.input(token('forged')))).toMatchObject({
      name: 'Invalid',
      reason: 'Invalid',
      message: 'invalid ID token',
      code: 400,
      info: { FlowType: 'reauth' },
    })
    expect(errorOf(await browser.input(token('ghost')))).toMatchObject({
      reason: 'UserNotFound',
      code: 404,
      info: { FlowType: 'reauth' },
    })
    expect(errorOf(await browser.input(token('x'.repeat(16_385)))).reason).toBe('Invalid')
    expect(asked).toEqual(['forged', 'ghost'])
    for (const id_token of [undefined, 7, null]) {
      const input = id_token === undefined ? {} : { id_token }
      const refused = await browser.input({ identification: 'id_token', ...input })
      expect(errorOf(refused).reason).toBe('ValidationFailed')
    }
  })

  it('needs a session of the same user', async () => {
    const world = await house()
    const { browser } = world
    const changed = { reason: 'SelectAccountSessionChanged', code: 401 }
    await browser.begin('reauth')
    expect(errorOf(await browser.input(token('lena')))).toMatchObject(changed)
    browser.forget()
    expect(errorOf(await browser.input(token('maya')))).toMatchObject(changed)
    expect(
      errorOf(await openBrowser(world).begin('reauth', { input: token('maya') })),
    ).toMatchObject(changed)
  })

  it('opens no session from an old token and one factor', async () => {
    const world = await house()
    const { auth, browser, maya } = world
    await browser.begin('reauth', { input: token('maya') })
    await revokeSession(auth, browser.token.split('.')[0] ?? '')
    const refused = await browser.input(byPassword)
    expect(errorOf(refused)).toMatchObject({ reason: 'SelectAccountSessionChanged', code: 401 })
    expect(await listSessions(auth, maya)).toEqual([])
  })

  it('is refused for a user who may not sign in any more', async () => {
    const { auth, browser, maya } = await house()
    await browser.begin('reauth', { input: token('maya') })
    await disableUser(auth, maya)
    expect(errorOf(await browser.input(byPassword)).reason).toBe('SelectAccountSessionChanged')
  })

  it('needs more than an ID token, whatever the flow configures', async () => {
    const steps = [{ type: 'identify', one_of: [{ identification: 'id_token' }] }]
    const world = await house({ authentication_flow: { reauth_flows: [{ name: 'bare', steps }] } })
    const before = await sessionOf(world, world.browser)
    const refused = await world.browser.begin('reauth', { name: 'bare', input: token('maya') })
    expect(errorOf(refused)).toMatchObject({
      reason: 'InvariantViolated',
      info: { FlowType: 'reauth', cause: { kind: 'NoAuthenticator' } },
    })
    expect(await sessionOf(world, world.browser)).toEqual(before)
  })

  it('is not available without a verifier of ID tokens', async () => {
    const world = testAuth()
    expect(errorOf(await openBrowser(world).begin('reauth'))).toMatchObject({
      reason: 'AuthenticationFlowFlowNotFound',
      code: 404,
    })
  })

  it('leaks no token, not even if the host fails', async () => {
    const logged: unknown[] = []
    const note = (...line: readonly unknown[]): void => {
      logged.push(line)
    }
    const logger = { debug: note, info: note, warn: note, error: note }
    const world = await house(
      {},
      {
        logger,
        idTokenVerifier: async () => {
          throw new Error('the keys could not be fetched')
        },
      },
    )
    const refused = await world.browser.begin('reauth', {
      input: token('eyJhbGciOiJSUzI1NiJ9.x.y'),
    })
    expect(errorOf(refused)).toMatchObject({ reason: 'UnexpectedError', code: 500 })
    expect(JSON.stringify([refused, logged])).not.toContain('eyJhbGci')
    expect(logged).not.toEqual([])
  })
})

describe('a reauthentication for an authorization server', () => {
  const requests = {
    suppressed: { suppress_idp_session_cookie: true },
    hinted: { user_id_hint: 'somebody else', can_use_intention_to_reauthenticate: true },
    login: { can_use_intention_to_reauthenticate: false },
  }

  async function withBridge() {
    const outcomes: FlowOutcome[] = []
    const authorizationBridge: AuthorizationBridge = {
      resolve: async (reference) => ({
        id: reference,
        redirect_uri: 'https://app.example.com/cb',
        ...Object(requests[reference as keyof typeof requests]),
      }),
      finish: async ({ redirect_uri }, outcome) => {
        outcomes.push(outcome)
        return redirect_uri
      },
    }
    return { ...(await house({}, { authorizationBridge })), outcomes }
  }

  it('with its own sessions needs none here, and renews none', async () => {
    const world = await withBridge()
    const { browser, outcomes, clock, maya } = world
    const before = await sessionOf(world, browser)
    clock.advance(hour)
    const query = { url_query: 'x_ref=suppressed', input: token('maya') }
    stateOf(await openBrowser(world).begin('reauth', query))
    await browser.begin('reauth', query)
    const done = stateOf(await browser.input(byPassword))
    expect(done.action.data).toEqual({ finish_redirect_uri: 'https://app.example.com/cb' })
    expect(outcomes).toEqual([
      {
        user_id: maya,
        session_id: null,
        amr: ['pwd', 'x_primary_password'],
        authenticated_at: clock.now(),
      },
    ])
    expect(await sessionOf(world, browser)).toMatchObject({
      authenticated_at: before?.authenticated_at,
    })
  })

  it('with its own sessions does not report a user who may not sign in', async () => {
    const { auth, browser, outcomes, maya } = await withBridge()
    await browser.begin('reauth', { url_query: 'x_ref=suppressed', input: token('maya') })
    await disableUser(auth, maya)
    expect(errorOf(await browser.input(byPassword)).reason).toBe('DisabledUser')
    expect(outcomes).toEqual([])
  })

  it('that expects another user is refused', async () => {
    const { browser } = await withBridge()
    const query = { url_query: 'x_ref=hinted', input: token('maya') }
    expect(errorOf(await browser.begin('reauth', query))).toMatchObject({
      reason: 'InvariantViolated',
      info: { FlowType: 'reauth', cause: { kind: 'MismatchedUser' } },
    })
  })

  it('that demands a login is refused', async () => {
    const { browser } = await withBridge()
    expect(errorOf(await browser.begin('reauth', { url_query: 'x_ref=login' }))).toMatchObject({
      reason: 'AuthenticationFlowNotAllowed',
      code: 403,
    })
  })
})

describe('an ID token in a login', () => {
  const steps = [
    {
      type: 'identify',
      one_of: [
        {
          identification: 'id_token',
          steps: [{ type: 'authenticate', one_of: [{ authentication: 'primary_password' }] }],
        },
      ],
    },
    { type: 'check_account_status' },
  ]
  const deciding = [
    { type: 'identify', one_of: [{ identification: 'id_token', login_flow: 'known' }] },
  ]
  const delta: ConfigDelta = {
    authentication_flow: {
      login_flows: [{ name: 'known', steps }],
      signup_login_flows: [{ name: 'known', steps: deciding }],
    },
  }

  it('identifies a user, who then authenticates and gets a session', async () => {
    const world = await house(delta)
    for (const type of ['login', 'signup_login'] as const) {
      const other = openBrowser(world)
      await other.begin(type, { name: 'known', input: token('maya') })
      const done = stateOf(await other.input(byPassword))
      expect(done).toMatchObject({ type: 'login', action: { type: 'finished' } })
      expect(await sessionOf(world, other)).toMatchObject({ user_id: world.maya })
    }
    expect(await listSessions(world.auth, world.maya)).toHaveLength(3)
  })
})
