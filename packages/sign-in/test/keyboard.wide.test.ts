import { createSession, createUser } from '@gatehouse/core'
import { addIdentity } from '@gatehouse/core/auth'
import { totpCode } from '@gatehouse/core/testing'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { addAuthenticator, describeWithBrowser } from '../../../test-support/browser.ts'
import { focusComesTo, pressAt, tabTo, typeOver } from './keyboard.fixture.ts'
import { arriveAt, expectAccessible, maya, usePages } from './sign-in.fixture.ts'

const noor = 'noor@example.com'

// No test here moves a mouse: each goes by Tab, Enter, Space, arrows and letters.
describeWithBrowser('by the keyboard alone', () => {
  const { serve, open } = usePages()

  /** A page where a step waits: it is accessible, and the focus is where one goes on. */
  async function stepOf(page: Page, title: string | RegExp, first?: string): Promise<void> {
    await arriveAt(page, title)
    if (first !== undefined) await focusComesTo(page, first)
    await expectAccessible(page, String(title))
  }

  const enter = (page: Page): Promise<void> => page.keyboard.press('Enter')

  async function answer(page: Page, text: string): Promise<void> {
    await page.keyboard.type(text)
    await enter(page)
  }

  const saved = (page: Page): Promise<void> => page.getByText('Saved.').waitFor()

  it('people sign up with an app, sign in by both of its ways, and recover', async () => {
    const server = await serve({
      config: {
        authentication: {
          secondary_authenticators: ['totp'],
          secondary_authentication_mode: 'required',
        },
        links: { reset_password: 'http://localhost:1/recovery?code={code}' },
      },
    })
    const page = await open(`${server.origin}/login`)
    await stepOf(page, 'Sign in to Harbor Light', 'Email address')
    await pressAt(page, 'Sign up')
    await stepOf(page, 'Create your account', 'Email address')
    await answer(page, noor)
    await stepOf(page, 'Check your email', 'Code')
    await page.keyboard.type('000000')
    await page.getByRole('alert').getByText('The code is not right').waitFor()
    await stepOf(page, 'Check your email', 'Code')
    // What was refused is selected, so that the right code replaces it.
    await page.keyboard.type(server.outbox.codeTo(noor))
    await stepOf(page, 'Choose a password', 'New password')
    await page.keyboard.type(maya.password)
    await tabTo(page, 'Show password')
    await page.keyboard.press('Space')
    await focusComesTo(page, 'Hide password')
    expect(await page.getByLabel('New password', { exact: true }).getAttribute('type')).toBe('text')
    await pressAt(page, 'Set password')
    await stepOf(page, 'Set up your authenticator app', 'Code')
    const secret = (await page.locator('.secret code').innerText()).replaceAll(' ', '')
    await page.keyboard.type(totpCode(secret, server.clock))
    await stepOf(page, 'Keep your recovery codes')
    const [recoveryCode = ''] = await page.locator('.codes code').allInnerTexts()
    await tabTo(page, /^I have kept them/)
    await page.keyboard.press('Space')
    await pressAt(page, 'Continue')
    await stepOf(page, 'Your account', 'Your account')
    await pressAt(page, 'Sign out')

    await stepOf(page, 'Sign in to Harbor Light', 'Email address')
    await answer(page, noor)
    await stepOf(page, 'Enter your password', 'Password')
    await answer(page, 'wrong')
    await page.getByRole('alert').getByText('The password is not right').waitFor()
    await stepOf(page, 'Enter your password', 'Password')
    await answer(page, maya.password)
    await stepOf(page, 'Enter the code of your app', 'Code')
    server.pass(30_000)
    await page.keyboard.type(totpCode(secret, server.clock))
    await arriveAt(page, 'Your account')
    await pressAt(page, 'Sign out')

    await stepOf(page, 'Sign in to Harbor Light', 'Email address')
    await answer(page, noor)
    await focusComesTo(page, 'Password')
    await answer(page, maya.password)
    await arriveAt(page, 'Enter the code of your app')
    await pressAt(page, 'Use another way')
    await stepOf(page, 'Show that it is you', 'With your authenticator app')
    await pressAt(page, 'With a recovery code')
    await stepOf(page, 'Use a recovery code', 'Recovery code')
    await page.keyboard.type(recoveryCode)
    await tabTo(page, /^Trust this device/)
    await page.keyboard.press('Space')
    await pressAt(page, 'Continue')
    await arriveAt(page, 'Your account')
    await page.getByText('Devices: 1').waitFor()
    await pressAt(page, 'Trust none of them any more')
    await page.getByText('Devices: 1').waitFor({ state: 'detached' })
    await focusComesTo(page, 'Second factors')
    await pressAt(page, 'Sign out')

    server.pass(61_000)
    await focusComesTo(page, 'Email address')
    await pressAt(page, 'Forgot your password?')
    await stepOf(page, 'Reset your password', 'Email address')
    await typeOver(page, noor)
    await enter(page)
    await stepOf(page, 'Check your email')
    const link = new URL(server.outbox.messages.at(-1)?.link ?? '')
    await page.goto(`${server.origin}${link.pathname}${link.search}`)
    await stepOf(page, 'Choose a new password', 'New password')
    await answer(page, 'driftwood-parade-77')
    await stepOf(page, 'Your password is set', 'Sign in')
    await enter(page)
    await stepOf(page, 'Sign in to Harbor Light', 'Email address')
  })

  it('people keep their account: addresses, password, second factor, passkey, sessions', async () => {
    const server = await serve({
      config: {
        authentication: {
          identities: ['login_id', 'passkey'],
          primary_authenticators: ['password', 'passkey'],
          secondary_authenticators: ['totp'],
        },
        account_deletion: { scheduled_by_end_user_enabled: true },
      },
    })
    const id = await createUser(server.auth, { ...maya, email_verified: true })
    await addIdentity(server.auth, id, { type: 'email', value: 'old@example.com' })
    const page = await open('about:blank', { own: true })
    await addAuthenticator(page)
    await page.addInitScript(
      'PublicKeyCredential.isConditionalMediationAvailable = async () => false',
    )
    await page.goto(`${server.origin}/account`)
    await stepOf(page, 'Sign in to Harbor Light', 'Email address')
    await answer(page, maya.email)
    await focusComesTo(page, 'Password')
    await answer(page, maya.password)
    await stepOf(page, 'Sign in faster next time', 'Create a passkey')
    await pressAt(page, 'Not now')
    await stepOf(page, 'Your account', 'Your account')

    await pressAt(page, 'Edit')
    await focusComesTo(page, 'Name (optional)')
    await page.keyboard.type('Maya Quill')
    await pressAt(page, 'Save')
    await saved(page)
    await page.locator('#profile dd', { hasText: 'Maya Quill' }).waitFor()
    await focusComesTo(page, 'Profile')

    await pressAt(page, 'Verify: old@example.com')
    await stepOf(page, 'Check your email', 'Code')
    await page.keyboard.type(server.outbox.codeTo('old@example.com'))
    await saved(page)
    await focusComesTo(page, 'Your account')
    expect(await page.getByText('Not verified').count()).toBe(0)

    await pressAt(page, 'Change: old@example.com')
    await focusComesTo(page, 'Email address')
    await typeOver(page, 'new@example.com')
    await enter(page)
    await stepOf(page, 'Check your email', 'Code')
    await page.keyboard.type(server.outbox.codeTo('new@example.com'))
    await page.getByText('new@example.com').first().waitFor()
    await focusComesTo(page, 'Your account')

    await pressAt(page, 'Remove new@example.com')
    await focusComesTo(page, 'Remove')
    await expectAccessible(page, 'question')
    await pressAt(page, 'Cancel')
    await focusComesTo(page, 'Remove new@example.com')
    await enter(page)
    await focusComesTo(page, 'Remove')
    await enter(page)
    await page.getByText('new@example.com').first().waitFor({ state: 'detached' })
    await focusComesTo(page, 'How you sign in')
    // What cannot be removed keeps the question, with the focus on it.
    await pressAt(page, `Remove ${maya.email}`)
    await focusComesTo(page, 'Remove')
    await enter(page)
    await page.getByRole('alert').getByText('Add another one first').waitFor()
    await focusComesTo(page, 'Remove')

    await pressAt(page, 'Change: Password')
    await stepOf(page, 'Enter your password', 'Password')
    await answer(page, maya.password)
    await stepOf(page, 'Choose a new password', 'New password')
    await answer(page, 'driftwood-parade-77')
    await saved(page)
    await focusComesTo(page, 'Your account')

    await pressAt(page, 'Create a passkey')
    await stepOf(page, 'Sign in faster next time', 'Create a passkey')
    await enter(page)
    await saved(page)
    await pressAt(page, /^Remove Passkey/)
    await focusComesTo(page, 'Remove')
    await enter(page)
    await page.getByRole('button', { name: 'Remove Passkey' }).waitFor({ state: 'detached' })
    await focusComesTo(page, 'Passkeys')

    await pressAt(page, 'Add')
    await stepOf(page, 'Set up your authenticator app', 'Code')
    const secret = (await page.locator('.secret code').innerText()).replaceAll(' ', '')
    await page.keyboard.type(totpCode(secret, server.clock))
    await stepOf(page, 'Keep your recovery codes')
    await tabTo(page, /^I have kept them/)
    await page.keyboard.press('Space')
    await pressAt(page, 'Continue')
    await saved(page)
    await pressAt(page, /^Remove (?:Authenticator app|TOTP)/)
    await focusComesTo(page, 'Remove')
    await enter(page)
    await page.getByText('A second factor protects your account').waitFor()
    await focusComesTo(page, 'Second factors')

    for (let i = 0; i < 3; i++) await createSession(server.auth, id, { amr: ['pwd'] })
    await page.reload()
    await focusComesTo(page, 'Your account')
    await page
      .getByRole('button', { name: /^End session/ })
      .first()
      .waitFor()
    await pressAt(page, /^End session/)
    await focusComesTo(page, 'End session')
    await enter(page)
    await expect.poll(() => page.getByRole('button', { name: /^End session/ }).count()).toBe(2)
    await focusComesTo(page, 'Where you are signed in')
    await pressAt(page, 'End all other sessions')
    await expect.poll(() => page.getByRole('button', { name: /^End session/ }).count()).toBe(0)
    await focusComesTo(page, 'Where you are signed in')

    await pressAt(page, 'Delete account')
    await focusComesTo(page, 'I want to delete my account.')
    await pressAt(page, 'Cancel')
    await focusComesTo(page, 'Delete account')

    await tabTo(page, /^Language/)
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.locator('html').getAttribute('lang')).not.toBe('en')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en')
    await expectAccessible(page, 'account, at its end')
  })

  it('people choose a country, a way and a radio button by arrows and letters', async () => {
    const server = await serve({
      config: {
        identity: { login_id: { keys: [{ type: 'username' }, { type: 'phone' }] } },
        authentication: { primary_authenticators: ['oob_otp_sms'] },
        authenticator: { oob_otp: { sms: { phone_otp_mode: 'whatsapp_sms' } } },
      },
    })
    const page = await open(`${server.origin}/signup`, { locale: 'en-NO' })
    await stepOf(page, 'Create your account', 'Username')
    await pressAt(page, 'Use a phone number')
    // The button that was pressed is gone.
    await focusComesTo(page, 'Phone number')
    await page.locator('.country').waitFor()
    await tabTo(page, 'Country')
    await page.keyboard.type('Germ')
    await expect.poll(() => page.locator('.country-code').innerText()).toBe('DE +49')
    await page.keyboard.press('Shift+Tab')
    await focusComesTo(page, 'Phone number')
    await answer(page, '+47 406 12 345')
    await stepOf(page, 'Where shall we send the code?', 'On WhatsApp')

    // A refusal gives the button that was disabled meanwhile the focus again.
    const error = { name: 'TooManyRequest', reason: 'RateLimited', message: '', code: 429 }
    await page.route('**/states/input', (route) => route.fulfill({ status: 429, json: { error } }))
    await enter(page)
    await page.getByRole('alert').getByText('Too many attempts').waitFor()
    await focusComesTo(page, 'On WhatsApp')
    await expectAccessible(page, 'channels, refused')
    await page.unroute('**/states/input')
    await enter(page)
    await stepOf(page, 'Check WhatsApp', 'Code')
    await page.keyboard.type(server.outbox.codeTo('+4740612345'))
    await stepOf(page, 'Codes by text message')
    await tabTo(page, /^(?:On WhatsApp|By text message)$/)
    const before = await page.locator('[name=channel]:checked').inputValue()
    await page.keyboard.press('ArrowDown')
    expect(await page.locator('[name=channel]:checked').inputValue()).not.toBe(before)
    await enter(page)
    await stepOf(page, 'Your account', 'Your account')
  })
})
