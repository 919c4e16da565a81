import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AuthContext, createUser, type Route, startAuth } from '@gatehouse/core'
import { textAnswer } from '@gatehouse/core/adapter'
import { listSessions } from '@gatehouse/core/auth'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { expect, it } from 'vitest'
import { describeWithBrowser } from '../../../test-support/browser.ts'
import { arriveAt, maya, press, usePages } from '../../sign-in/test/sign-in.fixture.ts'
import { createOidcProvider } from '../src/create-oidc-provider.ts'

const clientSecret = 'a-secret-of-at-least-24-characters'

/** Where the app is that people come back to. */
const appRoute = (path: string): Route => ({
  method: 'GET',
  path,
  action: 'public',
  answer: async () =>
    textAnswer(200, '<!doctype html><title>app</title><h1>The app</h1>', {
      'content-type': 'text/html; charset=utf-8',
    }),
})

/** The routes of an authorization server with one app. */
const routesFor =
  (consent: 'ask' | 'never', backchannelLogoutUri?: string) =>
  (auth: AuthContext): readonly Route[] => {
    const origin = auth.config.current.http.public_origin
    const { routes } = createOidcProvider({
      auth,
      clients: [
        {
          clientId: 'board',
          name: 'Harbor Board',
          type: 'web',
          clientSecret,
          redirectUris: [`${origin}/app/callback`],
          postLogoutRedirectUris: [`${origin}/app/bye`],
          consent,
          backchannelLogoutUri,
        },
      ],
    })
    return [...routes, appRoute('/app/callback'), appRoute('/app/bye')]
  }

/** An authorization request of the app, over HTTP. */
async function begin(origin: string, parameters: Readonly<Record<string, string>> = {}) {
  const configuration = await client.discovery(new URL(origin), 'board', clientSecret, undefined, {
    execute: [client.allowInsecureRequests],
  })
  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: `${origin}/app/callback`,
    scope: 'openid email',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...parameters,
  })
  const redeem = (back: string) =>
    client.authorizationCodeGrant(configuration, new URL(back), {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
  return { configuration, url, redeem }
}

describeWithBrowser('an app that signs people in', () => {
  const { serve, open, endLater } = usePages()

  it('is let in on the sign-in pages and the consent page, in the language that it asks for', async () => {
    const { origin, auth } = await serve({ routes: routesFor('ask') })
    const userId = await createUser(auth, maya)
    const { configuration, url, redeem } = await begin(origin, { ui_locales: 'de' })
    const page = await open(url.href)
    await page.getByLabel(/E-Mail/).fill(maya.email)
    await press(page, 'Weiter')
    await page.getByLabel('Passwort', { exact: true }).fill(maya.password)
    await press(page, /Weiter|Anmelden/)
    await arriveAt(page, /Harbor Board/)
    expect(await page.evaluate('document.documentElement.lang')).toBe('de')
    await page.locator('button[value="allow"]').click()
    await arriveAt(page, 'The app')
    const tokens = await redeem(page.url())
    const claims = await client.fetchUserInfo(configuration, tokens.access_token, userId)
    expect(claims).toMatchObject({ sub: userId, email: maya.email })
  })

  it('signs people out, and tells the apps that do not see it', async () => {
    const told: string[] = []
    const app = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += String(chunk)
      })
      request.on('end', () => {
        told.push(new URLSearchParams(body).get('logout_token') ?? '')
        response.end()
      })
    })
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
    endLater(async () => void app.close().closeAllConnections())
    const { port } = app.address() as AddressInfo
    const routes = routesFor('never', `http://localhost:${port}/logout`)
    const { origin, auth } = await serve({ routes })
    const running = startAuth(auth)
    endLater(() => running.stop())
    const userId = await createUser(auth, maya)
    const { configuration, url, redeem } = await begin(origin)
    const page = await open(url.href)
    await page.getByLabel(/Email/).fill(maya.email)
    await press(page, 'Continue')
    await page.getByLabel('Password', { exact: true }).fill(maya.password)
    await press(page, /Continue|Sign in/)
    await arriveAt(page, 'The app')
    const tokens = await redeem(page.url())
    const end = client.buildEndSessionUrl(configuration, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: `${origin}/app/bye`,
    })
    await page.goto(end.href)
    await page.locator('button[name="logout"]').click()
    await arriveAt(page, 'The app')
    expect(new URL(page.url()).pathname).toBe('/app/bye')
    expect(await listSessions(auth, userId)).toEqual([])
    await expect.poll(() => told.length, { timeout: 10_000 }).toBe(1)
    expect(decodeJwt(told[0] ?? '')).toMatchObject({
      sub: userId,
      aud: 'board',
      sid: tokens.claims()?.sid,
    })
  })
})
