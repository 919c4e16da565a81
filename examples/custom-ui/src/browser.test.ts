import { createOAuthClient } from '@gatehouse/core/oauth'
import { totpCode } from '@gatehouse/core/testing'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import {
  type OidcProvider,
  startOidcProvider,
} from '../../../packages/core/src/auth/oauth-client/oidc-provider.fixture.ts'
import {
  arriveAt,
  expectAccessible,
  maya,
  press,
  type Visit,
  type VisitOptions,
  visit,
} from '../../../packages/sign-in/test/sign-in.fixture.ts'
import { addAuthenticator, describeWithBrowser, useBrowser } from '../../../test-support/browser.ts'
import { freePort } from '../../../test-support/free-port.mjs'
import { type RunningApp, startApp, useApp } from './app.fixture.ts'

const { email, password } = maya

describeWithBrowser('the pages in a browser', () => {
  const browser = useBrowser()
  const visits: Visit[] = []
  afterEach(async () => {
    for (const { close, complaints } of visits.splice(0)) {
      expect(complaints).toEqual([])
      await close()
    }
  })

  async function open(app: RunningApp, path: string, options?: VisitOptions): Promise<Page> {
    const opened = await visit(browser(), app.origin + path, options)
    visits.push(opened)
    return opened.page
  }

  async function fill(page: Page, label: string, text: string): Promise<void> {
    await page.getByLabel(label, { exact: true }).fill(text)
    await page.getByLabel(label, { exact: true }).press('Enter')
  }

  /** Signs a user up, as far as the page after the password. */
  async function signUp(app: RunningApp, page: Page, address: string, next: string): Promise<void> {
    await fill(page, 'Email address', address)
    await arriveAt(page, 'Look into your mail')
    await fill(page, 'Code', app.outbox.codeTo(address))
    await fill(page, 'New password', password)
    await arriveAt(page, next)
  }

  async function signIn(page: Page, next: string, secret: string = password): Promise<void> {
    await fill(page, 'Email address', email)
    await fill(page, 'Password', secret)
    await arriveAt(page, next)
  }

  async function signOut(page: Page): Promise<void> {
    await press(page, 'Sign out')
    await arriveAt(page, 'Sign in')
  }

  describe('with passwords', () => {
    const app = useApp()

    it('signs up with an address that is proven, and out again', async () => {
      const page = await open(app(), '/signup')
      await signUp(app(), page, 'lena@example.com', 'lena@example.com')
      expect(page.url()).toBe(`${app().origin}/account`)
      await signOut(page)
      await page.goto(`${app().origin}/account`)
      await arriveAt(page, 'Sign in')
    })

    it('replaces a forgotten password with a link opened in another browser', async () => {
      const page = await open(app(), '/login')
      await page.getByRole('link', { name: 'Forgot your password?' }).click()
      await arriveAt(page, 'Reset your password')
      await fill(page, 'Email address', email)
      await arriveAt(page, 'Look into your mail')
      await expectAccessible(page, 'the link is sent', { part: 'main' })

      const { link = '' } = app().outbox.messages.at(-1) ?? {}
      const other = await open(app(), link.slice(app().origin.length))
      await arriveAt(other, 'Choose a new password')
      expect(other.url()).toBe(`${app().origin}/recovery`)
      await fill(other, 'New password', 'copper-meadow-7')
      await arriveAt(other, 'Sign in')
      await signIn(other, email, 'copper-meadow-7')
    })

    it('follows the preference for a dark colour scheme', async () => {
      const page = await open(app(), '/login')
      const colors = () =>
        page.evaluate<string[]>(`[
          getComputedStyle(document.querySelector('button')).backgroundColor,
          getComputedStyle(document.body).color,
        ]`)
      await page.getByRole('button').waitFor()
      await page.emulateMedia({ colorScheme: 'light' })
      const light = await colors()
      await page.emulateMedia({ colorScheme: 'dark' })
      expect([light, await colors()]).toEqual([
        ['rgb(11, 87, 208)', 'rgb(0, 0, 0)'],
        ['rgb(168, 199, 250)', 'rgb(255, 255, 255)'],
      ])
    })

    it('works by keyboard alone, shows the focus, and says what is wrong', async () => {
      const address = 'noah@example.com'
      const page = await open(app(), '/signup')
      const { keyboard } = page
      const focused = () =>
        page.evaluate<string>(
          '(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()',
        )
      const outline = () =>
        page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')
      const tabTo = async (text: string): Promise<void> => {
        for (let presses = 0; presses < 10; presses++) {
          await keyboard.press('Tab')
          expect(await outline()).not.toBe('none')
          if ((await focused()) === text) return
        }
        throw new Error(`${text} cannot be reached`)
      }
      await arriveAt(page, 'Create your account')
      await expect.poll(focused).toBe('Create your account')
      await tabTo('Email address')
      await keyboard.type(address)
      await keyboard.press('Enter')
      await arriveAt(page, 'Look into your mail')
      await expect.poll(focused).toBe('Look into your mail')
      await tabTo('Code')
      await keyboard.type('000000')
      await tabTo('Continue')
      await keyboard.press('Space')
      const problem = page.getByRole('alert')
      await expect.poll(() => problem.innerText()).toMatch(/^This is wrong/)
      const field = page.getByLabel('Code')
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      expect(await field.getAttribute('aria-describedby')).toBe(await problem.getAttribute('id'))
    })

    it('a reload continues the flow, without a token in the address', async () => {
      const page = await open(app(), '/login')
      await fill(page, 'Email address', 'lena@example.com')
      await arriveAt(page, 'Show that it is you')
      await page.reload()
      await arriveAt(page, 'Show that it is you')
      expect(page.url()).toBe(`${app().origin}/login`)
      await page.goBack()
      await arriveAt(page, 'Sign in')
    })

    it('answers with a policy that allows nothing foreign', async () => {
      const { headers } = await fetch(`${app().origin}/login`)
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'self'; frame-ancestors 'none'",
      )
    })
  })

  describe('with a required second factor', () => {
    const app = useApp(() =>
      startApp({
        authentication: {
          secondary_authentication_mode: 'required',
          secondary_authenticators: ['totp'],
        },
      }),
    )
    const codeOf = (key: string, laterMs = 0): string =>
      totpCode(key, { now: () => Date.now() + laterMs })

    it('sets up an authenticator app, and signs in with its code; every page is accessible', async () => {
      const address = 'lena@example.com'
      const page = await open(app(), '/signup')
      await page.setViewportSize({ width: 320, height: 640 })
      await arriveAt(page, 'Create your account')
      await expectAccessible(page, 'the first step')
      await fill(page, 'Email address', address)
      await arriveAt(page, 'Look into your mail')
      await fill(page, 'Code', '000000')
      await expect.poll(() => page.getByRole('alert').innerText()).not.toBe('')
      await expectAccessible(page, 'a wrong code')
      await fill(page, 'Code', app().outbox.codeTo(address))
      await arriveAt(page, 'Secure your account')
      await fill(page, 'New password', 'short')
      await page.getByText('Choose a longer password.').waitFor()
      await expectAccessible(page, 'a short password', { part: 'main' })
      await fill(page, 'New password', password)
      await arriveAt(page, 'Set up your authenticator app')
      await expectAccessible(page, 'the secret')
      const link = page.locator('[href^="otpauth:"]')
      const key = await link.innerText()
      expect(new URL((await link.getAttribute('href')) ?? '').searchParams.get('secret')).toBe(key)
      await fill(page, 'Code', codeOf(key))
      await arriveAt(page, 'Keep your recovery codes')
      expect(await page.locator('code').count()).toBe(16)
      await expectAccessible(page, 'the recovery codes', { part: 'main' })
      await press(page, 'Continue')
      await page.getByText('You have used a second factor.').waitFor()
      await expectAccessible(page, 'the account')

      const other = await open(app(), '/login')
      await fill(other, 'Email address', address)
      await fill(other, 'Password', password)
      const form = other.locator('form').filter({ hasText: 'Use an authenticator app' })
      await form.getByLabel('Trust this browser').check()
      await expectAccessible(other, 'the second factor', { part: 'main' })
      // The current code was used. The next one is valid already, since clocks may differ.
      await form.getByLabel('Code', { exact: true }).fill(codeOf(key, 30_000))
      await form.getByRole('button').click()
      await other.getByText('You have used a second factor.').waitFor()
      const cookies = await other.context().cookies()
      expect(cookies.map(({ name }) => name)).toContain('mfa_device_token')
    })
  })

  describe('with links that verify addresses', () => {
    const app = useApp(() =>
      startApp({ verification: { claims: { email: { otp_form: 'link' } } } }),
    )

    it('a confirmed link moves the page on by itself', async () => {
      const address = 'lena@example.com'
      const page = await open(app(), '/signup')
      await fill(page, 'Email address', address)
      await arriveAt(page, 'Look into your mail')
      const { link = '' } = app().outbox.messages.at(-1) ?? {}
      const phone = await open(app(), link.slice(app().origin.length))
      await press(phone, 'Yes, confirm')
      await arriveAt(page, 'Secure your account')
    })
  })

  describe('with passkeys', () => {
    const app = useApp(() =>
      startApp({
        authentication: {
          identities: ['login_id', 'passkey'],
          primary_authenticators: ['password', 'passkey'],
          secondary_authentication_mode: 'disabled',
        },
      }),
    )
    const offer = 'Sign in faster next time'

    it('makes one at the end of a sign-up, and signs in with it from then on', async () => {
      const address = 'ada@example.com'
      const page = await open(app(), '/signup', { own: true })
      await addAuthenticator(page)
      await signUp(app(), page, address, offer)
      await expectAccessible(page, 'the offer', { part: 'main' })
      await press(page, 'Make a passkey')
      await arriveAt(page, address)
      await signOut(page)

      await press(page, 'Use a passkey')
      await arriveAt(page, address)
      await signOut(page)

      await fill(page, 'Email address', address)
      await press(page, 'Use a passkey')
      await arriveAt(page, address)
    })

    it('says that no passkey was used, and takes another way', async () => {
      const page = await open(app(), '/login', { own: true })
      await addAuthenticator(page)
      await press(page, 'Use a passkey')
      await page.getByText('No passkey was used. Try again, or choose another way.').waitFor()
      await signIn(page, offer)
      await press(page, 'Not now')
      await arriveAt(page, email)
    })
  })

  describe('with identity providers', () => {
    /** Who has an account with which provider. */
    const accounts = {
      acme: { sub: 'ada-1', email: 'ada@example.com', email_verified: true },
      known: { sub: 'maya-7', email, email_verified: true },
      linked: { sub: 'maya-7', email, email_verified: true },
    }
    const providers: OidcProvider[] = []
    afterAll(() => Promise.all(providers.map((provider) => provider.close())))

    /** The app and its providers need each other's addresses, so its port is chosen in advance. */
    const app = useApp(async () => {
      const port = await freePort()
      const redirectUris = ['login', 'signup'].map((page) => `http://localhost:${port}/${page}`)
      const started = Object.entries(accounts).map(async ([alias, account]) => {
        const provider = await startOidcProvider({ account, interactive: true, redirectUris })
        providers.push(provider)
        return { alias, ...provider }
      })
      const all = await Promise.all(started)
      const byEmail = {
        alias: 'linked',
        oauth_claim: { pointer: '/email' },
        user_profile: { pointer: '/email' },
        action: 'login_and_link',
      }
      const oauth = createOAuthClient({
        credentials: Object.fromEntries(
          all.map(({ alias, clientSecret }) => [alias, { clientSecret }]),
        ),
        allowPrivateAddresses: true,
      })
      const sections = all.map(({ alias, clientId: client_id, discoveryUrl }) => ({
        alias,
        type: 'oidc',
        client_id,
        discovery_document_endpoint: discoveryUrl,
      }))
      return startApp(
        {
          identity: { oauth: { providers: sections } },
          account_linking: { oauth: [byEmail] },
        },
        { oauth },
        port,
      )
    })

    /** Goes from our page to the provider's page, and through it. */
    async function goThrough(page: Page, alias: keyof typeof accounts): Promise<void> {
      await press(page, `Continue with ${alias}`)
      await page.waitForURL(/\/interaction\//)
      await press(page, 'Sign in')
    }

    it('one signs up, and signs in', async () => {
      const page = await open(app(), '/signup')
      await goThrough(page, 'acme')
      await arriveAt(page, accounts.acme.email)
      expect(page.url()).toBe(`${app().origin}/account`)
      await signOut(page)
      await press(page, 'Continue with acme')
      await arriveAt(page, accounts.acme.email)
    })

    it.each([
      ['/login', 'No account found. Check your entry, or sign up.'],
      ['/signup', 'This account already exists. Sign in to it instead.'],
    ])('says at %s what is wrong with an identity', async (path, text) => {
      const page = await open(app(), path)
      await goThrough(page, 'known')
      await page.getByText(text).waitFor()
      await expectAccessible(page, text, { part: 'main' })
    })

    it('links an identity to the account with the same address, once the user has signed in to it', async () => {
      const page = await open(app(), '/signup')
      await goThrough(page, 'linked')
      await arriveAt(page, 'You have an account already')
      await page.getByRole('button', { name: /ma\*\*@example\.com/ }).click()
      await fill(page, 'Password', 'no')
      await page.getByText('This is wrong, or it has expired. Try again.').waitFor()
      await fill(page, 'Password', password)
      await arriveAt(page, email)
      await signOut(page)
      await press(page, 'Continue with linked')
      await arriveAt(page, email)
    })
  })
})
