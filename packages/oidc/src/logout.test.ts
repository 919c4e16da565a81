import { createSession, logout } from '@gatehouse/core'
import { getSession, listSessions } from '@gatehouse/core/auth'
import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import { authorize, type Browser, origin, startWorld, type World } from '../test/world.fixture.ts'

async function signInFor(world: World, browser: Browser, clientId: string) {
  const configuration = await world.configuration(clientId)
  const { url, verifier, state } = await authorize(configuration)
  let page = await browser.open(url)
  if (page.url.pathname === '/login') page = await browser.signIn(page)
  const tokens = await client.authorizationCodeGrant(configuration, page.url, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  })
  return { configuration, tokens }
}

const bye = 'https://app.example.com/bye'

describe('signing out at an app', () => {
  it('asks, ends the session of the service, and leads back to the app', async () => {
    const world = await startWorld()
    const browser = world.browser()
    const { configuration, tokens } = await signInFor(world, browser, 'web')
    const other = await signInFor(world, browser, 'spa')
    const url = client.buildEndSessionUrl(configuration, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: bye,
      state: 'tide',
    })
    const page = await browser.open(url)
    expect(page.text).toContain('Harbor Board')
    expect(await listSessions(world.auth, world.userId)).toHaveLength(1)
    const back = await browser.send(page, { logout: 'yes' })
    expect(back.url.href).toBe(`${bye}?state=tide`)
    expect(await listSessions(world.auth, world.userId)).toEqual([])
    expect(browser.cookies('/')).not.toContain('session=')
    for (const { refresh_token: refresh = '' } of [tokens, other.tokens]) {
      await expect(client.refreshTokenGrant(configuration, refresh)).rejects.toMatchObject({
        error: 'invalid_grant',
      })
    }
  })

  it('keeps the person signed in who wants to stay', async () => {
    const world = await startWorld()
    const browser = world.browser()
    await signInFor(world, browser, 'web')
    const page = await browser.open('/oidc/logout')
    const stayed = await browser.send(page, {})
    expect(stayed.status).toBe(200)
    expect(await listSessions(world.auth, world.userId)).toHaveLength(1)
  })

  it('needs the form of its page, and leads only to addresses of the app', async () => {
    const world = await startWorld()
    const browser = world.browser()
    await signInFor(world, browser, 'web')
    const page = await browser.open('/oidc/logout')
    const forged = await browser.send(page, { logout: 'yes', xsrf: 'forged' })
    expect(forged.status).toBe(400)
    const away = new URLSearchParams({
      client_id: 'web',
      post_logout_redirect_uri: 'https://evil.example/bye',
    })
    expect((await browser.open(`/oidc/logout?${away}`)).status).toBe(400)
    expect(await listSessions(world.auth, world.userId)).toHaveLength(1)
  })

  it('does not end the session of another person who has signed in since', async () => {
    const world = await startWorld()
    const browser = world.browser()
    await signInFor(world, browser, 'web')
    const page = await browser.open('/oidc/logout')
    const { session, cookies } = await createSession(world.auth, world.userId, { amr: ['pwd'] })
    browser.keep(cookies)
    const late = await browser.send(page, { logout: 'yes' })
    expect(late.status).toBe(400)
    expect(await getSession(world.auth, session.id)).toBeDefined()
  })
})

describe('a session of the service that ends', () => {
  it('ends the sign-in at the authorization server', async () => {
    const world = await startWorld()
    const browser = world.browser()
    const { configuration } = await signInFor(world, browser, 'web')
    const cookie = browser.cookies('/')
    browser.keep(await logout(world.auth, { headers: new Headers({ cookie }) }))
    const { url } = await authorize(configuration, { prompt: 'none' })
    const page = await browser.open(url)
    expect(page.url.searchParams.get('error')).toBe('login_required')
    expect(page.url.origin).not.toBe(origin)
  })
})
