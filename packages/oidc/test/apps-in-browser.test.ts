import { createSession, createUser, type Route } from '@gatehouse/core'
import { textAnswer } from '@gatehouse/core/adapter'
import { revokeAllSessions } from '@gatehouse/core/auth'
import * as client from 'openid-client'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeWithBrowser } from '../../../test-support/browser.ts'
import { isWide } from '../../../test-support/lane.ts'
import {
  arriveAt,
  expectAccessible,
  maya,
  press,
  type SignInServer,
  usePages,
  type VisitOptions,
} from '../../sign-in/test/sign-in.fixture.ts'
import { createOidcProvider, type OidcClient, type OidcOptions } from '../src/index.ts'
import { giveKeys } from './keys.fixture.ts'

const lena = { email: 'lena@example.com', password: 'amber-compass-77' } as const
const clientSecret = 'a-secret-of-at-least-24-characters'

/** The pages of an app, which say where the browser is. */
const appRoutes = (): readonly Route[] =>
  ['/cb', '/bye'].map((path) => ({
    method: 'GET',
    path,
    action: 'public',
    answer: async () =>
      textAnswer(200, '<h1>The app</h1>', { 'content-type': 'text/html; charset=utf-8' }),
  }))

interface World extends SignInServer {
  /** The origin of the app. */
  readonly app: string
  /** Ids of users by their addresses. */
  readonly ids: ReadonlyMap<string, string>
  configuration(clientId: string): Promise<client.Configuration>
}

describeWithBrowser('an authorization server with its pages', () => {
  const { serve, open } = usePages()

  async function start(options: Partial<OidcOptions> = {}): Promise<World> {
    const { origin: app } = await serve({ routes: appRoutes })
    const grafana: OidcClient = {
      clientId: 'grafana',
      name: 'Grafana',
      type: 'web',
      clientSecret,
      redirectUris: [`${app}/cb`],
      postLogoutRedirectUris: [`${app}/bye`],
      resources: ['https://api.harbor.example'],
    }
    const tv: OidcClient = {
      clientId: 'tv',
      name: 'Harbor TV',
      type: 'native',
      redirectUris: ['com.example.tv:/cb'],
    }
    const server = await serve({
      auth: { geoIp: () => 'SG' },
      routes: (auth) =>
        createOidcProvider({
          auth,
          clients: [grafana, tv],
          deviceFlow: true,
          registration: 'open',
          resources: [
            {
              identifier: 'https://api.harbor.example',
              name: { en: 'Harbor API', de: 'Hafen-API' },
              scopes: ['berths:read'],
              descriptions: { 'berths:read': { en: 'See berths', de: 'Liegeplätze ansehen' } },
            },
          ],
          ...options,
        }).routes,
    })
    await giveKeys(server.auth)
    const ids = new Map<string, string>()
    for (const user of [maya, lena]) {
      ids.set(user.email, await createUser(server.auth, { ...user, email_verified: true }))
    }
    const configuration = (clientId: string): Promise<client.Configuration> =>
      client.discovery(
        new URL(server.origin),
        clientId,
        clientId === 'grafana' ? clientSecret : undefined,
        clientId === 'grafana' ? undefined : client.None(),
        { execute: [client.allowInsecureRequests] },
      )
    return { ...server, app, ids, configuration }
  }

  const verifier = client.randomPKCECodeVerifier()

  /** The address at which an app asks for people to be signed in. */
  async function authorizeUrl(
    { app, configuration }: World,
    parameters: Readonly<Record<string, string>> = {},
    clientId = 'grafana',
  ): Promise<string> {
    const url = client.buildAuthorizationUrl(await configuration(clientId), {
      redirect_uri: `${app}/cb`,
      scope: 'openid profile email',
      state: 'state-1',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...parameters,
    })
    return url.href
  }

  /** Signs in on the pages. The labels are of the language that they have. */
  async function signIn(page: Page, user: typeof maya | typeof lena): Promise<void> {
    await page.locator('input[type=email], input[autocomplete~=username]').first().fill(user.email)
    await page.keyboard.press('Enter')
    const password = page.locator('input[type=password]')
    await password.fill(user.password)
    await password.press('Enter')
  }

  /** Opens an address in a browser in which Maya is signed in. */
  async function openSignedIn(
    { auth, ids }: World,
    url: string,
    options: VisitOptions = {},
  ): Promise<Page> {
    const { cookies } = await createSession(auth, ids.get(maya.email) ?? '', { amr: ['pwd'] })
    return open(url, { ...options, cookies })
  }

  /** The claims of the code that the app got. */
  async function claimsAt({ configuration }: World, page: Page): Promise<client.IDToken> {
    const tokens = await client.authorizationCodeGrant(
      await configuration('grafana'),
      new URL(page.url()),
      { pkceCodeVerifier: verifier, expectedState: 'state-1' },
    )
    return tokens.claims() ?? expect.fail('no ID token')
  }

  it('leads from the app to the sign-in page, the consent page, and back with a code', async () => {
    const world = await start()
    const scope = 'openid profile email offline_access berths:read'
    const resource = 'https://api.harbor.example'
    const page = await open(
      await authorizeUrl(world, { scope, resource, ui_locales: 'de', prompt: 'consent' }),
    )
    await arriveAt(page, /Harbor Light/)
    expect(await page.evaluate('document.documentElement.lang')).toBe('de')
    await signIn(page, maya)
    await arriveAt(page, /Grafana.*erlauben\?/)
    const text = await page.locator('main').innerText()
    for (const words of [
      maya.email,
      'Ihre E-Mail-Adresse',
      'Zugriff auch in Ihrer Abwesenheit',
      'Hafen-API',
      'Liegeplätze ansehen',
      'in einer App auf diesem Gerät',
    ]) {
      expect(text).toContain(words)
    }
    await expectAccessible(page, 'consent')
    await press(page, 'Erlauben')
    await page.waitForURL(`${world.app}/cb?**`)
    expect((await claimsAt(world, page)).sub).toBe(world.ids.get(maya.email))
    // What was allowed is not asked for again.
    await page.goto(await authorizeUrl(world))
    await page.waitForURL(`${world.app}/cb?**`)
    expect((await claimsAt(world, page)).sub).toBe(world.ids.get(maya.email))
  })

  it('takes one answer to a consent page, also from two tabs', async () => {
    const world = await start()
    const page = await openSignedIn(world, await authorizeUrl(world))
    await arriveAt(page, /^Allow/)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await arriveAt(other, /^Allow/)
    await press(page, 'Allow')
    await page.waitForURL(`${world.app}/cb?**`)
    await press(other, 'Deny')
    await arriveAt(other, 'This did not work')
    expect(await other.locator('main').innerText()).toContain('it was answered before')
    await page.goBack()
    await arriveAt(page, 'This did not work')
  })

  it('asks people to sign in again who have signed out before they answer', async () => {
    const world = await start()
    const page = await openSignedIn(world, await authorizeUrl(world))
    await arriveAt(page, /^Allow/)
    await revokeAllSessions(world.auth, world.ids.get(maya.email) ?? '')
    await press(page, 'Allow')
    await arriveAt(page, /Sign in/)
    await signIn(page, lena)
    await arriveAt(page, /^Allow/)
    await press(page, 'Allow')
    await page.waitForURL(`${world.app}/cb?**`)
    expect((await claimsAt(world, page)).sub).toBe(world.ids.get(lena.email))
  })

  /** Signs in for the app, lets it in, and opens the account. */
  async function accountWithApp(world: World): Promise<Page> {
    const scope = 'openid profile email offline_access berths:read'
    const resource = 'https://api.harbor.example'
    const asked = { scope, resource, prompt: 'consent' }
    const page = await openSignedIn(world, await authorizeUrl(world, asked), { locale: 'en' })
    await page.locator('button[value=allow]').click()
    await page.waitForURL(`${world.app}/cb?**`)
    await page.goto(`${world.origin}/account`)
    await page.locator('#apps .row').waitFor()
    return page
  }

  it('is seen on the account page, and taken back by keyboard', async () => {
    const world = await start()
    const page = await accountWithApp(world)
    const apps = page.locator('#apps')
    const text = await apps.innerText()
    for (const words of ['Apps with access', 'Grafana', 'Harbor API', 'See berths', 'last used']) {
      expect(text).toContain(words)
    }
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page, 'apps on a phone')
    await apps.getByRole('button', { name: 'Take back access: Grafana' }).focus()
    await page.keyboard.press('Enter')
    await expectAccessible(page, 'an app to take back', { part: '#apps' })
    await page.keyboard.press('Enter')
    await apps.waitFor({ state: 'detached' })
    await world.auth.audit.write()
    await page.reload()
    await page
      .locator('#activity')
      .getByText(/Access of app .?Grafana.? taken back/)
      .waitFor()
    // The app is asked about again.
    await page.goto(await authorizeUrl(world))
    await arriveAt(page, /^Allow/)
  })

  it('is described on the account page in each language', async () => {
    const world = await start()
    const page = await accountWithApp(world)
    await page.setViewportSize({ width: 390, height: 844 })
    for (const [language, title, words] of [
      ['de', 'Apps mit Zugriff', 'Liegeplätze ansehen'],
      ['fr', 'Applications ayant accès', 'Votre adresse e-mail'],
      ['es', 'Aplicaciones con acceso', 'correo'],
      ['ja', 'アクセスを許可したアプリ', 'メール'],
      ['ar', 'التطبيقات المصرّح لها', 'بريد'],
    ] as const) {
      await page.goto(`${world.origin}/account?ui_locales=${language}`)
      await page.locator('#apps .row').waitFor()
      const text = await page.locator('#apps').innerText()
      expect(text).toContain(title)
      expect(text).toContain(words)
      // The longest words, and text from right to left. The others have the same layout.
      if (isWide || language === 'de' || language === 'ar') {
        await expectAccessible(page, `apps in ${language}`, { part: '#apps' })
      }
    }
  })

  it('tells the app that it was denied, and asks again the next time', async () => {
    const world = await start()
    const page = await openSignedIn(world, await authorizeUrl(world))
    for (let times = 0; times < 2; times++) {
      await arriveAt(page, /^Allow/)
      await press(page, 'Deny')
      await page.waitForURL(`${world.app}/cb?**`)
      const answer = new URL(page.url()).searchParams
      expect(answer.get('error')).toBe('access_denied')
      expect(answer.get('state')).toBe('state-1')
      expect(answer.has('code')).toBe(false)
      await page.goto(await authorizeUrl(world))
    }
  })

  it('lets people use another account', async () => {
    const world = await start()
    const page = await openSignedIn(world, await authorizeUrl(world))
    await arriveAt(page, /^Allow/)
    await press(page, 'Use another account')
    await arriveAt(page, /Sign in/)
    await signIn(page, lena)
    await arriveAt(page, /^Allow/)
    expect(await page.locator('main').innerText()).toContain(lena.email)
    await press(page, 'Allow')
    await page.waitForURL(`${world.app}/cb?**`)
    expect((await claimsAt(world, page)).sub).toBe(world.ids.get(lena.email))
  })

  it('warns of an app that registered itself', async () => {
    const world = await start()
    const registered = await fetch(`${world.origin}/oidc/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Harbor Light <b>Support</b>',
        logo_uri: 'https://elsewhere.example/logo.png',
        redirect_uris: [`${world.app}/cb`],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
      }),
    })
    const { client_id: id } = (await registered.json()) as { readonly client_id: string }
    const page = await openSignedIn(world, await authorizeUrl(world, {}, id))
    await arriveAt(page, /^Allow .*<b>Support<\/b>/)
    expect(await page.locator('main').innerText()).toContain('This app registered itself')
    expect(await page.locator('img').count()).toBe(0)
  })

  it('connects a device by its code, which the link fills in', async () => {
    const world = await start()
    const configuration = await world.configuration('tv')
    const asked = await client.initiateDeviceAuthorization(configuration, { scope: 'openid email' })
    const page = await open(asked.verification_uri_complete ?? '')
    await arriveAt(page, 'Connect a device')
    expect(await page.getByLabel('Code').inputValue()).toBe(asked.user_code)
    await page.getByLabel('Code').fill('XXXX-XXXX')
    await press(page, 'Continue')
    await page.getByText('There is no such code.').waitFor()
    await page.getByLabel('Code').fill(asked.user_code.toLowerCase())
    await page.keyboard.press('Enter')
    await arriveAt(page, /Connect a device to .*Harbor TV/)
    expect(await page.locator('code').innerText()).toBe(asked.user_code)
    expect(await page.locator('dl').innerText()).toMatch(/127\.0\.0\.1 \(Singapore\)$/)
    await expectAccessible(page, 'device')
    await press(page, 'Connect')
    await signIn(page, maya)
    await arriveAt(page, /^Allow/)
    expect(await page.locator('main').innerText()).toContain('go back to your other device')
    await press(page, 'Allow')
    await arriveAt(page, 'Your device is connected')
    const tokens = await client.genericGrantRequest(
      configuration,
      'urn:ietf:params:oauth:grant-type:device_code',
      { device_code: asked.device_code },
    )
    expect(tokens.access_token).toBeTypeOf('string')
  })

  it('does not connect a device that was canceled', async () => {
    const world = await start()
    const configuration = await world.configuration('tv')
    const asked = await client.initiateDeviceAuthorization(configuration, { scope: 'openid' })
    const page = await open(asked.verification_uri)
    await page.getByLabel('Code').fill(asked.user_code)
    await press(page, 'Continue')
    await press(page, 'Cancel')
    await arriveAt(page, 'The device was not connected')
    await expect(
      client.genericGrantRequest(configuration, 'urn:ietf:params:oauth:grant-type:device_code', {
        device_code: asked.device_code,
      }),
    ).rejects.toMatchObject({ error: 'access_denied' })
  })

  it('signs people out, here and for the app, or not', async () => {
    const world = await start()
    const page = await openSignedIn(world, await authorizeUrl(world))
    await press(page, 'Allow')
    await page.waitForURL(`${world.app}/cb?**`)
    const logout = (): string =>
      `${world.origin}/oidc/logout?${new URLSearchParams({
        client_id: 'grafana',
        post_logout_redirect_uri: `${world.app}/bye`,
      })}`
    await page.goto(logout())
    await arriveAt(page, 'Sign out?')
    expect(await page.locator('main').innerText()).toContain(maya.email)
    await expectAccessible(page, 'logout')
    await press(page, 'Stay signed in')
    await page.waitForURL(`${world.app}/bye**`)
    await page.goto(`${world.origin}/account`)
    await arriveAt(page, 'Your account')
    await page.goto(logout())
    await press(page, 'Sign out')
    await page.waitForURL(`${world.app}/bye**`)
    await page.goto(`${world.origin}/account`)
    await arriveAt(page, /Sign in/)
  })

  it('shows a page where an app may not be answered', async () => {
    const world = await start()
    const page = await open(
      await authorizeUrl(world, { redirect_uri: 'https://evil.example/cb', ui_locales: 'fr' }),
    )
    await arriveAt(page, 'Cela n’a pas fonctionné')
    expect(await page.locator('code').innerText()).toContain('redirect_uri')
    await expectAccessible(page, 'failure')
    await page.goto(`${world.origin}/oidc/interaction/none`)
    await arriveAt(page, 'This did not work')
    expect(await page.locator('main').innerText()).toContain('expired')
  })
})
