import { readFile } from 'node:fs/promises'
import { createUser, listSessions, resolveSession } from '@gatehouse/core'
import { createSession, getUser, impersonateUser, setPassword } from '@gatehouse/core/auth'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeWithBrowser } from '../../../test-support/browser.ts'
import { isWide, sampleOf } from '../../../test-support/lane.ts'
import { languageNames } from '../src/texts/languages.ts'
import {
  arriveAt,
  expectAccessible,
  maya,
  press,
  type ServerOptions,
  type SignInServer,
  usePages,
} from './sign-in.fixture.ts'

const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** Whether an element of a page has the focus. */
const isActive = (element: Element): boolean => element === element.ownerDocument.activeElement

describeWithBrowser('the account page', () => {
  const { serve, open } = usePages()

  interface SignedIn {
    readonly server: SignInServer
    readonly userId: string
    readonly page: Page
  }

  /** Opens the account page with a session that the program has created. */
  async function signedIn(options: ServerOptions = {}): Promise<SignedIn> {
    const server = await serve(options)
    const userId = await createUser(server.auth, { ...maya, email_verified: true })
    const { cookies } = await createSession(server.auth, userId, { amr: ['pwd'], userAgent })
    const page = await open(`${server.origin}/account`, { cookies })
    await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor()
    return { server, userId, page }
  }

  /** Opens the account page, signs in on the pages, and comes back. */
  async function arrivedBySignIn(options: ServerOptions = {}): Promise<SignedIn> {
    const server = await serve(options)
    const userId = await createUser(server.auth, { ...maya, email_verified: true })
    const page = await open(`${server.origin}/account`)
    // Without a session the page sends people to sign in, and back.
    await arriveAt(page, 'Sign in to Harbor Light')
    await page.getByLabel('Email address').fill(maya.email)
    await press(page, 'Continue')
    await page.getByLabel('Password', { exact: true }).fill(maya.password)
    await press(page, 'Continue')
    await arriveAt(page, 'Your account')
    await page.waitForURL(`${server.origin}/account`)
    await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor()
    return { server, userId, page }
  }

  it('adds, verifies and removes an address', async () => {
    const { server, userId, page } = await signedIn()
    await expectAccessible(page, 'account')
    await press(page, 'Add an email address')
    // It is about the account: nothing here is of a sign-in.
    await arriveAt(page, 'Add an email address')
    expect(await page.getByRole('link', { name: /Sign up|Forgot/ }).count()).toBe(0)
    await page.getByLabel('Email address', { exact: true }).fill('second@example.com')
    await press(page, 'Continue')
    await arriveAt(page, 'Check your email')
    await expectAccessible(page, 'change of the account', { part: 'main' })
    await page.getByLabel('Code', { exact: true }).fill(server.outbox.codeTo('second@example.com'))
    await page.getByText('Saved.').waitFor()
    await page.getByText('second@example.com').waitFor()
    const rows = page.locator('#logins .row')
    const primary = rows.filter({ has: page.getByText('Primary', { exact: true }) })
    expect(await primary.innerText()).toContain(maya.email)
    await press(page, 'Make primary: second@example.com')
    await primary.filter({ hasText: 'second@example.com' }).waitFor()
    expect(await primary.count()).toBe(1)
    await expectAccessible(page, 'two addresses', { part: '#logins' })
    expect((await getUser(server.auth, userId)).standard_attributes).toMatchObject({
      email: 'second@example.com',
    })
    await press(page, 'Remove second@example.com')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Remove')
    await press(page, 'Remove')
    await page.getByText('second@example.com').waitFor({ state: 'detached' })
    await press(page, `Remove ${maya.email}`)
    await press(page, 'Remove')
    await page.getByRole('alert').getByText('Add another one first').waitFor()
  })

  it('asks the server for nothing that is switched off', async () => {
    const { page } = await signedIn()
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(response.url())
    })
    await page.reload({ waitUntil: 'networkidle' })
    await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor()
    expect(refused).toEqual([])
  })

  it('changes the password and the profile', async () => {
    const { page } = await signedIn({
      config: {
        user_profile: {
          custom_attributes: {
            attributes: [
              { id: '0001', pointer: '/x_team', type: 'enum', enum: ['red', 'blue'] },
              { id: '0002', pointer: '/x_secret', type: 'string' },
            ],
          },
        },
      },
      pages: { account: { customAttributes: { '/x_team': 'readwrite' } } },
    })
    await page.locator('#password').getByRole('button', { name: 'Change' }).click()
    await arriveAt(page, 'Enter your password')
    await page.getByLabel('Password', { exact: true }).fill(maya.password)
    await press(page, 'Continue')
    await page.getByLabel('New password', { exact: true }).fill('driftwood-parade-77')
    await press(page, 'Set password')
    await page.getByText('Saved.').waitFor()
    await press(page, 'Edit')
    await page.getByLabel('First name').fill('Maya')
    await page.getByLabel('Team').selectOption('red')
    expect(await page.getByLabel('Secret').count()).toBe(0)
    await expectAccessible(page, 'profile form', { part: '#profile' })
    await press(page, 'Save')
    await page.getByText('Saved.').waitFor()
    expect(await page.locator('#profile dd').allInnerTexts()).toEqual(['Maya', 'red'])
  })

  it('shows sessions by their devices and places, and ends them', async () => {
    const { server, userId, page } = await signedIn({
      auth: { geoIp: (ip) => (ip === '192.0.2.1' ? 'NO' : undefined) },
    })
    for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
      await createSession(server.auth, userId, { amr: ['pwd'], ip })
    await page.reload()
    const sessions = page.locator('#sessions')
    await sessions.getByText('Chrome on Linux').waitFor()
    await sessions.getByText(/\s· 192\.0\.2\.1\s· Norway$/).waitFor()
    await sessions.getByText(/\s· 192\.0\.2\.2$/).waitFor()
    const others = page.getByRole('button', { name: /^End session/ })
    await others.first().waitFor()
    expect(await others.count()).toBe(3)
    await others.first().click()
    await press(page, 'End session')
    await page.getByText('Saved.').waitFor()
    expect(await listSessions(server.auth, userId)).toHaveLength(3)
    await press(page, 'End all other sessions')
    await expect.poll(() => others.count()).toBe(0)
    expect(await listSessions(server.auth, userId)).toHaveLength(1)
  })

  it('asks to sign in again for a change after a while', async () => {
    const { server, page } = await signedIn({ pages: { account: { freshForMs: 1 } } })
    await press(page, 'Add an email address')
    await arriveAt(page, 'Sign in to Harbor Light')
    expect(new URL(page.url()).searchParams.get('prompt')).toBe('login')
    expect(new URL(page.url()).searchParams.get('return_to')).toBe(`${server.origin}/account`)
  })

  it('shows what happened, by whom and from where, in pages', async () => {
    const { server, userId, page } = await arrivedBySignIn({ auth: { geoIp: () => 'NO' } })
    for (let i = 0; i < 12; i++) await createSession(server.auth, userId, { ip: '192.0.2.1' })
    await setPassword(server.auth, userId, 'driftwood-parade-77', {
      keepSession: (await listSessions(server.auth, userId)).at(-1)?.id ?? '',
    })
    await server.auth.audit.write()
    await page.reload()
    // As the browser has named itself at the sign-in.
    await page.locator('#sessions').getByText('Chrome on Linux').waitFor()
    const activity = page.locator('#activity')
    await activity.getByText('Password changed').waitFor()
    await activity.getByText('Done by Harbor Light').first().waitFor()
    expect(await activity.locator('.row').count()).toBe(10)
    await press(page, 'Show more')
    await activity.getByText(/Chrome on Linux\s· .*\s· Norway/).waitFor()
    expect(await activity.locator('.row').count()).toBe(15)
    await activity.getByText('Account created').waitFor()
    await expectAccessible(page, 'activity', { part: '#activity' })
  })

  it('makes an API key by keyboard, shows it once, copies it, and revokes it', async () => {
    const own_scopes = ['orders', 'invoices', 'customers'].flatMap((name) =>
      ['read', 'write'].map((right) => `${name}:${right}`),
    )
    const { server, userId, page } = await signedIn({
      config: { api_keys: { scopes: [...own_scopes, 'admin'], own_scopes } },
    })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const keys = page.locator('#api-keys')
    const isFocused = (name: string) => keys.getByRole('button', { name }).evaluate(isActive)
    await keys.getByRole('button', { name: 'Create an API key' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByLabel('Name of the key').evaluate(isActive)).toBe(true)
    expect(await page.getByLabel('admin').count()).toBe(0)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page, 'a new API key')
    await page.keyboard.type('Laptop')
    const create = keys.getByRole('button', { name: 'Create an API key' })
    // A key without a scope would be refused.
    expect(await create.isDisabled()).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    expect(await create.isEnabled()).toBe(true)
    await page.keyboard.press('Enter')
    await keys.getByText('Copy the key now').waitFor()
    await expect.poll(() => isFocused('Copy')).toBe(true)
    await expectAccessible(page, 'an API key, shown once', { part: '#api-keys' })
    const key = await keys.locator('code').innerText()
    await page.keyboard.press('Enter')
    await keys.getByText('Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
    const headers = new Headers({ authorization: `Bearer ${key}` })
    const found = () => resolveSession(server.auth, { headers }, { apiKeys: true })
    expect(await found()).toMatchObject({ user_id: userId, name: 'Laptop' })

    await page.reload()
    await keys.getByText('Laptop').waitFor()
    expect(await page.content()).not.toContain(key)
    await keys.getByRole('button', { name: 'Revoke: Laptop' }).focus()
    await page.keyboard.press('Enter')
    // Nothing is gone before it is confirmed, and the confirmation has the focus.
    await expect.poll(() => isFocused('Revoke')).toBe(true)
    await expectAccessible(page, 'an API key to revoke', { part: '#api-keys' })
    expect(await found()).toBeDefined()
    await page.keyboard.press('Enter')
    await keys.getByText('Laptop').waitFor({ state: 'detached' })
    expect(await found()).toBeUndefined()
  })

  it('says that an operator acts as the user, who alone makes keys and ends it', async () => {
    const { server, userId, page } = await signedIn({
      config: { api_keys: { scopes: ['orders:read'], own_scopes: ['orders:read'] } },
    })
    const operator = 'Olga <b> of the support in the harbour of Bergen, who has a long name'
    const acting = { operator, reason: 'ticket 4711' }
    const own = await page.context().cookies()
    const { token } = await impersonateUser(server.auth, userId, acting)
    await page.reload()
    await page.getByText(`Operator ${operator}`).waitFor()
    // The browser is the operator's, then that of the user, and the operator's again.
    const ofOperator = [{ name: 'session', value: token, url: server.origin }]
    await page.context().addCookies(ofOperator)
    await page.reload()
    await page.getByRole('status').getByText(`${operator} acts as this user.`).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page, 'an operator who acts as the user')
    await press(page, 'Create an API key')
    await page.getByLabel('Name of the key').fill('x')
    await page.getByLabel('orders:read').check()
    await press(page, 'Create an API key')
    await page.getByRole('alert').getByText('Only the user can do this').waitFor()
    await page.context().addCookies(own)
    await page.reload()
    // The operator's browser is another one of the list of the user.
    await page.getByRole('button', { name: /^End session/ }).click()
    await press(page, 'End session')
    await page.getByText('Operator Olga <b>').waitFor({ state: 'detached' })
    await page.context().addCookies(ofOperator)
    await page.reload()
    await arriveAt(page, 'Sign in to Harbor Light')
  })

  it('gives people their data as a file', async () => {
    const { page } = await signedIn()
    const coming = page.waitForEvent('download')
    await press(page, 'Download your data')
    const download = await coming
    expect(download.suggestedFilename()).toBe('account.json')
    const data = JSON.parse(await readFile(await download.path(), 'utf8'))
    expect(data.identities).toMatchObject([{ email: maya.email }])
    expect(JSON.stringify(data)).not.toMatch(/scrypt|hash/)
  })

  it('deletes the account by keyboard, and keeps it by a sign-in', async () => {
    const { server, userId, page } = await signedIn({
      config: { account_deletion: { scheduled_by_end_user_enabled: true } },
    })
    const remove = page.locator('#delete')
    await remove.getByText('You have 30 days to change your mind').waitFor()
    await remove.getByRole('button', { name: 'Delete account' }).focus()
    await page.keyboard.press('Enter')
    const submit = remove.getByRole('button', { name: 'Delete account' })
    expect(await submit.isDisabled()).toBe(true)
    await page.getByLabel('I want to delete my account.').waitFor()
    await expectAccessible(page, 'deletion', { part: '#delete' })
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await arriveAt(page, 'Your account will be deleted')
    await expectAccessible(page, 'deleted')
    expect(await listSessions(server.auth, userId)).toEqual([])
    await page.getByRole('link', { name: 'Sign in' }).click()
    await arriveAt(page, 'Sign in to Harbor Light')
    await page.getByLabel('Email address').fill(maya.email)
    await press(page, 'Continue')
    await page.getByLabel('Password', { exact: true }).fill(maya.password)
    await press(page, 'Continue')
    await arriveAt(page, 'You asked to delete this account')
    await expectAccessible(page, 'keep the account', { part: 'main' })
    await press(page, 'Keep my account')
    await arriveAt(page, 'Your account')
    await page.locator('#activity').waitFor()
    expect(await getUser(server.auth, userId)).toMatchObject({ delete_at: null })
  })

  it('is readable in every language, layout and scheme, on phones and with large text', async () => {
    const { server, page } = await signedIn({
      config: { account_deletion: { scheduled_by_end_user_enabled: true } },
    })
    const places = ['/login?prompt=login', '/signup', '/recovery', '/account']
    // Every place in the first language; each further language at one place, in turn.
    const isTurn = sampleOf(places.length)
    for (const [at, language] of Object.keys(languageNames).entries()) {
      for (const [index, place] of places.entries()) {
        if (at > 0 && !isTurn(at, index)) continue
        await page.setViewportSize({ width: 390, height: 844 })
        await page.goto(
          `${server.origin}${place}${place.includes('?') ? '&' : '?'}ui_locales=${language}`,
        )
        await page.locator(place === '/account' ? '#sessions' : 'h1').waitFor()
        expect(await page.locator('html').getAttribute('lang')).toBe(language)
        // Besides the first language, the longest words and text from right to left. The others have the same layout.
        if (isWide || at === 0 || language === 'de' || language === 'ar') {
          await expectAccessible(page, `${language} ${place}`)
        }
        // 1280 pixels at 200 % and 400 %. @see WCAG 2.2, reflow
        for (const width of [640, 320]) {
          await page.setViewportSize({ width, height: 512 })
          const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
          expect([language, place, width, overflow]).toEqual([language, place, width, 0])
        }
      }
    }
    await page.goto(`${server.origin}/login?prompt=login`)
    await page.getByLabel('Language').selectOption('ar')
    await page.locator('html[dir="rtl"]').waitFor()
    await page.reload()
    await page.locator('html[dir="rtl"]').waitFor()
  })

  it('has targets that fingers hit, and no motion for people who ask for none', async () => {
    const { page } = await signedIn()
    const small = await page.evaluate<
      string[]
    >(`[...document.querySelectorAll('button, .footer a, select, summary')]
      .filter((one) => one.offsetParent !== null)
      .filter((one) => one.getBoundingClientRect().height < 43.9)
      .map((one) => one.outerHTML.slice(0, 80))`)
    expect(small).toEqual([])
    const moving = await page.evaluate('document.getAnimations().length')
    expect(moving).toBe(0)
  })
})

describeWithBrowser('the layouts', () => {
  const { serve, open } = usePages()

  const layouts = ['card', 'split', 'full'] as const
  /** Usually each layout is seen in one width, in turn. */
  const isTurn = sampleOf(2)

  it.each(layouts)('%s is accessible with colours of a brand', async (layout) => {
    const server = await serve({
      pages: {
        theme: { layout, accent: '#0b57d0', dark: { accent: '#a8c7fa', onAccent: '#062e6f' } },
        links: [{ label: 'Terms', href: 'https://example.com/terms' }],
      },
    })
    const viewports = [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]
    for (const [index, viewport] of viewports.entries()) {
      if (!isTurn(layouts.indexOf(layout), index)) continue
      const page = await open(`${server.origin}/login`, { viewport })
      await arriveAt(page, 'Sign in to Harbor Light')
      await expectAccessible(page, `${layout} ${viewport.width}`)
    }
  })
})
