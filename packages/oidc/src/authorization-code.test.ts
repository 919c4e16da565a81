import { createSession, createUser, revokeSession } from '@gatehouse/core'
import { disableUser, getUser, impersonateUser, listSessions } from '@gatehouse/core/auth'
import * as client from 'openid-client'
import { describe, expect, it, vi } from 'vitest'
import {
  authorize,
  type Browser,
  callback,
  email,
  origin,
  startWorld,
  type World,
} from '../test/world.fixture.ts'

/** Opens an authorization request for an app. */
async function request(
  world: World,
  browser: Browser,
  clientId: string,
  parameters: Readonly<Record<string, string>> = {},
) {
  const configuration = await world.configuration(clientId)
  const begun = await authorize(configuration, parameters)
  const page = await browser.open(begun.url)
  const redeem = (url: URL) =>
    client.authorizationCodeGrant(configuration, url, {
      pkceCodeVerifier: begun.verifier,
      expectedState: begun.state,
      idTokenExpected: true,
    })
  return { configuration, page, redeem, ...begun }
}

/** A browser whose person has signed in for one app. */
async function signedIn(world: World): Promise<Browser> {
  const browser = world.browser()
  const { page } = await request(world, browser, 'web')
  await browser.signIn(page)
  return browser
}

const errorOf = ({ searchParams }: URL): string | null => searchParams.get('error')

describe('the authorization code flow', () => {
  it('signs a person in through a flow, and gives the app an ID token and the claims', async () => {
    const world = await startWorld()
    const browser = world.browser()
    const { page, redeem, configuration } = await request(world, browser, 'web', {
      login_hint: email,
      ui_locales: 'de',
    })
    expect(page.url.pathname).toBe('/login')
    expect(Object.fromEntries(page.url.searchParams)).toMatchObject({
      client_id: 'web',
      login_hint: email,
      ui_locales: 'de',
    })
    const back = await browser.signIn(page)
    expect(back.url.href.split('?')[0]).toBe(callback)
    expect(back.url.searchParams.get('iss')).toBe(origin)
    const tokens = await redeem(back.url)
    expect(tokens.claims()).toMatchObject({
      sub: world.userId,
      aud: 'web',
      acr: 'aal1',
      amr: ['pwd', 'x_primary_password'],
      auth_time: Math.floor(Date.now() / 1_000),
    })
    const claims = await client.fetchUserInfo(configuration, tokens.access_token, world.userId)
    expect(claims).toEqual({ sub: world.userId, email, email_verified: false })
    expect(world.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('lets a second app in without a page, also with prompt=none', async () => {
    const world = await startWorld()
    const browser = await signedIn(world)
    const spa = await request(world, browser, 'spa', { prompt: 'none' })
    expect(spa.page.url.searchParams.get('code')).not.toBeNull()
  })

  it('uses a session that began without any app', async () => {
    const world = await startWorld()
    const browser = world.browser()
    const { cookies } = await createSession(world.auth, world.userId, { amr: ['pwd'] })
    browser.keep(cookies)
    const { page, redeem } = await request(world, browser, 'web', { prompt: 'none' })
    expect((await redeem(page.url)).claims()?.sub).toBe(world.userId)
  })

  it.each([
    ['web', 'login_required'],
    ['asking', 'login_required'],
  ])('answers prompt=none for %s with %s where nobody is signed in', async (id, error) => {
    const world = await startWorld()
    const { page } = await request(world, world.browser(), id, { prompt: 'none' })
    expect(page.url.href.split('?')[0]).toBe(callback)
    expect(errorOf(page.url)).toBe(error)
  })

  it('answers prompt=none with consent_required where a person has not consented', async () => {
    const world = await startWorld()
    const browser = await signedIn(world)
    const { page } = await request(world, browser, 'asking', { prompt: 'none' })
    expect(errorOf(page.url)).toBe('consent_required')
  })

  it('asks to sign in again for prompt=login, and takes no earlier sign-in for it', async () => {
    const world = await startWorld()
    const browser = await signedIn(world)
    vi.setSystemTime(Date.now() + 60_000)
    const { page, redeem } = await request(world, browser, 'web', { prompt: 'login' })
    expect(page.url.searchParams.get('prompt')).toBe('login')
    const uid = page.url.searchParams.get('x_ref')
    const early = await browser.open(`/oidc/interaction/${uid}`)
    expect(early.url.pathname).toBe('/login')
    const back = await browser.signIn(page)
    const claims = (await redeem(back.url)).claims()
    expect(claims?.auth_time).toBe(Math.floor(Date.now() / 1_000))
  })

  const newcomer = [
    { identification: 'email', login_id: 'ines@example.com' },
    { authentication: 'primary_password', new_password: 'quiet-harbor-17' },
  ] as const

  it.each([
    ['nobody is signed in', false],
    ['another person is signed in', true],
  ])('leads to a new account for prompt=create where %s', async (_, isTaken) => {
    const world = await startWorld()
    const browser = isTaken ? await signedIn(world) : world.browser()
    const asked = { prompt: 'create', ui_locales: 'fr' }
    const { page, redeem } = await request(world, browser, 'web', asked)
    expect(page.url.pathname).toBe('/signup')
    const uid = page.url.searchParams.get('x_ref')
    expect((await browser.open(`/oidc/interaction/${uid}`)).url.pathname).toBe('/signup')
    const back = await browser.signIn(page, newcomer)
    const { sub = '' } = (await redeem(back.url)).claims() ?? {}
    const user = await getUser(world.auth, sub)
    expect(user.standard_attributes.email).toBe('ines@example.com')
    const known = await request(world, browser, 'web')
    expect(known.page.url.searchParams.get('code')).not.toBeNull()
  })

  it('takes a person who has an account nevertheless for prompt=create', async () => {
    const world = await startWorld()
    const browser = world.browser()
    const { page, redeem } = await request(world, browser, 'web', { prompt: 'create' })
    const back = await browser.signIn({
      ...page,
      url: new URL(page.url.href.replace('/signup', '/login')),
    })
    expect((await redeem(back.url)).claims()?.sub).toBe(world.userId)
  })

  it('leads to the page to sign in for prompt=create where sign-up is closed', async () => {
    const config = { authentication: { identities: ['login_id'], public_signup_disabled: true } }
    const world = await startWorld({ config })
    const { page } = await request(world, world.browser(), 'web', { prompt: 'create' })
    expect(page.url.pathname).toBe('/login')
  })

  it('asks to sign in again once max_age has passed, and not before', async () => {
    const world = await startWorld()
    const browser = await signedIn(world)
    vi.setSystemTime(Date.now() + 30_000)
    const young = await request(world, browser, 'web', { max_age: '60' })
    expect(young.page.url.searchParams.get('code')).not.toBeNull()
    vi.setSystemTime(Date.now() + 60_000)
    const none = await request(world, browser, 'web', { max_age: '60', prompt: 'none' })
    expect(errorOf(none.page.url)).toBe('login_required')
    const old = await request(world, browser, 'web', { max_age: '60' })
    expect(old.page.url.pathname).toBe('/login')
    const back = await browser.signIn(old.page)
    expect(back.url.searchParams.get('code')).not.toBeNull()
  })

  it('asks for two factors for acr_values=aal2, and tells the app if they were not shown', async () => {
    const world = await startWorld()
    const browser = await signedIn(world)
    vi.setSystemTime(Date.now() + 5_000)
    const { page } = await request(world, browser, 'web', { acr_values: 'aal2' })
    expect(page.url.searchParams.get('prompt')).toBe('login')
    const back = await browser.signIn(page)
    expect(back.url.href.split('?')[0]).toBe(callback)
    expect(errorOf(back.url)).toBe('login_required')
    const strong = { amr: ['pwd', 'otp', 'mfa'] }
    browser.keep((await createSession(world.auth, world.userId, strong)).cookies)
    const again = await request(world, browser, 'web', { acr_values: 'aal2', prompt: 'none' })
    const tokens = await again.redeem(again.page.url)
    expect(tokens.claims()).toMatchObject({ acr: 'aal2' })
  })

  it('asks for the user of an id_token_hint, and lets no other user in', async () => {
    const world = await startWorld()
    const browser = world.browser()
    const first = await request(world, browser, 'web')
    const tokens = await first.redeem((await browser.signIn(first.page)).url)
    const other = await createUser(world.auth, {
      email: 'luis@example.com',
      password: 'x-lantern-42',
    })
    browser.keep((await createSession(world.auth, other, { amr: ['pwd'] })).cookies)
    const hinted = { id_token_hint: tokens.id_token ?? '' }
    const none = await request(world, browser, 'web', { ...hinted, prompt: 'none' })
    expect(errorOf(none.page.url)).toBe('login_required')
    vi.setSystemTime(Date.now() + 5_000)
    const { page, redeem } = await request(world, browser, 'web', hinted)
    expect(page.url.pathname).toBe('/login')
    const wrong = [
      { identification: 'email', login_id: 'luis@example.com' },
      { authentication: 'primary_password', password: 'x-lantern-42' },
    ] as const
    await expect(browser.signIn(page, wrong)).rejects.toThrow('MismatchedUser')
    const back = await browser.signIn(page)
    expect((await redeem(back.url)).claims()?.sub).toBe(world.userId)
  })

  it('lets a person choose the account for prompt=select_account', async () => {
    const world = await startWorld()
    const browser = await signedIn(world)
    const [before] = await listSessions(world.auth, world.userId)
    const { page, redeem } = await request(world, browser, 'web', { prompt: 'select_account' })
    expect(page.url.pathname).toBe('/login')
    const uid = page.url.searchParams.get('x_ref')
    expect((await browser.open(`/oidc/interaction/${uid}`)).url.pathname).toBe('/login')
    const back = await browser.signIn(page, [{ identification: 'select_account', index: 0 }])
    expect((await redeem(back.url)).claims()?.sub).toBe(world.userId)
    const [after] = await listSessions(world.auth, world.userId)
    expect(after?.id).toBe(before?.id)
  })

  it('lets no app in by the session of an operator who acts as the user', async () => {
    const world = await startWorld()
    const browser = world.browser()
    const acting = await impersonateUser(world.auth, world.userId, {
      operator: 'olga',
      reason: 'ticket 4711',
    })
    browser.keep(acting.cookies)
    const none = await request(world, browser, 'web', { prompt: 'none' })
    expect(errorOf(none.page.url)).toBe('login_required')
    const { page } = await request(world, browser, 'web')
    expect([page.status, page.url.pathname.split('/')[2]]).toEqual([403, 'interaction'])
  })

  it('gives no code once the session has ended that a sign-in has opened', async () => {
    const world = await startWorld()
    const browser = world.browser()
    const { page } = await request(world, browser, 'web')
    const uid = page.url.searchParams.get('x_ref')
    const { session, cookies } = await createSession(world.auth, world.userId, { amr: ['pwd'] })
    const cookie = [
      browser.cookies(`/oidc/interaction/${uid}`),
      ...cookies.map(({ name, value }) => `${name}=${value}`),
    ].join('; ')
    const finished = await world.fetch(`${origin}/oidc/interaction/${uid}`, { headers: { cookie } })
    expect(finished.headers.get('location')).toBe(`${origin}/oidc/authorize/${uid}`)
    await revokeSession(world.auth, session.id)
    browser.keep(cookies)
    const resumed = await browser.open(`/oidc/authorize/${uid}`)
    expect(resumed.url.pathname).toBe('/login')
  })

  it('lets no disabled user in, and redeems no code of one', async () => {
    const world = await startWorld()
    const browser = world.browser()
    const { page, redeem } = await request(world, browser, 'web')
    const back = await browser.signIn(page)
    await disableUser(world.auth, world.userId)
    await expect(redeem(back.url)).rejects.toMatchObject({ error: 'invalid_grant' })
    const again = await request(world, browser, 'web', { prompt: 'none' })
    expect(errorOf(again.page.url)).toBe('login_required')
  })
})

describe('consent', () => {
  it('is asked for once, in words, and remembered over sessions', async () => {
    const world = await startWorld()
    const browser = await signedIn(world)
    const { page, redeem } = await request(world, browser, 'asking')
    expect(page.status).toBe(200)
    expect(page.text).toContain('Weather Notes')
    expect(page.text).toContain(email)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    const back = await browser.send(page, { decision: 'allow' })
    expect((await redeem(back.url)).claims()?.sub).toBe(world.userId)
    const apps = await world.oidc.listApps(world.userId)
    expect(new Set(apps.map(({ clientId }) => clientId))).toEqual(new Set(['web', 'asking']))
    expect(apps.find(({ clientId }) => clientId === 'asking')).toMatchObject({
      name: 'Weather Notes',
      scopes: ['openid', 'email'],
      resources: {},
    })
    const elsewhere = await signedIn(world)
    const again = await request(world, elsewhere, 'asking', { prompt: 'none' })
    expect(again.page.url.searchParams.get('code')).not.toBeNull()
    const more = await request(world, elsewhere, 'asking', { scope: 'openid email phone' })
    expect(more.page.url.pathname).toMatch('/oidc/interaction/')
  })

  it('that was refused is told to the app', async () => {
    const world = await startWorld()
    const browser = await signedIn(world)
    const { page } = await request(world, browser, 'asking')
    const back = await browser.send(page, { decision: 'deny' })
    expect(errorOf(back.url)).toBe('access_denied')
    expect(await world.oidc.listApps(world.userId)).toMatchObject([{ clientId: 'web' }])
  })

  it('counts only with the proof of its page, from the browser that began the request', async () => {
    const world = await startWorld()
    const browser = await signedIn(world)
    const { page } = await request(world, browser, 'asking')
    const forged = await browser.send(page, { decision: 'allow', proof: 'k1.forged' })
    expect(forged.status).toBe(403)
    const other = await signedIn(world)
    const stolen = await other.send(page, { decision: 'allow' })
    expect(stolen.status).toBe(400)
    expect((await other.open(page.url)).status).toBe(400)
    expect((await browser.send(page, { decision: 'later' })).status).toBe(400)
  })

  it('can be given as another person, after signing in on the way', async () => {
    const world = await startWorld()
    const browser = await signedIn(world)
    const luis = { email: 'luis@example.com', password: 'x-lantern-42' }
    const other = await createUser(world.auth, luis)
    const { page, redeem } = await request(world, browser, 'asking', { prompt: 'login consent' })
    vi.setSystemTime(Date.now() + 1_000)
    const asked = await browser.signIn(page)
    const away = await browser.send(asked, { decision: 'switch' })
    vi.setSystemTime(Date.now() + 1_000)
    const back = await browser.signIn(away, [
      { identification: 'email', login_id: luis.email },
      { authentication: 'primary_password', password: luis.password },
    ])
    expect(back.text).toContain(luis.email)
    const done = await browser.send(back, { decision: 'allow' })
    expect((await redeem(done.url)).claims()?.sub).toBe(other)
  })

  it('is taken back with all tokens by revokeApp()', async () => {
    const world = await startWorld()
    const browser = await signedIn(world)
    const { page, redeem, configuration } = await request(world, browser, 'asking')
    const tokens = await redeem((await browser.send(page, { decision: 'allow' })).url)
    expect(await world.oidc.revokeApp(world.userId, 'asking')).toBe(true)
    expect(await world.oidc.revokeApp(world.userId, 'asking')).toBe(false)
    await expect(
      client.refreshTokenGrant(configuration, tokens.refresh_token ?? ''),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
    await expect(
      client.fetchUserInfo(configuration, tokens.access_token, world.userId),
    ).rejects.toMatchObject({ status: 401 })
    const again = await request(world, browser, 'asking')
    expect(again.page.text).toContain('Weather Notes')
  })
})

describe('an authorization request', () => {
  it.each([
    ['without PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['for a token in the address', { response_type: 'token' }, 'unsupported_response_type'],
    [
      'for an ID token in the address',
      { response_type: 'id_token', nonce: 'n' },
      'unsupported_response_type',
    ],
    ['for an unknown resource', { resource: 'https://api.example.com' }, 'invalid_target'],
  ])('%s is refused at the app', async (_name, parameters, error) => {
    const world = await startWorld()
    const { page } = await request(world, world.browser(), 'web', parameters)
    const given = new URLSearchParams(page.url.search || page.url.hash.slice(1))
    expect([page.url.origin, given.get('error')]).toEqual(['https://app.example.com', error])
  })

  it.each([
    ['another path', { redirect_uri: `${callback}/x` }],
    ['a query', { redirect_uri: `${callback}?x=1` }],
    ['another host', { redirect_uri: 'https://app.example.com.evil.example/callback' }],
    ['none', { redirect_uri: '' }],
    ['an unknown client', { client_id: 'nobody' }],
  ])('with %s ends at a page, and leads nowhere', async (_name, parameters) => {
    const world = await startWorld()
    const { page } = await request(world, world.browser(), 'web', parameters)
    expect([page.url.origin, page.status]).toEqual([origin, 400])
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.text).toContain('<h1')
  })

  it('may be at any port of a loopback address, for a native app', async () => {
    const world = await startWorld()
    const browser = await signedIn(world)
    const redirect_uri = 'http://127.0.0.1:49152/callback'
    const { page, redeem } = await request(world, browser, 'native', { redirect_uri })
    const back = await browser.send(page, { decision: 'allow' })
    expect(back.url.port).toBe('49152')
    expect((await redeem(back.url)).claims()?.sub).toBe(world.userId)
  })
})

describe('a code', () => {
  it('can be redeemed once; a second time ends the tokens of the first', async () => {
    const world = await startWorld()
    const browser = world.browser()
    const { page, redeem, configuration } = await request(world, browser, 'web')
    const { url } = await browser.signIn(page)
    const tokens = await redeem(url)
    await expect(redeem(url)).rejects.toMatchObject({ error: 'invalid_grant' })
    await expect(
      client.refreshTokenGrant(configuration, tokens.refresh_token ?? ''),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('is given once to two requests at the same time', async () => {
    const world = await startWorld()
    const browser = world.browser()
    const { page, redeem } = await request(world, browser, 'web')
    const { url } = await browser.signIn(page)
    const outcomes = await Promise.allSettled([redeem(url), redeem(url), redeem(url)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1)
  })

  it('ends after a minute, and belongs to its verifier', async () => {
    const world = await startWorld()
    const browser = world.browser()
    const { page, redeem, configuration, state } = await request(world, browser, 'web')
    const { url } = await browser.signIn(page)
    await expect(
      client.authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: client.randomPKCECodeVerifier(),
        expectedState: state,
      }),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
    vi.setSystemTime(Date.now() + 61_000)
    await expect(redeem(url)).rejects.toMatchObject({ error: 'invalid_grant' })
  })
})
