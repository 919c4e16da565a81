import { totpCode } from '@gatehouse/core/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeWithBrowser } from '../../../test-support/browser.ts'
import { useBuiltServer } from './built-server.fixture.ts'
import { email, password } from './maya.fixture.ts'
import {
  accessibility,
  arriveAt,
  lookOver,
  press,
  signIn,
  signUp,
  useVisits,
} from './visit.fixture.ts'

describeWithBrowser('the pages in a browser', () => {
  const { visit } = useVisits()

  describe('with the configuration of this example', () => {
    const server = useBuiltServer()
    beforeAll(() => server.signUp(email))

    it('signs up with an address that is proven, and a password', async () => {
      const page = await visit(server)
      await signUp(server, page, 'lena@example.com')
      expect(page.url()).toBe(`${server.origin}/account`)
      await press(page, 'Sign out')
      await arriveAt(page, 'Welcome')
      await page.goto('/account')
      await arriveAt(page, 'Sign in')
    })

    it('the accessibility check finds problems', async () => {
      const page = await visit(server)
      await page.setContent(`<h1>One</h1><h1>Two</h1><h3>Deep</h3>
        <label for="b">Name</label><input id="a" placeholder="Name"><p id="a">twice</p>
        <p style="color: #888; background: #999">pale</p><a href="#nowhere"></a>
        <button style="all: unset; height: 9px; font-size: 9px">ok</button>
        <div role="alert" tabindex="-1">wrong</div><p style="width: 3000px">wide</p>`)
      const found = await page.evaluate<string[]>(accessibility)
      expect(found.map((problem) => problem.replace(/: <.*/s, ''))).toEqual([
        'the page has no language',
        'the page has no title',
        'the page has 2 h1',
        'the page has no main part',
        'a heading of level 3 skips a level',
        'two elements have the id a',
        'two elements have the id a',
        'for names no element: b',
        'no label',
        'a placeholder',
        'no autocomplete',
        'no text',
        'too small to touch',
        'leads nowhere',
        'the error summary has no focus',
        'the page is too wide',
        'a contrast of 1.2',
      ])
    })

    it('replaces a forgotten password with a link opened in another browser', async () => {
      const address = 'noah@example.com'
      await server.signUp(address)
      const page = await visit(server)
      await page.goto('/login')
      await page.getByRole('link', { name: 'Forgot your password?' }).click()
      await page.getByLabel('Email address').fill(address)
      await press(page, 'Continue')
      await page.getByRole('button', { name: 'Send a link' }).click()
      await arriveAt(page, 'Open the link')

      const other = await visit(server)
      await other.goto(await server.linkTo(address))
      await arriveAt(other, 'Choose a new password')
      expect(other.url()).not.toContain('code=')
      await other.getByLabel('New password').fill('copper-meadow-7')
      await press(other, 'Set this password')
      await other.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
      await other.getByLabel('Email address').fill(address)
      await press(other, 'Continue')
      await other.getByLabel('Password').fill('copper-meadow-7')
      await press(other, 'Sign in')
      await arriveAt(other, address)
    })

    it('follows the preference for a dark colour scheme', async () => {
      const page = await visit(server)
      await page.goto('/login')
      const background = (): Promise<string> =>
        page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
      await page.emulateMedia({ colorScheme: 'light' })
      const light = await background()
      await page.emulateMedia({ colorScheme: 'dark' })
      expect([light, await background()]).toEqual(['rgb(255, 255, 255)', 'rgb(23, 24, 27)'])
    })

    it('works by keyboard alone, and shows the focus', async () => {
      const page = await visit(server)
      const { keyboard } = page
      const focused = (): Promise<string> =>
        page.evaluate<string>(
          '(document.activeElement.labels?.[0] ?? document.activeElement).textContent',
        )
      const outline = (): Promise<string> =>
        page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')
      const tabTo = async (text: string): Promise<void> => {
        for (let presses = 0; presses < 10; presses++) {
          await keyboard.press('Tab')
          expect(await outline()).toBe('solid')
          if ((await focused()) === text) return
        }
        throw new Error(`${text} cannot be reached`)
      }
      await page.goto('/')
      await tabTo('Sign in')
      await keyboard.press('Enter')
      await arriveAt(page, 'Sign in')
      await tabTo('Email address')
      await keyboard.type(email)
      await keyboard.press('Enter')
      await arriveAt(page, 'Enter your password')
      await tabTo('Password')
      await keyboard.type('no')
      await tabTo('Sign in')
      await keyboard.press('Space')

      await page.getByRole('alert').waitFor()
      expect(await page.title()).toBe('Problem: Enter your password · Harborlight')
      await keyboard.press('Tab')
      expect(await focused()).toBe('The password is wrong.')
      await keyboard.press('Enter')
      expect(await focused()).toBe('Password')
      await keyboard.type(password)
      await keyboard.press('Enter')
      await arriveAt(page, email)
    })

    it('a reload continues the flow, without a token in the address', async () => {
      const page = await visit(server)
      await page.goto('/login')
      await page.getByLabel('Email address').fill(email)
      await press(page, 'Continue')
      await arriveAt(page, 'Enter your password')
      await page.reload()
      await arriveAt(page, 'Enter your password')
      expect(page.url()).toBe(`${server.origin}/login`)
      await page.getByLabel('Password').fill(password)
      await press(page, 'Sign in')
      await arriveAt(page, email)
    })
  })

  describe('with a required second factor', () => {
    const server = useBuiltServer(() => ({
      config: { authentication: { secondary_authentication_mode: 'required' } },
    }))

    /** The code that an authenticator app shows for a key, now or a while later. */
    const codeOf = (key: string, laterMs = 0): string =>
      totpCode(key, { now: () => Date.now() + laterMs })

    it('sets up an authenticator app, and signs in with its code', async () => {
      const page = await visit(server)
      await signUp(server, page, email, 'Add a second way to show that it is you')
      await press(page, 'Use an authenticator app')
      const key = await page.locator('code').innerText()
      const href =
        (await page.getByRole('link', { name: 'open it by this link' }).getAttribute('href')) ?? ''
      expect(new URL(href).searchParams.get('secret')).toBe(key.replaceAll(' ', ''))
      await page.getByLabel('Code').fill(codeOf(key))
      await press(page, 'Continue')
      await arriveAt(page, 'Keep your recovery codes')
      expect(await page.getByRole('listitem').count()).toBe(16)
      await press(page, 'I have kept them')
      await page.getByText('with a second factor').waitFor()

      const other = await visit(server)
      await signIn(other, email, 'One more thing to show')
      const form = other.locator('form').filter({ hasText: 'By your authenticator app' })
      // The current code was used. The next one is valid already, since clocks may differ.
      await form.getByLabel('Code', { exact: true }).fill(codeOf(key, 30_000))
      await form.getByLabel('Trust this browser').check()
      await form.getByRole('button').click()
      await other.getByText('with a second factor').waitFor()
      const cookies = await other.context().cookies()
      expect(cookies.map(({ name }) => name)).toContain('mfa_device_token')
    })

    it('every page passes the accessibility check', async () => {
      const address = 'lena@example.com'
      const page = await visit(server)
      await page.setViewportSize({ width: 320, height: 640 })
      for (const [path, title] of [
        ['/', 'Welcome'],
        ['/login', 'Sign in'],
        ['/recover', 'Reset your password'],
        ['/nothing', 'Page not found'],
        ['/callback', 'This page has expired'],
        ['/signup', 'Create your account'],
      ] as const) {
        await page.goto(path)
        await lookOver(page, title)
      }
      await page.getByLabel('Email address').fill(address)
      await press(page, 'Continue')
      await lookOver(page, 'Enter the code')
      await page.getByLabel('Code').fill('000000')
      await press(page, 'Continue')
      await page.getByRole('alert').waitFor()
      await lookOver(page, 'Enter the code')
      await page.getByLabel('Code').fill(await server.codeTo(address))
      await press(page, 'Continue')
      await lookOver(page, 'Choose a password')
      await page.getByLabel('New password').fill('short')
      await press(page, 'Set this password')
      await page.getByRole('alert').waitFor()
      await lookOver(page, 'Choose a password')
      await page.getByLabel('New password').fill(password)
      await press(page, 'Set this password')
      await lookOver(page, 'Add a second way to show that it is you')
      await press(page, 'Use an authenticator app')
      await lookOver(page, 'Set up your authenticator app')
      const key = await page.locator('code').innerText()
      await page.getByLabel('Code').fill(codeOf(key))
      await press(page, 'Continue')
      await lookOver(page, 'Keep your recovery codes')
      await press(page, 'I have kept them')
      await lookOver(page, address)
      await page.goto('/login')
      await lookOver(page, 'Sign in')
      await page.getByLabel('Email address').fill(address)
      await press(page, 'Continue by email')
      await page.getByLabel('Password').fill(password)
      await press(page, 'Sign in')
      await lookOver(page, 'One more thing to show')
    })
  })

  describe('with links that verify addresses', () => {
    const server = useBuiltServer(() => ({
      config: { verification: { claims: { email: { otp_form: 'link' } } } },
    }))

    it('a confirmed link moves the page on by itself where scripts run', async () => {
      const page = await visit(server)
      await page.goto('/signup')
      await page.getByLabel('Email address').fill(email)
      await press(page, 'Continue')
      await arriveAt(page, 'Open the link')
      const phone = await visit(server)
      await phone.goto(await server.linkTo(email))
      await press(phone, 'Yes, confirm')
      await arriveAt(page, 'Choose a password')
    })
  })
})
