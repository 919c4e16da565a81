import { createUser, resolveSession } from '@gatehouse/core'
import {
  addAuthenticator,
  createApiKey,
  createInvitation,
  createSession,
  getUser,
  importUsers,
  listApiKeys,
} from '@gatehouse/core/auth'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { describeWithBrowser, useBrowser } from '../../../test-support/browser.ts'
import { expectAccessible } from './open-console.fixture.ts'
import { operator, type PeopleServer, signIn, startPeople } from './open-people.fixture.ts'
import { type OpenedPage, openPage, untilSeenOnReturn, useOnePage } from './pages.fixture.ts'

/** Whether an element of a page has the focus. */
const isActive = (element: Element): boolean => element === element.ownerDocument.activeElement

const authorization = `Basic ${Buffer.from('ops:secret').toString('base64')}`
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describeWithBrowser('the page of people in Chromium', () => {
  const browser = useBrowser()
  let running: PeopleServer | undefined
  beforeAll(async () => {
    running = await startPeople()
  })
  afterAll(() => running?.stop())
  const server = (): PeopleServer => {
    if (running === undefined) throw new Error('it is started before the tests')
    return running
  }

  /** Opens a place of a server in a page of its own, with the password of the server. */
  const open = (place: string, { url }: PeopleServer): Promise<OpenedPage> =>
    openPage(browser(), `${url}#/${place}`, { extraHTTPHeaders: { authorization } })

  const goTo = useOnePage(browser, { extraHTTPHeaders: { authorization } })
  /** Goes to a place in the page of somebody who has the password of the server. */
  const go = (place: string): Promise<OpenedPage> => goTo(`${server().url}#/${place}`)
  const goAsNobody = useOnePage(browser)
  /** Goes to a place in a page without a sign-in. */
  const visit = (place: string): Promise<OpenedPage> => goAsNobody(`${server().url}#/${place}`)

  /** A user whom no other test knows, by the first name. */
  const enter = async (name: string): Promise<string> => {
    const { auth } = server()
    const id = await createUser(auth, {
      email: `${name.toLowerCase()}@harborlight.example`,
      email_verified: true,
      password: 'quiet-harbour-17',
      standard_attributes: { name: `${name} Lund` },
    })
    await addAuthenticator(auth, id, {
      type: 'totp',
      secret: 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN',
      display_name: 'Work phone',
    })
    return id
  }

  it('finds a user by name, and shows the account', async () => {
    const id = await enter('Maya')
    await createSession(server().auth, id, { amr: ['pwd'], ip: '192.0.2.7', userAgent: firefox })
    await server().record()
    const { page, problems } = await go('people')
    await page.getByRole('cell', { name: operator.email }).first().waitFor()
    await page.getByLabel('Find people').fill('nobody')
    await page.getByText('No users found').waitFor()
    await page.getByLabel('Find people').fill('Maya Lund')
    await page.getByRole('link', { name: 'Maya Lund' }).click()
    await page.getByRole('heading', { name: 'Maya Lund' }).waitFor()
    for (const text of [
      'maya@harborlight.example',
      'Authenticator app',
      'Work phone',
      'Firefox 140, Linux',
      'Norway, 192.0.2.7',
      'User created',
    ]) {
      await page.getByText(text, { exact: true }).first().waitFor()
    }
    expect(problems).toEqual([])
  })

  it('ends a session, disables and enables a user, and forgets failed attempts', async () => {
    const { auth } = server()
    const id = await enter('Nora')
    await createSession(auth, id, { amr: ['pwd'], userAgent: firefox })
    const { page, problems } = await go(`people/user/${id}`)
    await page.getByRole('button', { name: 'End the session on Firefox 140, Linux' }).click()
    await page.getByRole('dialog').getByText('Ends this session at once').waitFor()
    await expectAccessible(page, '[role=dialog]')
    await page.getByRole('dialog').getByRole('button', { name: 'End' }).click()
    await page.getByText('No active sessions').waitFor()
    await page.getByRole('status').getByText('1 session ended').waitFor()
    await server().record()
    await page.reload()
    // The operator who did it is named.
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Sessions ended' })
      .getByText('by ops')
      .waitFor()

    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByLabel('Reason').fill('left the company')
    await expectAccessible(page, '[role=dialog]')
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Disabled', { exact: true }).waitFor()
    expect(await getUser(auth, id)).toMatchObject({ disable_reason: 'left the company' })
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('Active', { exact: true }).waitFor()

    const other = await visit('sign-in')
    await other.page.getByRole('link', { name: 'Sign in with your account' }).click()
    await signIn(other.page, { email: 'nora@harborlight.example', password: 'wrong' })
    await other.page.getByText('password is not right').waitFor()
    await other.page.getByRole('button', { name: 'Continue', exact: true }).click()
    await other.page.getByText('Too many wrong attempts').waitFor()
    await page.reload()
    await page.getByText('Locked until').waitFor()
    await page.getByRole('button', { name: 'Clear 2 failed attempts' }).click()
    await page.getByText('Locked until').waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  it('deletes a user only once the name is typed', async () => {
    const id = await enter('Dora')
    const { page, problems } = await go(`people/user/${id}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: 'Delete' })
    await dialog.getByLabel('Type the name: Dora Lund').fill('Dora')
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByLabel('Type the name: Dora Lund').fill('Dora Lund')
    await expectAccessible(page, '[role=dialog]')
    await confirm.click()
    await page.getByRole('cell', { name: operator.email }).first().waitFor()
    expect(await page.getByText('Dora Lund').count()).toBe(0)
    await expect(getUser(server().auth, id)).rejects.toThrow('user not found')
    expect(problems).toEqual([])
  })

  it('creates a user, and says what is wrong with one', async () => {
    const { page } = await go('people/new')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Tom Berg')
    await dialog.getByRole('button', { name: 'Create user' }).click()
    await page.getByText('A user needs an email address').waitFor()
    await dialog.getByLabel('Email address').fill('tom@@x')
    await dialog.getByRole('button', { name: 'Create user' }).click()
    await page.getByRole('alert').waitFor()
    await dialog.getByLabel('Email address').fill(operator.email)
    await dialog.getByRole('button', { name: 'Create user' }).click()
    await page.getByText('Another user has this login ID').waitFor()
    await dialog.getByLabel('Email address').fill('tom@harborlight.example')
    await dialog.getByRole('button', { name: 'Create user' }).click()
    await page.getByRole('heading', { name: 'Tom Berg' }).waitFor()
  })

  it('invites a person, who signs up by the link, and revokes an invitation', async () => {
    const { page, problems } = await go('people/invite')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email address').fill('ida@harborlight.example')
    await dialog.getByRole('button', { name: 'Invite a person' }).click()
    await page.getByText('ida@harborlight.example').waitFor()
    await expectAccessible(page, '#main')
    await createInvitation(server().auth, { email: 'jo@harborlight.example', send: false })
    await page.reload()
    const part = page.getByRole('region', { name: 'Open invitations' })
    await part.getByRole('button', { name: 'Send again to ida@' }).click()
    await part.getByRole('alert').getByText('at most once a minute').waitFor()
    await part.getByRole('button', { name: 'Send again to jo@' }).click()
    await page.getByRole('status').getByText('Invitation sent again to jo@').waitFor()
    for (const left of [1, 0]) {
      await part.getByRole('button', { name: 'Revoke the invitation of' }).first().click()
      await dialog.getByText('stops working at once').waitFor()
      await expectAccessible(page, '[role=dialog]')
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await page
        .getByRole('status')
        .getByText(/^Invitation of .* revoked$/)
        .waitFor()
      await expect.poll(() => page.locator('#main').evaluate(isActive)).toBe(true)
      expect(await part.getByRole('listitem').count()).toBe(left)
    }
    expect(problems.filter((one) => !one.includes('429'))).toEqual([])

    const { link } = await createInvitation(server().auth, {
      email: 'ida@harborlight.example',
      send: false,
    })
    const invited = await openPage(browser(), link)
    await invited.page.getByText('You were invited to').waitFor()
    await invited.page.getByLabel('New password', { exact: true }).fill('quiet-harbour-17')
    await invited.page.getByRole('button', { name: 'Set password' }).click()
    await invited.page.getByRole('heading', { name: 'Your account' }).waitFor()
    const { page: later } = await openPage(browser(), link)
    await later.getByText('This invitation was used').waitFor()
  })

  it('makes an API key of a user, shows it once, and revokes it once that is confirmed', async () => {
    const { auth } = server()
    const id = await enter('Kim')
    const { page, problems } = await go(`people/user/${id}`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const part = page.getByRole('region', { name: 'API keys' })
    await part.getByText('No API keys').waitFor()
    await part.getByRole('button', { name: 'Create an API key' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    const create = dialog.getByRole('button', { name: 'Create an API key' })
    await expect.poll(() => dialog.getByLabel('Name of the key').evaluate(isActive)).toBe(true)
    await page.keyboard.type('Laptop')
    expect(await create.isDisabled()).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expectAccessible(page, '[role=dialog]')
    await page.keyboard.press('Enter')
    const copy = dialog.getByRole('button', { name: 'Copy the key' })
    await expect.poll(() => copy.evaluate(isActive)).toBe(true)
    await expectAccessible(page, '[role=dialog]')
    const key = await dialog.locator('code').innerText()
    await page.keyboard.press('Enter')
    await dialog.getByText('Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await part.getByText('Laptop').waitFor()
    expect(await page.content()).not.toContain(key)
    const headers = new Headers({ authorization: `Bearer ${key}` })
    const found = () => resolveSession(auth, { headers }, { apiKeys: true, ip: '192.0.2.7' })
    expect(await found()).toMatchObject({ user_id: id, scopes: ['orders:read'] })
    await page.reload()
    await part.getByText('from 192.0.2.7').waitFor()

    const revoke = part.getByRole('button', { name: 'Revoke the API key Laptop' })
    await revoke.click()
    await dialog.getByText('stop working at once').waitFor()
    await expectAccessible(page, '[role=dialog]')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await found()).toBeDefined()
    await revoke.click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await part.getByText('No API keys').waitFor()
    expect(await found()).toBeUndefined()
    expect(problems).toEqual([])
  })

  it('keeps the focus in the page when a key or a session is gone', async () => {
    const { auth } = server()
    const id = await enter('Fay')
    for (const name of ['Laptop', 'Phone']) {
      await createApiKey(auth, { user_id: id, name, scopes: ['orders:read'] })
    }
    for (let n = 0; n < 2; n += 1) await createSession(auth, id, { amr: ['pwd'] })
    const { page, problems } = await go(`people/user/${id}`)
    const main = page.locator('#main')
    const dialog = page.getByRole('dialog')
    const revoke = page.getByRole('button', { name: /^Revoke the API key/ })
    const end = page.getByRole('button', { name: /^End the session/ })
    for (const buttons of [revoke, end]) {
      await expect.poll(() => buttons.count()).toBe(2)
      await buttons.first().focus()
      await page.keyboard.press('Enter')
      const confirm = dialog.getByRole('button', { name: /^(?:Revoke|End)$/ })
      await expect.poll(() => confirm.evaluate(isActive)).toBe(true)
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => main.evaluate(isActive)).toBe(true)
      expect(await buttons.count()).toBe(1)
    }
    expect(problems).toEqual([])
  })

  it('asks about another key without the failure of the first', async () => {
    const { auth } = server()
    const id = await enter('Ann')
    for (const name of ['Laptop', 'Phone']) {
      await createApiKey(auth, { user_id: id, name, scopes: ['orders:read'] })
    }
    const { page } = await go(`people/user/${id}`)
    const dialog = page.getByRole('dialog')
    await page.route('**/api-keys/*', (route) => route.abort())
    await page.getByRole('button', { name: 'Revoke the API key Laptop' }).click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await dialog.getByRole('alert').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Revoke the API key Phone' }).click()
    await dialog.getByText('“Phone”').waitFor()
    expect(await dialog.getByRole('alert').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.unroute('**/api-keys/*')
  })

  it.each([
    ['a year of five digits', '12345-01-01', 'Eva'],
    ['a past day', '2020-01-01', 'Pia'],
  ])('does not send a key whose last day is %s', async (_, day, name) => {
    const id = await enter(name)
    const { page, problems } = await go(`people/user/${id}`)
    await page.getByRole('button', { name: 'Create an API key' }).click()
    const dialog = page.getByRole('dialog')
    const field = dialog.getByLabel('Last day')
    const create = dialog.getByRole('button', { name: 'Create an API key' })
    await dialog.getByLabel('Name of the key').fill('Laptop')
    await dialog.getByLabel('orders:read').check()
    await field.fill(day)
    await create.click()
    // The browser says what is wrong with the field.
    await expect.poll(() => field.evaluate(isActive)).toBe(true)
    expect(await listApiKeys(server().auth, { user_id: id })).toEqual([])
    await field.fill(new Date().toISOString().slice(0, 10))
    await create.click()
    await dialog.getByText('Copy the key now').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    expect(problems).toEqual([])
  })

  it('finds API keys of services by the name of the service, up to the limit of each', async () => {
    const { auth } = server()
    const { page, problems } = await go('people')
    await page.getByRole('link', { name: 'API keys of services' }).click()
    await page.getByRole('heading', { name: 'API keys of services' }).waitFor()
    const dialog = page.getByRole('dialog')
    const create = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Create an API key' }).click()
      await dialog.getByLabel('Service').fill('billing')
      await dialog.getByLabel('Name of the key').fill(name)
      await dialog.getByLabel('orders:write').check()
      await dialog.getByRole('button', { name: 'Create an API key' }).click()
    }
    for (const name of ['export', 'mirror']) {
      await create(name)
      await dialog.getByRole('button', { name: 'Done' }).click()
      await page.getByText(`billing: ${name}`).waitFor()
    }
    expect(await listApiKeys(auth, { service: 'billing' })).toMatchObject([
      { scopes: ['orders:write'], expires_at: null },
      { scopes: ['orders:write'] },
    ])
    await create('third')
    await dialog.getByRole('alert').getByText('as many keys as allowed').waitFor()
    await page.keyboard.press('Escape')
    expect(problems.filter((one) => !one.includes('403'))).toEqual([])
  })

  it('lets an operator act as a user, for a reason, and shows it to the user', async () => {
    const id = await enter('Lea')
    const { page } = await openPage(browser(), `${server().url}#/sign-in`)
    await page.getByRole('link', { name: 'Sign in with your account' }).click()
    await signIn(page)
    await page.getByRole('button', { name: 'Signed in as' }).waitFor()
    await page.goto(`${server().url}#/people/user/${id}`)
    await page.getByRole('button', { name: 'Act as this user' }).click()
    const dialog = page.getByRole('dialog')
    const begin = dialog.getByRole('button', { name: 'Act as this user' })
    await expect.poll(() => dialog.getByLabel('Reason').evaluate(isActive)).toBe(true)
    expect(await begin.isDisabled()).toBe(true)
    await expectAccessible(page, '[role=dialog]')
    await page.keyboard.type('ticket 4711')
    await page.keyboard.press('Enter')
    // The operator is the user now, who may not see people.
    await page.getByRole('heading', { name: 'Alerts' }).waitFor()
    await page.getByRole('button', { name: `Signed in as ${id}` }).waitFor()
    expect(await page.getByRole('navigation').getByText('People').count()).toBe(0)
    const acting = await go(`people/user/${id}`)
    await acting.page.getByText('acts as the user').waitFor()
    await page.goto(`${server().url}account`)
    await page.getByText('acts as this user. Only the user can change').waitFor()
    await acting.page.getByRole('button', { name: /^End the session/ }).click()
    await acting.page.getByRole('dialog').getByRole('button', { name: 'End' }).click()
    await acting.page.getByText('No active sessions').waitFor()
    await page.reload()
    await page.getByRole('heading', { name: /Sign in/ }).waitFor()
  })

  it('imports users from CSV and JSON, with the result of each', async () => {
    const { page, problems } = await go('people/import')
    const text = page.getByLabel('Users as JSON or CSV')
    await text.fill('email,shoe_size\na@x.example,43')
    await page.getByText('There is no column "shoe_size"').waitFor()
    await text.fill(
      'email,email_verified,name\n' +
        'ida@x.example,yes,"Lund, Ida"\n' +
        'not an address,no,Nobody\n' +
        'ida@x.example,no,Ida again',
    )
    await page.getByRole('button', { name: 'Import 3 users' }).click()
    await page.getByText('1 user imported, 2 failed').waitFor()
    await page.getByRole('row', { name: '2 not an address Failed' }).waitFor()
    await text.fill(JSON.stringify({ users: [{ preferred_username: 'jo_berg' }] }))
    await page.getByRole('button', { name: 'Import 1 user' }).click()
    await page.getByRole('link', { name: 'Imported' }).click()
    await page.getByRole('heading', { name: 'jo_berg' }).waitFor()
    expect(problems).toEqual([])
  })

  it('reads long lists page by page', async () => {
    const records = Array.from({ length: 60 }, (_, n) => ({ email: `user${n}@x.example` }))
    const other = await startPeople()
    onTestFinished(() => other.stop())
    await importUsers(other.auth, records)
    const { page } = await open('people', other)
    await page
      .getByRole('row', { name: /user\d+@/ })
      .first()
      .waitFor()
    expect(await page.getByRole('row').count()).toBeLessThan(62)
    // The next page is read as one scrolls.
    await page.mouse.wheel(0, 100_000)
    await page.getByText('Show more').waitFor({ state: 'detached' })
    // All of them, the operator, and the head.
    await expect.poll(() => page.getByRole('row').count()).toBe(62)
  })

  it('shows hostile names as text', async () => {
    const name = '<img src=x onerror=alert(1)>\u202e'
    const id = await createUser(server().auth, {
      email: 'eve@x.example',
      standard_attributes: { name, website: 'javascript:alert(1)' },
    })
    const { page, problems } = await go('people')
    await untilSeenOnReturn(page, '<img src=x')
    await page.goto(`${server().url}#/people/user/${id}`)
    await page.getByRole('heading', { name: '<img src=x' }).waitFor()
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('says to others that they may not, and does not name the page', async () => {
    const { page } = await visit('people')
    await page.getByText('Sign in to do this').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor()
    expect(await page.getByRole('navigation').getByText('People').count()).toBe(0)
  })

  it('disables what somebody may not do, and says why', async () => {
    const { page } = await visit('silences')
    const button = page.getByRole('button', { name: 'New silence' })
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
    await button.focus()
    await page.getByRole('tooltip').getByText('Sign in to do this').waitFor()
    await button.click({ force: true })
    await expectAccessible(page, '#main, [role=tooltip]')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('signs silences with the name of the subject', async () => {
    const { page } = await go('silences/new')
    const author = page.getByLabel('Created by')
    await expect.poll(() => author.inputValue()).toBe('ops')
    expect(await author.getAttribute('readonly')).not.toBeNull()
  })

  it('signs in by the sign-in service, and out', async () => {
    const { page, problems } = await visit('alerts')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Sign in with your account' }).click()
    await signIn(page)
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('cell', { name: operator.email }).first().waitFor()
    await page.getByRole('button', { name: 'Signed in as' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    expect(await page.getByRole('navigation').getByText('People').count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('signs in by a password that the browser asks for', async () => {
    const { page } = await openPage(browser(), `${server().url}#/sign-in`, {
      httpCredentials: { username: 'ops', password: 'secret' },
    })
    await page.getByRole('button', { name: 'Sign in with a server password' }).click()
    await page.getByRole('button', { name: 'Signed in as ops' }).waitFor()
  })

  it('says that a server lets nobody manage users', async () => {
    const other = await startPeople({ managesUsers: false })
    onTestFinished(() => other.stop())
    const { page } = await open('people', other)
    await page.getByText('User management is off on this server').waitFor()
  })

  it('is accessible in light and dark colours', async () => {
    const id = await enter('Zoe')
    await createSession(server().auth, id, { amr: ['pwd'], userAgent: firefox })
    await createApiKey(server().auth, {
      user_id: id,
      name: 'Laptop',
      scopes: ['orders:read'],
      expires_at: Date.now() + 86_400_000,
    })
    const places: [place: string, sign: string, part?: string][] = [
      [`people/user/${id}`, 'Work phone'],
      ['people', operator.email, '#main'],
      ['people/services', 'API keys of services', '#main'],
      ['people/user/x', 'There is no such user', '#main'],
      ['people/import', 'Users as JSON or CSV', '[role=dialog]'],
      ['people/new', 'Leave it empty if the user signs in with a code.', '[role=dialog]'],
    ]
    const { page: phone } = await go('people')
    const usual = phone.viewportSize()
    onTestFinished(() => phone.setViewportSize(usual ?? { width: 1280, height: 900 }))
    await phone.setViewportSize({ width: 360, height: 740 })
    for (const [place, sign, part] of places) {
      await phone.goto(`${server().url}#/${place}`)
      await phone.getByText(sign).first().waitFor()
      await phone.locator('h1').waitFor()
      await phone.getByText('Loading…').first().waitFor({ state: 'detached' })
      await expectAccessible(phone, part)
      const width = await phone.evaluate<number>('document.documentElement.scrollWidth')
      expect([place, width]).toEqual([place, 360])
    }
    const { page } = await visit('sign-in')
    await page.getByRole('link', { name: 'Sign in with your account' }).waitFor()
    await expectAccessible(page, '#main')
  })
})
