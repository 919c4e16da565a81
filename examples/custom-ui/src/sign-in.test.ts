import { disableUser, resolveSession, setPassword } from '@gatehouse/core'
import { describe, expect, it } from 'vitest'
import type { FormBrowser } from './form-browser.fixture.ts'
import { email, password } from './maya.fixture.ts'
import { appOn, createWorld, origin, type World } from './world.fixture.ts'

/** Goes as far as the page after the address. */
async function identify(browser: FormBrowser): Promise<FormBrowser> {
  await browser.open('/login')
  await browser.send({ login_id: email })
  return browser
}

describe('signing in with a password', () => {
  it('ends at the account', async () => {
    const { browse, signUp } = createWorld()
    await signUp()
    const browser = await identify(browse())
    expect(browser.page.title).toBe('Enter your password')
    await browser.send({ password })
    expect(browser.page).toMatchObject({ path: '/account', title: email })
  })

  it('reports a wrong password, does not show it again, and does not send it again on reload', async () => {
    const { browse, signUp } = createWorld()
    await signUp()
    const browser = await identify(browse())
    await browser.send({ password: 'tidal-lantern-43' })
    const { html, path, problems } = browser.page
    expect(problems).toEqual(['The password is wrong.'])
    expect(html).not.toContain('tidal-lantern-43')
    expect(browser.cookies(path)).not.toContain('tidal-lantern-43')
    expect((await browser.open(path)).problems).toEqual([])
    await browser.send({ password })
    expect(browser.page.path).toBe('/account')
  })

  it('offers signing up to an unknown address', async () => {
    const { browse } = createWorld()
    const { page } = await identify(browse())
    expect(page.problems).toEqual(['No account found. Check your entry, or sign up.'])
    expect(page.html).toContain('<a href="/signup">')
  })

  it('reports too many wrong passwords with the time to wait', async () => {
    const { browse, signUp } = createWorld()
    await signUp()
    const browser = await identify(browse())
    for (let tries = 0; tries <= 10; tries++) await browser.send({ password: 'no' })
    expect(browser.page.problems).toEqual(['There were too many attempts. Try again in 6 seconds.'])
  })

  it('reports a lockout with the time to wait', async () => {
    const { browse, signUp } = createWorld({
      authentication: {
        lockout: {
          max_attempts: 1,
          history_duration: '1h',
          minimum_duration: '5m',
          maximum_duration: '5m',
          lockout_type: 'per_user',
        },
      },
    })
    await signUp()
    const browser = await identify(browse())
    await browser.send({ password: 'no' })
    expect(browser.page.problems).toEqual([
      'There were too many wrong attempts, and the account is locked. Try again in 5 minutes.',
    ])
  })

  it('refuses a disabled account after the password, not before', async () => {
    const { app, auth, browse, signUp } = createWorld()
    const cookie = (await signUp()).cookies('/account')
    const session = await resolveSession(auth, new Request(origin, { headers: { cookie } }))
    await disableUser(auth, session?.user_id ?? '', { reason: 'asked for it' })
    const browser = await identify(browse())
    expect(browser.page.problems).toEqual([])
    await browser.send({ password })
    expect(browser.page.problems).toEqual(['This account is disabled. Contact our support.'])
    expect((await app.request(`${origin}/account`, { headers: { cookie } })).status).toBe(303)
  })

  it('has an expired password changed on the way', async () => {
    const { auth, browse, clock, signUp } = createWorld()
    const cookie = (await signUp()).cookies('/account')
    const session = await resolveSession(auth, new Request(origin, { headers: { cookie } }))
    await setPassword(auth, session?.user_id ?? '', password, { expireAfter: clock.now() })
    clock.advance(1)
    const browser = await identify(browse())
    await browser.send({ password })
    expect(browser.page.title).toBe('Choose a new password')
    await browser.send({ new_password: password })
    expect(browser.page.problems).toEqual(['You have used this password before. Choose a new one.'])
    await browser.send({ new_password: 'copper-meadow-7' })
    expect(browser.page.path).toBe('/account')
  })
})

it('ends other sessions of a client that allows one at a time', async () => {
  const { browse, signUp } = createWorld({
    oauth: {
      clients: [
        { client_id: 'one', redirect_uris: ['https://one.example/'], x_max_concurrent_session: 1 },
      ],
    },
  })
  await signUp()
  const [first, second] = [browse(), browse()]
  for (const browser of [first, second]) {
    await browser.open('/login?client_id=one')
    await browser.send({ login_id: email })
    await browser.send({ password })
  }
  expect(first.page.path).toBe('/account')
  expect(second.page.title).toBe('You are signed in elsewhere')
  await second.send({}, 'Sign out elsewhere')
  expect(second.page.path).toBe('/account')
  expect((await first.open('/account')).title).toBe('Sign in')
})

describe('signing in with a second factor', () => {
  interface Enrolled extends World {
    readonly app2fa: { code(): string }
    readonly recoveryCode: string
  }

  async function enrolled(): Promise<Enrolled> {
    const world = createWorld({ authentication: { secondary_authentication_mode: 'required' } })
    const browser = await world.signUp()
    await browser.send({}, 'Use an authenticator app')
    const app2fa = appOn(browser.page, world.clock)
    await browser.send({ code: app2fa.code() })
    const [, recoveryCode = ''] = /<li><code>(\w+)<\/code>/.exec(browser.page.html) ?? []
    await browser.send({}, 'I have kept them')
    world.clock.advance(30_000)
    return { ...world, app2fa, recoveryCode }
  }

  it('takes a TOTP code, and trusts the browser on request', async () => {
    const { app2fa, browse } = await enrolled()
    const browser = await identify(browse())
    await browser.send({ password })
    expect(browser.page.title).toBe('One more thing to show')
    await browser.send({ code: '000000' })
    expect(browser.page.problems).toEqual([
      'The code is wrong. Each code works once, for half a minute.',
    ])
    await browser.send({ code: app2fa.code(), request_device_token: 'true' })
    expect(browser.page.html).toContain('You are signed in, with a second factor.')
    await browser.send({}, 'Sign out')

    await identify(browser)
    await browser.send({ password })
    expect(browser.page.path).toBe('/account')
  })

  it('takes a recovery code in its place, once', async () => {
    const { browse, recoveryCode } = await enrolled()
    for (const isFirst of [true, false]) {
      const browser = await identify(browse())
      await browser.send({ password })
      expect(browser.page.html).toContain('<h2>By a recovery code</h2>')
      await browser.send({ recovery_code: recoveryCode })
      expect(browser.page.problems).toEqual(
        isFirst ? [] : ['The recovery code is wrong, or it was used before.'],
      )
      if (!isFirst) expect(browser.page.html).toContain('<a href="#form1-recovery_code">')
    }
  })
})

describe('signing in with a code', () => {
  it('sends the code to the chosen address', async () => {
    const { browse, mails, signUp } = createWorld({
      authentication: { primary_authenticators: ['password', 'oob_otp_email'] },
    })
    const first = await signUp()
    expect(first.page.path).toBe('/account')
    const browser = await identify(browse())
    expect(browser.page.buttons).toEqual(['Sign in', 'Send a code to ma**@example.com'])
    await browser.send({}, 'Send a code to ma**@example.com')
    await browser.send({ code: '000000' })
    expect(browser.page.problems).toEqual(['The code is wrong, or it has expired.'])
    await browser.send({ code: mails.codeTo(email) })
    expect(browser.page.path).toBe('/account')
  })

  it('reports a mail that cannot be sent', async () => {
    const { browse, clock, mails, signUp } = createWorld({
      authentication: { primary_authenticators: ['password', 'oob_otp_email'] },
    })
    await signUp()
    clock.advance(60_000)
    const browser = await identify(browse())
    mails.failNext(new Error('away'))
    await browser.send({}, 'Send a code to ma**@example.com')
    expect(browser.page.problems).toEqual(['The message could not be sent. Try again in a while.'])
  })
})

describe('signing in again', () => {
  it('takes one button in a signed-in browser', async () => {
    const { signUp } = createWorld()
    const browser = await signUp()
    await browser.open('/login')
    await browser.send({}, `Continue as ${email}`)
    expect(browser.page).toMatchObject({ path: '/account', title: email })
  })

  it('is refused on a page left open after signing out', async () => {
    const { app, signUp } = createWorld()
    const browser = await signUp()
    await browser.open('/login')
    const { path } = browser.page
    await browser.open('/account')
    await browser.send({}, 'Sign out')
    const body = new URLSearchParams({ identification: 'select_account', index: '0' })
    const headers = { origin, cookie: browser.cookies(path) }
    const answer = await app.request(`${origin}${path}`, { method: 'POST', headers, body })
    expect(answer.headers.get('location')).toBe(path)
    expect(answer.headers.getSetCookie()[0]).toMatch(/^notice=.*SelectAccountSessionChanged/)
  })
})

describe('pages of steps', () => {
  it('work with "back", and beside each other', async () => {
    const { browse, signUp } = createWorld()
    await signUp()
    const browser = await identify(browse())
    const first = browser.page.path
    await identify(browser)
    const second = browser.page.path
    expect(second).not.toBe(first)
    await browser.open(first)
    await browser.send({ password: 'no' })
    expect(browser.page).toMatchObject({ path: first, problems: ['The password is wrong.'] })
    await browser.open(second)
    await browser.send({ password })
    expect(browser.page.path).toBe('/account')
  })

  it('expire with the flow, and do not open in another browser', async () => {
    const { browse, signUp } = createWorld()
    await signUp()
    const browser = await identify(browse())
    const { path } = browser.page
    const gone = { status: 404, title: 'This page has expired' }
    expect(await browse().open(path)).toMatchObject(gone)
    await browser.send({ password })
    expect(await browser.open(path)).toMatchObject(gone)
    expect(browser.page.html).toContain('<a href="/login">')
  })

  it('report that they have expired when they are sent too late', async () => {
    const { browse, clock, signUp } = createWorld()
    await signUp()
    const browser = await identify(browse())
    clock.advance(20 * 60_000)
    await browser.send({ password })
    expect(browser.page).toMatchObject({ status: 404, title: 'This page has expired' })
  })

  it('have no token in their HTML or address', async () => {
    const { browse, signUp } = createWorld()
    await signUp()
    const browser = await identify(browse())
    const { html, path } = browser.page
    expect(`${path} ${html}`).not.toContain('authflowstate_')
    expect(browser.cookies(path)).toContain('authflowstate_')
    for (const other of ['/', '/login', '/account', '/step/x']) {
      expect(browser.cookies(other)).not.toContain('authflowstate_')
    }
  })

  it('keep the query of the first page', async () => {
    const { browse } = createWorld()
    const browser = browse()
    await browser.open('/login?ui_locales=de&x_ref=a%20b')
    await browser.send({ login_id: 'no' })
    expect(browser.page.html).toContain('<a href="/signup?ui_locales=de&amp;x_ref=a%20b">')
  })
})
