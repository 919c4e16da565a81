import { describe, expect, it } from 'vitest'
import { email, password } from './maya.fixture.ts'
import { appOn, createWorld, origin } from './world.fixture.ts'

describe('signing up without scripts', () => {
  it('asks for an address, its code and a password, and ends signed in', async () => {
    const { browse, mails } = createWorld()
    const browser = browse()
    expect((await browser.open('/signup')).title).toBe('Create your account')
    expect((await browser.send({ login_id: email })).title).toBe('Enter the code')
    expect(browser.page.html).toContain('We have sent a code by email to ma**@example.com.')
    await browser.send({ code: mails.codeTo(email) })
    expect(browser.page.title).toBe('Choose a password')
    expect(browser.page.html).toContain('At least 8 characters')
    await browser.send({ new_password: password })
    expect(browser.page).toMatchObject({ path: '/account', title: email })
  })

  it('shows a problem beside its field, and keeps the typed text', async () => {
    const { browse } = createWorld()
    const browser = browse()
    await browser.open('/signup')
    await browser.send({ login_id: 'maya@' })
    const { html, problems, title } = browser.page
    expect(problems).toEqual(['Enter an email address, like maya@example.com.'])
    expect(title).toBe('Create your account')
    expect(html).toContain('<title>Problem: Create your account')
    expect(html).toMatch(/<a href="#form0-login_id">/)
    expect(html).toMatch(
      /<input id="form0-login_id"[^>]* value="maya@"[^>]* aria-describedby="form0-login_id-problem" aria-invalid="true"/,
    )
    expect((await browser.open(browser.page.path)).problems).toEqual([])
  })

  it.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' autofocus onfocus='alert(1)",
  ])('a login ID that is %s stays text', async (loginId) => {
    const { browse } = createWorld()
    const browser = browse()
    await browser.open('/signup')
    await browser.send({ login_id: loginId })
    expect(browser.page.problems).toHaveLength(1)
    expect(browser.page.html).not.toContain(loginId)
    expect(browser.page.html).not.toMatch(/<script>|<img|onfocus='/)
  })

  it('reports a wrong code, and a resend that comes too early, without losing the step', async () => {
    const { browse, clock, mails } = createWorld()
    const browser = browse()
    await browser.open('/signup')
    await browser.send({ login_id: email })
    expect(browser.page.buttons).toEqual(['Continue', 'Send another code (in one minute)'])
    await browser.send({ code: '000000' })
    expect(browser.page.problems).toEqual(['The code is wrong, or it has expired.'])
    clock.advance(20_000)
    await browser.send({}, 'Send another code (in one minute)')
    expect(browser.page.problems).toEqual([
      'A message was sent a moment ago. Ask again in 40 seconds.',
    ])
    clock.advance(40_000)
    await browser.send({}, 'Send another code (in 40 seconds)')
    expect(mails.messages).toHaveLength(2)
    await browser.send({ code: mails.codeTo(email) })
    expect(browser.page.title).toBe('Choose a password')
  })

  it('reports all problems of a password at once, and keeps it out of pages and cookies', async () => {
    const { browse, mails } = createWorld({
      authenticator: { password: { policy: { min_length: 10, digit_required: true } } },
    })
    const browser = browse()
    await browser.open('/signup')
    await browser.send({ login_id: email })
    await browser.send({ code: mails.codeTo(email) })
    await browser.send({ new_password: 'lantern' })
    const { html, path, problems } = browser.page
    expect(problems).toEqual([
      'The password is too short: it needs 10 characters.',
      'The password needs a digit.',
    ])
    expect(html).not.toContain('lantern')
    expect(browser.cookies(path)).not.toContain('lantern')
  })

  it('offers signing in for a taken address', async () => {
    const { browse, signUp } = createWorld()
    await signUp()
    const browser = browse()
    await browser.open('/signup')
    await browser.send({ login_id: email })
    expect(browser.page.problems).toEqual(['This account already exists. Sign in to it instead.'])
    expect(browser.page.html).toContain('href="/login"')
  })

  it('sets up TOTP and shows recovery codes when a second factor is required', async () => {
    const { browse, clock, mails } = createWorld({
      authentication: { secondary_authentication_mode: 'required' },
    })
    const browser = browse()
    await browser.open('/signup')
    await browser.send({ login_id: email })
    await browser.send({ code: mails.codeTo(email) })
    await browser.send({ new_password: password })
    await browser.send({}, 'Use an authenticator app')
    expect(browser.page.title).toBe('Set up your authenticator app')
    expect(browser.page.html).toMatch(
      /<a href="otpauth:\/\/totp\/maya@example.com\?[^"]*secret=[A-Z2-7]{32}">/,
    )
    expect(browser.page.html).toMatch(/<code>(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}<\/code>/)
    await browser.send({ code: '000000' })
    expect(browser.page.problems).toEqual([
      'The code is wrong. Each code works once, for half a minute.',
    ])
    await browser.send({ code: appOn(browser.page, clock).code() })
    expect(browser.page.title).toBe('Keep your recovery codes')
    expect(browser.page.html.match(/<li><code>[0-9A-Z]{10}<\/code><\/li>/g)).toHaveLength(16)
    expect(browser.page.headers.get('cache-control')).toBe('no-store')
    await browser.send({}, 'I have kept them')
    expect(browser.page.html).toContain('You are signed in, with a second factor.')
  })

  it('asks for the configured profile fields, and sends numbers as numbers', async () => {
    const { browse, mails } = createWorld(
      {
        user_profile: {
          custom_attributes: {
            attributes: [{ id: '1', pointer: '/x_age', type: 'integer', minimum: 18 }],
          },
        },
        authentication_flow: {
          signup_flows: [
            {
              name: 'default',
              steps: [
                { type: 'identify', name: 'who', one_of: [{ identification: 'email' }] },
                { type: 'verify', target_step: 'who' },
                { type: 'create_authenticator', one_of: [{ authentication: 'primary_password' }] },
                {
                  type: 'fill_in_user_profile',
                  user_profile: [
                    { pointer: '/given_name', required: true },
                    { pointer: '/x_age', required: true },
                    { pointer: '/website', required: false },
                  ],
                },
              ],
            },
          ],
        },
      },
      {
        profileFields: [
          { name: '/given_name', label: 'Given name', autocomplete: 'given-name' },
          { name: '/x_age', label: 'Age', autocomplete: 'off', isNumber: true },
          {
            name: '/website',
            label: 'Website',
            type: 'url',
            autocomplete: 'url',
            isOptional: true,
          },
        ],
      },
    )
    const browser = browse()
    await browser.open('/signup')
    await browser.send({ login_id: email })
    await browser.send({ code: mails.codeTo(email) })
    await browser.send({ new_password: password })
    expect(browser.page.title).toBe('About you')
    await browser.send({ '/given_name': 'Maya', '/x_age': '17' })
    expect(browser.page.problems).toEqual(['The format is wrong. Check your entry.'])
    expect(browser.page.html).toContain('<a href="#form0--x_age">')
    await browser.send({ '/given_name': 'Maya', '/x_age': '' })
    expect(browser.page.problems).toEqual(['Fill in every required field.'])
    await browser.send({ '/given_name': 'Maya', '/x_age': '34' })
    expect(browser.page).toMatchObject({ path: '/account', title: 'Maya' })
  })

  it('accepts a phone number with spaces, and sends its code over the chosen channel', async () => {
    const { browse, mails } = createWorld({
      identity: { login_id: { keys: [{ type: 'phone' }] } },
      authentication: {
        primary_authenticators: ['oob_otp_sms'],
        secondary_authentication_mode: 'disabled',
      },
    })
    const browser = browse()
    await browser.open('/signup')
    await browser.send({ login_id: '+65 9123 4567' })
    expect(browser.page.title).toBe('Where do we send the code?')
    await browser.send({}, 'Send it by text message')
    expect(browser.page.html).toContain('We have sent a code by text message to +659123****.')
    await browser.send({ code: mails.codeTo('+6591234567') })
    await browser.send({}, 'Use codes sent to +659123****')
    expect(browser.page).toMatchObject({ path: '/account', title: '+6591234567' })
  })

  it('is closed when the configuration closes it', async () => {
    const { browse } = createWorld({ authentication: { public_signup_disabled: true } })
    const page = await browse().open('/signup')
    expect(page).toMatchObject({ status: 400, title: 'This cannot be done' })
    expect(page.html).toContain('Signing up is closed.')
  })
})

describe('an address verified by a link', () => {
  const byLink = { verification: { claims: { email: { otp_form: 'link' } } } }

  it('continues once the link was confirmed, in any browser', async () => {
    const { browse, mails } = createWorld(byLink)
    const browser = browse()
    await browser.open('/signup')
    await browser.send({ login_id: email })
    expect(browser.page.title).toBe('Open the link')
    expect(browser.page.html).toMatch(
      /data-sent-on-event-of="https:\/\/accounts.example.com\/api\/v1\/authentication_flows\/ws\?channel=/,
    )
    await browser.send({}, 'I have opened the link')
    expect(browser.page.problems).toEqual(['The link was not opened and confirmed yet.'])

    const other = browse()
    await other.open(mails.messages.at(-1)?.link?.replace(origin, '') ?? '')
    expect(other.page.buttons).toEqual(['Yes, confirm'])
    await other.send({})

    await browser.open(browser.page.path)
    await browser.send({}, 'Continue')
    expect(browser.page.title).toBe('Choose a password')
  })
})
