import { resolveSession } from '@gatehouse/core'
import { expect, it } from 'vitest'
import { email, password } from './maya.fixture.ts'
import { createWorld, origin } from './world.fixture.ts'

it('the account page needs a session', async () => {
  const { browse } = createWorld()
  expect((await browse().open('/account')).title).toBe('Sign in')
})

it('the home page shows who is signed in', async () => {
  const { browse, signUp } = createWorld()
  expect((await browse().open('/')).title).toBe('Welcome')
  const browser = await signUp()
  expect((await browser.open('/')).html).toContain(`Hello, ${email}.`)
})

it('lists the sessions, and ends the session of another browser', async () => {
  const { browse, signUp } = createWorld()
  const browser = await signUp()
  const other = browse()
  await other.open('/login')
  await other.send({ login_id: email })
  await other.send({ password })
  await browser.open('/account')
  expect(browser.page.html.match(/<strong>Test browser<\/strong>/g)).toHaveLength(2)
  await browser.send({}, 'Sign out there')
  expect(browser.page.html.match(/<strong>Test browser<\/strong>/g)).toHaveLength(1)
  expect((await other.open('/account')).title).toBe('Sign in')
  expect((await browser.open('/account')).title).toBe(email)
})

it('does not end the session of another user', async () => {
  const { app, browse, mails, signUp } = createWorld()
  const browser = await signUp()
  const other = browse()
  await other.open('/signup')
  await other.send({ login_id: 'lena@example.com' })
  await other.send({ code: mails.codeTo('lena@example.com') })
  await other.send({ new_password: password })
  const third = browse()
  await third.open('/login')
  await third.send({ login_id: 'lena@example.com' })
  await third.send({ password })
  await other.open('/account')
  const [, theirs = ''] = /name="session" value="([^"]+)"/.exec(other.page.html) ?? []
  expect(theirs).not.toBe('')
  const headers = { cookie: browser.cookies('/account'), origin }
  const body = new URLSearchParams({ session: theirs })
  const path = `${origin}/account/end-session`
  expect((await app.request(path, { method: 'POST', headers, body })).status).toBe(303)
  expect((await third.open('/account')).title).toBe('lena@example.com')
})

it('signing out ends the session, not only its cookie', async () => {
  const { app, signUp } = createWorld()
  const browser = await signUp()
  const cookie = browser.cookies('/account')
  await browser.send({}, 'Sign out')
  expect(browser.page).toMatchObject({ path: '/', title: 'Welcome' })
  expect(browser.cookies('/account')).not.toContain('session=')
  const answer = await app.request(`${origin}/account`, { headers: { cookie } })
  expect(answer.headers.get('location')).toBe('/login')
})

it('the service gets the IP address and the user agent of the browser', async () => {
  const { auth, signUp } = createWorld()
  const cookie = (await signUp()).cookies('/account')
  const session = await resolveSession(auth, new Request(origin, { headers: { cookie } }))
  expect(session).toMatchObject({
    last_accessed_ip: '192.0.2.7',
    last_accessed_user_agent: 'Test browser',
  })
})

it('a user agent is shown as text, not as HTML', async () => {
  const { app, clock, signUp } = createWorld()
  const cookie = (await signUp()).cookies('/account')
  clock.advance(60_000)
  const headers = { cookie, 'user-agent': '<img src=x onerror=alert(1)>' }
  const page = await app.request(`${origin}/account`, { headers })
  expect(await page.text()).toContain('<strong>&lt;img src=x onerror=alert(1)&gt;</strong>')
})
