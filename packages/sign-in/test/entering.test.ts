import { statSync } from 'node:fs'
import { createUser, disableUser, getUser } from '@gatehouse/core'
import { fetchRoute, toResponse } from '@gatehouse/core/adapter'
import { admitRequest } from '@gatehouse/core/auth'
import { totpCode } from '@gatehouse/core/testing'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeWithBrowser } from '../../../test-support/browser.ts'
import {
  arriveAt,
  expectAccessible,
  maya,
  press,
  type ServerOptions,
  type SignInServer,
  usePages,
} from './sign-in.fixture.ts'

const budget = 45_000

describeWithBrowser('signing in and up by the pages', () => {
  const pages = usePages()
  const { open } = pages

  async function serve(options: ServerOptions = {}): Promise<SignInServer> {
    const server = await pages.serve(options)
    await createUser(server.auth, { ...maya, email_verified: true })
    return server
  }

  /** Says who one is by an email address. */
  async function identify(page: Page, email: string): Promise<void> {
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Email address').press('Enter')
  }

  async function signIn(page: Page, password: string = maya.password): Promise<void> {
    await identify(page, maya.email)
    await arriveAt(page, 'Enter your password')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await press(page, 'Continue')
  }

  it('leads a page of the app to sign-in and back, in at most 45 kB', async () => {
    const server = await serve({
      routes: (auth) => [
        fetchRoute('GET', '/orders', async (request) => {
          const { session, refusal } = await admitRequest(auth, request)
          if (refusal !== undefined) return toResponse(refusal.answer)
          return new Response(`orders of ${session.user_id}`)
        }),
      ],
    })
    const page = await open(`${server.origin}/orders?page=2`)
    await arriveAt(page, 'Sign in to Harbor Light')
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('login')
    await expectAccessible(page, 'login')
    const loaded = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)`,
    )
    const sizes = loaded
      .filter((path) => path.includes('/assets/'))
      .map((path) => statSync(new URL(`../dist${path}.gz`, import.meta.url)).size)
    expect(sizes.length).toBeGreaterThan(1)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(budget)
    await signIn(page)
    await page.waitForURL(`${server.origin}/orders?page=2`)
    expect(await page.locator('body').innerText()).toContain('orders of')
  })

  it('signs up by the keyboard alone: address, code, password', async () => {
    const server = await serve()
    const page = await open(`${server.origin}/signup`)
    await arriveAt(page, 'Create your account')
    await page.keyboard.type('noor@example.com')
    await page.keyboard.press('Enter')
    await arriveAt(page, 'Check your email')
    await expectAccessible(page, 'code')
    expect(await page.getByRole('button', { name: /Send another code in/ }).isDisabled()).toBe(true)
    await page.keyboard.type('000000')
    await page.getByRole('alert').getByText('The code is not right').waitFor()
    expect(await page.evaluate('document.activeElement.getAttribute("aria-invalid")')).toBe('true')
    // What was refused is selected, so the code replaces it.
    await page.keyboard.type(server.outbox.codeTo('noor@example.com'))
    await arriveAt(page, 'Choose a password')
    await page.keyboard.type('short')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('does not meet the rules').waitFor()
    await expectAccessible(page, 'new password, refused', { part: 'main' })
    await page.getByLabel('New password', { exact: true }).fill(maya.password)
    await page.getByText('Strength: strong').waitFor()
    await page.keyboard.press('Enter')
    await arriveAt(page, 'Your account')
    await page.getByText('noor@example.com').first().waitFor()
    // No token is where others could read it.
    expect(page.url()).toBe(`${server.origin}/account`)
    expect(await page.evaluate('localStorage.length')).toBe(0)
  })

  it('reads a code in the digits of an Arabic keyboard', async () => {
    const server = await serve()
    const page = await open(`${server.origin}/signup?ui_locales=ar`)
    await page.locator('input[name=login]').fill('noor@example.com')
    await page.keyboard.press('Enter')
    const code = page.locator('input[name=code]')
    await code.waitFor()
    const arabic = new Intl.NumberFormat('ar-u-nu-arab', { useGrouping: false })
    const digits = [...server.outbox.codeTo('noor@example.com')].map(Number)
    await code.fill(digits.map((digit) => arabic.format(digit)).join(''))
    await page.locator('input[autocomplete=new-password]').waitFor()
  })

  it('says what is wrong with an address, a password and an account', async () => {
    const server = await serve({
      config: {
        authentication: {
          lockout: {
            max_attempts: 3,
            history_duration: '1h',
            minimum_duration: '5m',
            maximum_duration: '5m',
            backoff_factor: 1,
            lockout_type: 'per_user',
            password: { enabled: true },
          },
        },
      },
    })
    const page = await open(`${server.origin}/login`)
    await identify(page, 'maya')
    await page.getByRole('alert').getByText('That is not an email address').waitFor()
    await expectAccessible(page, 'login, refused')
    await identify(page, 'nobody@example.com')
    await page.getByRole('alert').getByText('There is no account with this').waitFor()
    await signIn(page, 'wrong-1')
    await page.getByRole('alert').getByText('The password is not right').waitFor()
    for (const wrong of ['wrong-2', 'wrong-3']) {
      await page.getByLabel('Password', { exact: true }).fill(wrong)
      await press(page, 'Continue')
      await page.waitForFunction(() => !document.querySelector('[aria-busy]'))
    }
    await page.getByRole('alert').getByText('sign-in is locked for 5 minutes').waitFor()
  })

  it('says that an account is disabled', async () => {
    const server = await serve()
    const id = await createUser(server.auth, {
      email: 'odd@example.com',
      password: maya.password,
      email_verified: true,
    })
    await disableUser(server.auth, id, { reason: 'unpaid' })
    const page = await open(`${server.origin}/login`)
    await identify(page, 'odd@example.com')
    await page.getByLabel('Password', { exact: true }).fill(maya.password)
    await press(page, 'Continue')
    await page.getByText('This account is disabled').waitFor()
  })

  it('keeps the step over a reload, goes back by the browser, and begins another flow in a second tab', async () => {
    const server = await serve()
    const page = await open(`${server.origin}/login`)
    await identify(page, maya.email)
    await arriveAt(page, 'Enter your password')
    await page.reload()
    await arriveAt(page, 'Enter your password')
    await page.getByText(`For ${maya.email}`).waitFor()
    await page.goBack()
    await arriveAt(page, 'Sign in to Harbor Light')
    expect(await page.getByLabel('Email address').inputValue()).toBe(maya.email)
    await page.goForward()
    await arriveAt(page, 'Enter your password')
    const second = await page.context().newPage()
    await second.goto(`${server.origin}/login`)
    await arriveAt(second, 'Sign in to Harbor Light')
    await page.getByLabel('Password', { exact: true }).fill(maya.password)
    await press(page, 'Continue')
    await arriveAt(page, 'Your account')
    await signIn(second)
    await arriveAt(second, 'Your account')
  })

  it('starts again with what was typed when a flow has expired', async () => {
    const server = await serve()
    const page = await open(`${server.origin}/login`)
    await identify(page, maya.email)
    await arriveAt(page, 'Enter your password')
    // As the service answers for a flow that took too long.
    await page.route('**/states/input', (route) =>
      route.fulfill({
        status: 404,
        json: {
          error: { name: 'NotFound', reason: 'AuthenticationFlowNotFound', message: '', code: 404 },
        },
      }),
    )
    await page.getByLabel('Password', { exact: true }).fill(maya.password)
    await press(page, 'Continue')
    await page.getByText('Let us start again').waitFor()
    await page.unroute('**/states/input')
    expect(await page.getByLabel('Email address').inputValue()).toBe(maya.email)
    await signIn(page)
    await arriveAt(page, 'Your account')
  })

  it('keeps what was typed while the network is gone', async () => {
    const server = await serve()
    const page = await open(`${server.origin}/login`)
    await identify(page, maya.email)
    await arriveAt(page, 'Enter your password')
    await page.getByLabel('Password', { exact: true }).fill(maya.password)
    await page.context().setOffline(true)
    await page.getByText('There is no connection. What you typed is kept.').waitFor()
    await press(page, 'Continue')
    await page.getByRole('alert').getByText('There is no connection').waitFor()
    await page.context().setOffline(false)
    await press(page, 'Continue')
    await arriveAt(page, 'Your account')
  })

  it('goes on by itself when a link is opened in another browser', async () => {
    const server = await serve({
      config: {
        authentication: { primary_authenticators: ['oob_otp_email'] },
        authenticator: { oob_otp: { email: { email_otp_mode: 'login_link' } } },
      },
    })
    const page = await open(`${server.origin}/login`)
    await identify(page, maya.email)
    await page.getByText('this page goes on by itself').waitFor()
    await expectAccessible(page, 'link', { part: 'main' })
    await press(page, 'I have opened the link')
    await page.getByText('has not been confirmed yet').waitFor()
    const phone = await open(server.outbox.messages.at(-1)?.link ?? '')
    await phone.getByRole('button', { name: 'Yes, confirm' }).click()
    await arriveAt(page, 'Your account')
  })

  it('says that nothing was sent while the last message is too recent, and sends another later', async () => {
    const server = await serve({
      config: { authentication: { primary_authenticators: ['oob_otp_email'] } },
    })
    const first = await open(`${server.origin}/login`)
    await identify(first, maya.email)
    await first.getByText('We sent a code of 6 digits to').waitFor()
    const second = await open(`${server.origin}/login`, { own: true })
    await identify(second, maya.email)
    await second.getByText('We sent no new code to').waitFor()
    await expectAccessible(second, 'code that was not sent', { part: 'main' })
    expect(server.outbox.messages).toHaveLength(1)
    server.pass(61_000)
    await second.clock.setFixedTime(server.clock.now())
    await press(second, 'Send another code')
    await second.getByText('Another code is on its way').waitFor()
    await second.getByText('We sent a code of 6 digits to').waitFor()
    await second.getByLabel('Code', { exact: true }).fill(server.outbox.codeTo(maya.email))
    await arriveAt(second, 'Your account')
  })

  it('recovers an account by a link, in any browser', async () => {
    const server = await serve({
      config: { links: { reset_password: 'http://localhost:1/recovery?code={code}' } },
    })
    const page = await open(`${server.origin}/login`)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await arriveAt(page, 'Reset your password')
    await identify(page, maya.email)
    await arriveAt(page, 'Check your email')
    await expectAccessible(page, 'recovery link', { part: 'main' })
    const link = new URL(server.outbox.messages.at(-1)?.link ?? '')
    const phone = await open(`${server.origin}${link.pathname}${link.search}`)
    await arriveAt(phone, 'Choose a new password')
    // The code is neither in the address nor in the history.
    expect(phone.url()).toBe(`${server.origin}/recovery`)
    await phone.getByLabel('New password', { exact: true }).fill('driftwood-parade-77')
    await press(phone, 'Set password')
    await arriveAt(phone, 'Your password is set')
    await phone.getByRole('link', { name: 'Sign in' }).click()
    await signIn(phone, 'driftwood-parade-77')
    await arriveAt(phone, 'Your account')
    // The link works once, and leads on all the same.
    await page.goto(`${server.origin}${link.pathname}${link.search}`)
    await arriveAt(page, 'This did not work')
    await press(page, 'Try again')
    await arriveAt(page, 'Reset your password')
  })

  it('sets up an authenticator app by a picture, keeps recovery codes, and asks for both', async () => {
    const server = await serve({
      config: {
        authentication: {
          secondary_authenticators: ['totp'],
          secondary_authentication_mode: 'required',
          secondary_authentication_grace_period: { enabled: true },
        },
      },
    })
    const page = await open(`${server.origin}/signup`)
    await identify(page, 'noor@example.com')
    await arriveAt(page, 'Check your email')
    await page.getByLabel('Code', { exact: true }).fill(server.outbox.codeTo('noor@example.com'))
    await page.getByLabel('New password', { exact: true }).fill(maya.password)
    await press(page, 'Set password')
    await arriveAt(page, 'Set up your authenticator app')
    await page.locator('.qr path[d^="M"]').waitFor()
    await expectAccessible(page, 'totp set-up')
    const secret = (await page.locator('.secret code').innerText()).replaceAll(' ', '')
    await page.getByLabel('Code', { exact: true }).fill('000000')
    await page.getByRole('alert').getByText('The code is not right').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(totpCode(secret, { now: Date.now }))
    await arriveAt(page, 'Keep your recovery codes')
    await expectAccessible(page, 'recovery codes')
    const [code = ''] = await page.locator('.codes code').allInnerTexts()
    const downloading = page.waitForEvent('download')
    await press(page, 'Download')
    expect((await downloading).suggestedFilename()).toBe('recovery-codes-Harbor-Light.txt')
    expect(await page.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true)
    await page.getByLabel('I have kept them').check()
    await press(page, 'Continue')
    await arriveAt(page, 'Your account')

    const later = await open(`${server.origin}/login`)
    await identify(later, 'noor@example.com')
    await later.getByLabel('Password', { exact: true }).fill(maya.password)
    await press(later, 'Continue')
    await arriveAt(later, 'Enter the code of your app')
    await press(later, 'Use another way')
    await arriveAt(later, 'Show that it is you')
    await expectAccessible(later, 'ways', { part: 'main' })
    await press(later, /With a recovery code/)
    await arriveAt(later, 'Use a recovery code')
    await later.getByLabel('Trust this device').check()
    await later.getByLabel('Recovery code', { exact: true }).fill(code)
    await press(later, 'Continue')
    await arriveAt(later, 'Your account')
    await later.getByText('Devices: 1').waitFor()
  })

  it('asks for the attributes that a flow declares', async () => {
    const server = await serve({
      config: {
        identity: { login_id: { keys: [{ type: 'username' }] } },
        user_profile: {
          custom_attributes: {
            attributes: [
              { id: '0001', pointer: '/x_height', type: 'integer', minimum: 30, maximum: 300 },
              { id: '0002', pointer: '/x_team', type: 'enum', enum: ['red', 'blue'] },
            ],
          },
        },
        authentication_flow: {
          signup_flows: [
            {
              name: 'profile',
              steps: [
                { type: 'identify', name: 'who', one_of: [{ identification: 'username' }] },
                {
                  type: 'fill_in_user_profile',
                  user_profile: [
                    { pointer: '/given_name', required: true },
                    { pointer: '/x_height', required: false },
                    { pointer: '/x_team', required: false },
                  ],
                },
              ],
            },
          ],
        },
      },
      pages: { flows: { signup: { type: 'signup', name: 'profile' } } },
    })
    const page = await open(`${server.origin}/signup`)
    await page.getByLabel('Username').fill('noor')
    await press(page, 'Continue')
    await arriveAt(page, 'Tell us about you')
    await expectAccessible(page, 'profile', { part: 'main' })
    await page.getByLabel('First name').fill('Noor')
    await page.getByLabel('Height').fill('5')
    await press(page, 'Save and continue')
    await page.getByRole('alert').getByText(/./).waitFor()
    await page.getByLabel('Height').fill('171')
    await page.getByLabel('Team').selectOption('blue')
    await press(page, 'Save and continue')
    await arriveAt(page, 'Your account')
    const response = await page.request.get(`${server.origin}/api/v1/account`)
    const { result } = await response.json()
    const user = await getUser(server.auth, result.user.id)
    expect(user.custom_attributes).toEqual({ x_height: 171, x_team: 'blue' })
  })
})
