import { createSession, createUser } from '@gatehouse/core'
import { revokeAllSessions } from '@gatehouse/core/auth'
import { totpCode } from '@gatehouse/core/testing'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeWithBrowser } from '../../../test-support/browser.ts'
import { isWide } from '../../../test-support/lane.ts'
import {
  arriveAt,
  expectAccessible,
  maya,
  press,
  type ServerOptions,
  type SignInServer,
  usePages,
} from './sign-in.fixture.ts'

const noor = 'noor@example.com'
const minute = 60_000
/** Longer than a flow lives. */
const tooLong = 21 * minute

/** Few requests, so that a test can use them up; one more every 10 seconds. */
const fewRequests = (burst: number) => ({
  rate_limits: { per_ip: { enabled: true, period: `${burst * 10}s`, burst } },
})
const config = {
  authentication: {
    secondary_authenticators: ['totp'],
    secondary_authentication_mode: 'required',
  },
  authentication_flow: fewRequests(20),
  ui: { forgot_password: { email: [{ channel: 'email', otp_form: 'code' }] } },
}

/** A person on the way through the pages. */
interface Visitor {
  readonly server: SignInServer
  readonly page: Page
  /** The secret of the app, once it is set up. */
  secret: string
}

/** A step, and its right answer. */
interface Step {
  readonly title: string
  answer(visitor: Visitor): Promise<void>
}

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

async function type(page: Page, label: string, text: string): Promise<void> {
  await field(page, label).fill(text)
  // A code sends itself.
  if (label !== 'Code') await field(page, label).press('Enter')
}

const address = ({ page }: Visitor): Promise<void> => type(page, 'Email address', noor)
const messageCode = ({ page, server }: Visitor): Promise<void> =>
  type(page, 'Code', server.outbox.codeTo(noor))

const signUp: readonly Step[] = [
  { title: 'Create your account', answer: address },
  { title: 'Check your email', answer: messageCode },
  { title: 'Choose a password', answer: ({ page }) => type(page, 'New password', maya.password) },
  {
    title: 'Set up your authenticator app',
    async answer(visitor) {
      const { page, server } = visitor
      visitor.secret = (await page.locator('.secret code').innerText()).replaceAll(' ', '')
      await type(page, 'Code', totpCode(visitor.secret, server.clock))
    },
  },
  {
    title: 'Keep your recovery codes',
    async answer({ page }) {
      await page.getByLabel('I have kept them').check()
      await press(page, 'Continue')
    },
  },
]

/** Those of a kind of their own. Forms of a password and of a code of an app are of the login and of the recovery, too. */
const ofSignUp = signUp.filter(({ title }) => !/password|app/.test(title))

const login: readonly Step[] = [
  { title: 'Sign in to Harbor Light', answer: address },
  { title: 'Enter your password', answer: ({ page }) => type(page, 'Password', maya.password) },
  {
    title: 'Enter the code of your app',
    answer: ({ page, server, secret }) => type(page, 'Code', totpCode(secret, server.clock)),
  },
]

const recovery: readonly Step[] = [
  { title: 'Reset your password', answer: address },
  { title: 'Check your email', answer: messageCode },
  {
    title: 'Choose a new password',
    answer: ({ page }) => type(page, 'New password', 'driftwood-parade-77'),
  },
]

async function walk(visitor: Visitor, steps: readonly Step[]): Promise<void> {
  for (const { title, answer } of steps) {
    await arriveAt(visitor.page, title)
    await answer(visitor)
  }
}

/** Sends requests until the service refuses them, and will for some seconds. */
async function useUpRequests({ server }: Visitor): Promise<void> {
  const body = JSON.stringify({ type: 'login', name: 'default' })
  for (;;) {
    const answer = await fetch(`${server.origin}/api/v1/authentication_flows`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    await answer.body?.cancel()
    if (answer.status === 200) continue
    expect(answer.status).toBe(429)
    const seconds = Number(answer.headers.get('retry-after'))
    if (seconds > 8) return
    // One more is about to be allowed: it is used up as well.
    server.pass(seconds * 1_000)
  }
}

const saysTooMany = ({ page }: Visitor): Promise<void> =>
  page
    .getByRole('alert')
    .getByText(/^Too many requests\. Wait \d+ seconds/)
    .waitFor()

// What a person sees whose flow has expired, or who is refused for a while, and how that person goes on.
describeWithBrowser('a refusal on the way', () => {
  const { serve, open } = usePages()

  async function visit(path: string, options: ServerOptions = { config }): Promise<Visitor> {
    const server = await serve(options)
    return { server, page: await open(`${server.origin}${path}`), secret: '' }
  }

  /** A person with an account and an app, at the sign-in page. */
  async function known(options?: ServerOptions): Promise<Visitor> {
    const visitor = {
      ...(await visit('/login', options)),
      secret: 'K5QW4ZLOM5SWK3TFK5QW4ZLOM5SWK3TF',
    }
    await createUser(visitor.server.auth, {
      email: noor,
      email_verified: true,
      password: maya.password,
      mfa: { totp: { secret: visitor.secret } },
    })
    return visitor
  }

  /**
   * Lets the flow expire before each step of `newKinds`: it begins anew, and the person walks back to the step. The wide lane does so
   * before every step.
   */
  async function expireAtEach(
    visitor: Visitor,
    steps: readonly Step[],
    newKinds: readonly Step[],
  ): Promise<void> {
    const { page, server } = visitor
    for (const [index, step] of steps.entries()) {
      const { title, answer } = step
      await arriveAt(page, title)
      if (!isWide && !newKinds.includes(step)) {
        await answer(visitor)
        continue
      }
      server.pass(tooLong)
      await answer(visitor)
      await page.getByRole('status').getByText('Let us start again.').waitFor()
      await arriveAt(page, steps[0]?.title ?? '')
      // What was typed is still there, and the focus is where one goes on.
      expect(await field(page, 'Email address').inputValue()).toBe(noor)
      expect(await page.getByRole('button', { name: 'Back' }).count()).toBe(0)
      if (index === 0) await expectAccessible(page, `${title}, again`, { part: 'main' })
      await walk(visitor, steps.slice(0, index + 1))
    }
  }

  it('each step of a sign-up begins anew with what was typed once the flow has expired', async () => {
    const visitor = await visit('/signup')
    await expireAtEach(visitor, signUp, ofSignUp)
    await arriveAt(visitor.page, 'Your account')
  })

  it('each step of a login and of a recovery does so, too', async () => {
    const visitor = await known()
    // Address and message code are steps of the sign-up, too.
    await expireAtEach(visitor, login, login.slice(1))
    await arriveAt(visitor.page, 'Your account')
    await visitor.page.goto(`${visitor.server.origin}/recovery`)
    await expireAtEach(visitor, recovery, recovery.slice(2))
    await arriveAt(visitor.page, 'Your password is set')
  })

  it('a page that waits for a link begins anew by itself', async () => {
    const visitor = await visit('/login', {
      config: {
        authentication: { primary_authenticators: ['oob_otp_email'] },
        authenticator: { oob_otp: { email: { email_otp_mode: 'login_link' } } },
      },
    })
    const { page, server } = visitor
    await createUser(server.auth, { ...maya, email_verified: true })
    const connected = page.waitForResponse(/authentication_flows\/ws/)
    await type(page, 'Email address', maya.email)
    await connected
    await page.getByText('this page goes on by itself').waitFor()
    server.pass(tooLong)
    // The stream ends with the server, and the page asks again.
    await server.stop()
    await server.again()
    await page.getByText('Let us start again.').waitFor()
    expect(await field(page, 'Email address').inputValue()).toBe(maya.email)
  })

  it('a reload of an expired step begins anew and says why, and one of the first step does not', async () => {
    const visitor = await visit('/signup')
    const { page, server } = visitor
    await arriveAt(page, 'Create your account')
    server.pass(tooLong)
    await page.reload()
    await arriveAt(page, 'Create your account')
    expect(await page.getByText('Let us start again.').count()).toBe(0)
    await address(visitor)
    await arriveAt(page, 'Check your email')
    server.pass(tooLong)
    await page.reload()
    await page.getByText('Let us start again.').waitFor()
    expect(await field(page, 'Email address').inputValue()).toBe(noor)
  })

  /**
   * Uses up the requests before each step of `newKinds`: the person waits, and answers once more. The wide lane does so before every
   * step.
   */
  async function waitAtEach(
    visitor: Visitor,
    steps: readonly Step[],
    newKinds: readonly Step[],
  ): Promise<void> {
    const { page, server } = visitor
    for (const step of steps) {
      const { title, answer } = step
      await arriveAt(page, title)
      if (isWide || newKinds.includes(step)) {
        await useUpRequests(visitor)
        await answer(visitor)
        await saysTooMany(visitor)
        await expectAccessible(page, `${title}, too many`, { part: 'main' })
        server.pass(2 * minute)
      }
      await answer(visitor)
    }
  }

  it('too many requests are said with the time to wait at each step of a sign-up', async () => {
    const visitor = await visit('/signup')
    await waitAtEach(visitor, signUp, ofSignUp)
    await arriveAt(visitor.page, 'Your account')
  })

  it('too many requests are said with the time to wait at each step of a login and a recovery', async () => {
    const visitor = await known()
    const { page, server } = visitor
    // Address and message code are steps of the sign-up, too.
    await waitAtEach(visitor, login, login.slice(1))
    await arriveAt(page, 'Your account')
    server.pass(5 * minute)
    await page.goto(`${server.origin}/recovery`)
    await waitAtEach(visitor, recovery, recovery.slice(2))
    await arriveAt(page, 'Your password is set')
  })

  it('a page that cannot begin, or be shown again, tries again and keeps its step', async () => {
    const visitor = await visit('/signup')
    const { page, server } = visitor
    await walk(visitor, signUp.slice(0, 1))
    await arriveAt(page, 'Check your email')
    await useUpRequests(visitor)
    await page.reload()
    await arriveAt(page, 'This did not work')
    await page.getByText(/^Too many requests\. Wait \d+ seconds/).waitFor()
    await expectAccessible(page, 'a step that cannot be read')
    server.pass(2 * minute)
    await press(page, 'Try again')
    await arriveAt(page, 'Check your email')
    await messageCode(visitor)
    await arriveAt(page, 'Choose a password')
    await useUpRequests(visitor)
    await page.goto(`${server.origin}/login`)
    await arriveAt(page, 'This did not work')
    server.pass(2 * minute)
    await press(page, 'Try again')
    await arriveAt(page, 'Sign in to Harbor Light')
  })

  it('a wrong address is mended by going back, and the way on is open', async () => {
    const visitor = await visit('/signup')
    const { page } = visitor
    await type(page, 'Email address', 'noor@exmaple.com')
    await arriveAt(page, 'Check your email')
    await expectAccessible(page, 'a step with a way back', { part: 'main' })
    await press(page, 'Back')
    await arriveAt(page, 'Create your account')
    expect(await field(page, 'Email address').inputValue()).toBe('noor@exmaple.com')
    expect(await page.getByRole('button', { name: 'Back' }).count()).toBe(0)
    visitor.server.pass(2 * minute)
    await walk(visitor, signUp)
    await arriveAt(page, 'Your account')
  })

  it('an account locked at its second factor says for how long, and lets its owner in afterwards', async () => {
    const lockout = {
      max_attempts: 3,
      history_duration: '1h',
      minimum_duration: '5m',
      maximum_duration: '5m',
      lockout_type: 'per_user',
    }
    const visitor = await known({
      config: { ...config, authentication: { ...config.authentication, lockout } },
    })
    const { page, server } = visitor
    await walk(visitor, login.slice(0, 2))
    await arriveAt(page, 'Enter the code of your app')
    for (let i = 0; i < 3; i++) {
      await type(page, 'Code', '000000')
      await page
        .getByRole('alert')
        .getByText(/not right|locked/)
        .waitFor()
      await page.waitForFunction(() => !document.querySelector('[aria-busy]'))
    }
    await page.getByRole('alert').getByText('sign-in is locked for 5 minutes').waitFor()
    await expectAccessible(page, 'a locked account', { part: 'main' })
    server.pass(6 * minute)
    await walk(visitor, login.slice(2))
    await arriveAt(page, 'Your account')
  })
})

describeWithBrowser('a refusal on the account page', () => {
  const { serve, open } = usePages()

  async function signedIn(): Promise<Visitor & { readonly userId: string }> {
    const server = await serve({
      // The account page asks for more than a step does.
      config: { authentication_flow: fewRequests(60) },
      pages: { account: { freshForMs: 60 * minute } },
    })
    const userId = await createUser(server.auth, { ...maya, email_verified: true })
    const { cookies } = await createSession(server.auth, userId, { amr: ['pwd'] })
    const page = await open(`${server.origin}/account`, { cookies })
    await page.locator('#sessions').waitFor()
    return { server, page, userId, secret: '' }
  }

  it('is said with the time to wait, and loses nothing that was typed', async () => {
    const visitor = await signedIn()
    const { page, server } = visitor
    await useUpRequests(visitor)
    await page.reload()
    await saysTooMany(visitor)
    await expectAccessible(page, 'an account that cannot be read')
    server.pass(5 * minute)
    await press(page, 'Try again')
    await page.locator('#sessions').waitFor()

    await press(page, 'Edit')
    await page.getByLabel('First name').fill('Maya')
    await useUpRequests(visitor)
    await press(page, 'Save')
    await saysTooMany(visitor)
    expect(await page.getByLabel('First name').inputValue()).toBe('Maya')
    server.pass(5 * minute)
    await press(page, 'Save')
    await page.getByText('Saved.').waitFor()
    expect(await page.locator('#profile dd').allInnerTexts()).toEqual(['Maya'])

    await useUpRequests(visitor)
    await press(page, 'Add an email address')
    await saysTooMany(visitor)
    server.pass(5 * minute)
    await press(page, 'Add an email address')
    await field(page, 'Email address').waitFor()
    await useUpRequests(visitor)
    await type(page, 'Email address', noor)
    await saysTooMany(visitor)
    server.pass(5 * minute)
    await field(page, 'Email address').press('Enter')
    await arriveAt(page, 'Check your email')
  })

  it('of a change that has expired leads to the account, which says so', async () => {
    const visitor = await signedIn()
    const { page, server } = visitor
    await press(page, 'Add an email address')
    await type(page, 'Email address', noor)
    await arriveAt(page, 'Check your email')
    server.pass(tooLong)
    await messageCode(visitor)
    await arriveAt(page, 'Your account')
    await page.getByRole('alert').getByText('This took too long').waitFor()
    await expectAccessible(page, 'an expired change', { part: 'main' })
    await press(page, 'Add an email address')
    await type(page, 'Email address', noor)
    await arriveAt(page, 'Check your email')
    await messageCode(visitor)
    await page.getByText('Saved.').waitFor()
  })

  it('of a change whose session has ended leads to sign-in, and back', async () => {
    const visitor = await signedIn()
    const { page, server, userId } = visitor
    await press(page, 'Add an email address')
    await type(page, 'Email address', noor)
    await arriveAt(page, 'Check your email')
    await revokeAllSessions(server.auth, userId)
    await messageCode(visitor)
    await arriveAt(page, 'Sign in to Harbor Light')
    expect(new URL(page.url()).searchParams.get('return_to')).toBe(`${server.origin}/account`)
  })

  it('is none where people go back or reload in a change', async () => {
    const visitor = await signedIn()
    const { page } = visitor
    await press(page, 'Add an email address')
    await type(page, 'Email address', noor)
    await arriveAt(page, 'Check your email')
    await page.reload()
    await arriveAt(page, 'Check your email')
    await page.goBack()
    await field(page, 'Email address').waitFor()
    await page.goBack()
    await arriveAt(page, 'Your account')
    await page.goForward()
    await page.goForward()
    await arriveAt(page, 'Check your email')
    await messageCode(visitor)
    await page.getByText('Saved.').waitFor()
    await arriveAt(page, 'Your account')
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
