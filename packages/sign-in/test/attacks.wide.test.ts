import { createUser, deleteUser } from '@gatehouse/core'
import { createOAuthClient } from '@gatehouse/core/oauth'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeWithBrowser } from '../../../test-support/browser.ts'
import { freePort } from '../../../test-support/free-port.mjs'
import { startOidcProvider } from '../../core/src/auth/oauth-client/oidc-provider.fixture.ts'
import {
  arriveAt,
  expectAccessible,
  maya,
  press,
  type SignInServer,
  usePages,
} from './sign-in.fixture.ts'

const byCode = { primary_authenticators: ['oob_otp_email'] }

// What strangers do to an account, and what happens to its owner, each in a browser of their own.
describeWithBrowser('an owner and strangers at the pages', () => {
  const { serve, open, endLater } = usePages()

  async function serveMaya(config: object): Promise<SignInServer> {
    const server = await serve({ config })
    await createUser(server.auth, { ...maya, email_verified: true })
    return server
  }

  async function identify(page: Page, email: string): Promise<void> {
    await page.getByLabel('Email address').fill(email)
    await press(page, 'Continue')
  }

  async function typePassword(page: Page, text: string): Promise<void> {
    await page.getByLabel('Password', { exact: true }).fill(text)
    await press(page, 'Continue')
  }

  const typeCode = (page: Page, code: string): Promise<void> =>
    page.getByLabel('Code', { exact: true }).fill(code)

  const says = (page: Page, text: string | RegExp): Promise<void> =>
    page.getByRole('alert').getByText(text).waitFor()

  async function choosePassword(page: Page, text: string): Promise<void> {
    await page.getByLabel('New password', { exact: true }).fill(text)
    await press(page, 'Set password')
  }

  async function signUp({ origin }: SignInServer, email: string, password: string): Promise<Page> {
    const page = await open(`${origin}/signup`)
    await identify(page, email)
    const choice = page.getByRole('button', { name: 'A password' })
    await choice.or(page.getByLabel('New password', { exact: true })).waitFor()
    if ((await choice.count()) > 0) await choice.click()
    await choosePassword(page, password)
    await arriveAt(page, 'Your account')
    return page
  }

  const amrOf = async (page: Page, { origin }: SignInServer): Promise<readonly string[]> => {
    const { result } = await (await page.request.get(`${origin}/api/v1/account`)).json()
    return result.sessions.find(({ is_current: is }: { is_current: boolean }) => is).amr
  }

  const hasSession = async (page: Page, { origin }: SignInServer): Promise<boolean> =>
    (await page.request.get(`${origin}/api/v1/account`)).ok()

  it('a link that the owner opens lets in the owner alone, whoever asked for it as well', async () => {
    const server = await serveMaya({
      authentication: byCode,
      authenticator: { oob_otp: { email: { email_otp_mode: 'login_link' } } },
    })
    const owner = await open(`${server.origin}/login`)
    await identify(owner, maya.email)
    await owner.getByText('We sent a link to').waitFor()
    const stranger = await open(`${server.origin}/login`)
    await identify(stranger, maya.email)
    await stranger.getByText('We sent no new link to').waitFor()
    await expectAccessible(stranger, 'link that was not sent')
    expect(server.outbox.messages).toHaveLength(1)
    const mail = await open(server.outbox.messages[0]?.link ?? '')
    await mail.getByRole('button', { name: 'Yes, confirm' }).click()
    await arriveAt(owner, 'Your account')
    await press(stranger, 'I have opened the link')
    await stranger.getByText('has not been confirmed yet').waitFor()
    expect(await hasSession(stranger, server)).toBe(false)
  })

  it('one mailbox is one factor: a second one by mail needs another address, and a code of its own', async () => {
    const server = await serve({
      config: {
        authentication: {
          ...byCode,
          secondary_authenticators: ['oob_otp_email', 'totp'],
          secondary_authentication_mode: 'required',
          recovery_code: { disabled: true },
        },
      },
    })
    const page = await open(`${server.origin}/signup`)
    await identify(page, 'new@example.com')
    await typeCode(page, server.outbox.codeTo('new@example.com'))
    await arriveAt(page, 'Make your account safer')
    await press(page, /Codes by email/)
    await identify(page, 'new@example.com')
    await says(page, 'You have this already')
    await expectAccessible(page, 'the same address again')
    await identify(page, 'other@example.com')
    await arriveAt(page, 'Check your email')
    await typeCode(page, server.outbox.codeTo('other@example.com'))
    await arriveAt(page, 'Your account')
    expect(await amrOf(page, server)).toContain('mfa')
  })

  it('a stranger who signed up with an unproven address is out once its owner proves it', async () => {
    const server = await serve({
      config: {
        verification: { claims: { email: { required: false } } },
        authentication: { primary_authenticators: ['password', 'oob_otp_email'] },
      },
    })
    const stranger = await signUp(server, maya.email, 'mine-mine-42')
    const owner = await open(`${server.origin}/login`)
    await identify(owner, maya.email)
    await press(owner, 'Use another way')
    await press(owner, /^By email to/)
    await arriveAt(owner, 'Check your email')
    await typeCode(owner, server.outbox.codeTo(maya.email))
    await arriveAt(owner, 'Your account')
    await owner.getByText('You have no password.').waitFor()
    // The page of the stranger leads to sign-in, where the password is worth nothing.
    await stranger.reload()
    await arriveAt(stranger, 'Sign in to Harbor Light')
    expect(await hasSession(stranger, server)).toBe(false)
  })

  it('wrong passwords of strangers keep out neither a browser of the owner nor one that recovers', async () => {
    const server = await serveMaya({
      authentication: {
        rate_limits: { password: { per_user: { enabled: true, period: '1h', burst: 3 } } },
      },
      links: { reset_password: 'http://localhost:1/recovery?code={code}' },
    })
    const owner = await open(`${server.origin}/login`)
    await identify(owner, maya.email)
    await typePassword(owner, maya.password)
    await arriveAt(owner, 'Your account')
    const stranger = await open(`${server.origin}/login`)
    await identify(stranger, maya.email)
    for (let i = 0; i < 3; i++) {
      await typePassword(stranger, `wrong-${i}`)
      await says(stranger, 'The password is not right')
      await stranger.waitForFunction(() => !document.querySelector('[aria-busy]'))
    }
    await typePassword(stranger, maya.password)
    await says(stranger, /Too many attempts\. Wait \d+ minutes/)
    await expectAccessible(stranger, 'too many attempts')
    await owner.goto(`${server.origin}/login?prompt=login`)
    await identify(owner, maya.email)
    await typePassword(owner, maya.password)
    await arriveAt(owner, 'Your account')

    const other = await open(`${server.origin}/recovery`)
    await identify(other, maya.email)
    await arriveAt(other, 'Check your email')
    const link = new URL(server.outbox.messages.at(-1)?.link ?? '')
    await other.goto(`${server.origin}${link.pathname}${link.search}`)
    await choosePassword(other, 'driftwood-parade-77')
    await arriveAt(other, 'Your password is set')
    await other.getByRole('link', { name: 'Sign in' }).click()
    await identify(other, maya.email)
    await typePassword(other, 'driftwood-parade-77')
    await arriveAt(other, 'Your account')
  })

  it('a code stays good if another one is refused, and the page says why', async () => {
    const server = await serveMaya({
      authentication: byCode,
      messaging: { rate_limits: { email_per_target: { enabled: true, period: '24h', burst: 1 } } },
    })
    const page = await open(`${server.origin}/login`, { own: true })
    await identify(page, maya.email)
    await page.getByText('We sent a code of 6 digits to').waitFor()
    server.pass(61_000)
    await page.clock.setFixedTime(server.clock.now())
    await press(page, 'Send another code')
    await says(page, /Too many attempts\. Wait/)
    await expectAccessible(page, 'a refused resend')
    await typeCode(page, server.outbox.codeTo(maya.email))
    await arriveAt(page, 'Your account')
  })

  it('guesses of a stranger do not use up the code of the owner, nor the ways back in', async () => {
    const few = { enabled: true, period: '24h', burst: 3 }
    const server = await serveMaya({
      authentication: {
        ...byCode,
        rate_limits: { oob_otp: { email: { validate_per_user: few } } },
      },
    })
    const owner = await open(`${server.origin}/login`)
    await identify(owner, maya.email)
    await owner.getByText('We sent a code of 6 digits to').waitFor()
    const stranger = await open(`${server.origin}/login`)
    await identify(stranger, maya.email)
    await stranger.getByText('We sent no new code to').waitFor()
    const right = server.outbox.codeTo(maya.email)
    const wrong = right === '000000' ? '111111' : '000000'
    for (let i = 0; i < 3; i++) {
      await typeCode(stranger, wrong)
      await says(stranger, 'The code is not right')
      await stranger.waitForFunction(() => !document.querySelector('[aria-busy]'))
    }
    // Not even the right code helps who has guessed.
    await typeCode(stranger, right)
    await says(stranger, /Too many attempts\. Wait \d+ hours/)
    await expectAccessible(stranger, 'too many guesses')
    await typeCode(owner, right)
    await arriveAt(owner, 'Your account')
    expect(await hasSession(stranger, server)).toBe(false)
  })

  it('messages that a stranger asks for leave those of a browser that the owner has used', async () => {
    const server = await serveMaya({
      authentication: byCode,
      messaging: { rate_limits: { email_per_target: { enabled: true, period: '24h', burst: 2 } } },
    })
    const ask = async (page: Page): Promise<void> => {
      server.pass(61_000)
      await page.goto(`${server.origin}/login?prompt=login`)
      await identify(page, maya.email)
    }
    const owner = await open(`${server.origin}/login`)
    await ask(owner)
    await owner.getByText('We sent a code of 6 digits to').waitFor()
    await typeCode(owner, server.outbox.codeTo(maya.email))
    await arriveAt(owner, 'Your account')
    const first = await open(`${server.origin}/signup`)
    await ask(first)
    await first.getByText('We sent a code of 6 digits to').waitFor()
    const second = await open(`${server.origin}/signup`)
    await ask(second)
    await says(second, /Too many attempts\. Wait \d+ hours/)
    await ask(owner)
    await owner.getByText('We sent a code of 6 digits to').waitFor()
    await typeCode(owner, server.outbox.codeTo(maya.email))
    await arriveAt(owner, 'Your account')
  })

  it('no address of a page leads people elsewhere, and no provider sends them back there', async () => {
    const elsewhere = [
      'https://evil.test/',
      'https:evil.test',
      'https://app.example.com\\@evil.test',
      '//evil.test',
      '/\\evil.test',
      'a.b:javascript',
      'javascript:alert(1)',
    ]
    const port = await freePort()
    const callback = `http://localhost:${port}/sign-in/callback`
    const provider = await startOidcProvider({
      account: { sub: 'ada-1', email: 'ada@example.com', email_verified: true },
      interactive: true,
      redirectUris: [callback],
    })
    endLater(provider.close)
    const acme = {
      alias: 'acme',
      type: 'oidc',
      client_id: provider.clientId,
      discovery_document_endpoint: provider.discoveryUrl,
    }
    const server = await serve({
      port,
      config: { identity: { oauth: { providers: [acme], allowed_redirect_uris: [callback] } } },
      auth: {
        oauth: createOAuthClient({
          credentials: { acme: { clientSecret: provider.clientSecret } },
          allowPrivateAddresses: true,
        }),
      },
    })
    await createUser(server.auth, { ...maya, email_verified: true })
    for (const address of elsewhere) {
      const page = await open(`${server.origin}/login?return_to=${encodeURIComponent(address)}`)
      await identify(page, maya.email)
      await typePassword(page, maya.password)
      await arriveAt(page, 'Your account')
      expect([address, page.url()]).toEqual([address, `${server.origin}/account`])
    }
    const page = await open(`${server.origin}/signup`)
    for (const redirect_uri of elsewhere) {
      const api = `${server.origin}/api/v1/authentication_flows`
      const begun = await page.request.post(api, { data: { type: 'signup', name: 'default' } })
      const { state_token } = (await begun.json()).result
      const input = { identification: 'oauth', alias: 'acme', redirect_uri }
      const answer = await page.request.post(`${api}/states/input`, {
        data: { state_token, input },
      })
      expect([redirect_uri, answer.status()]).toEqual([redirect_uri, 400])
    }
    // The page itself is on the list.
    await press(page, 'Continue with acme')
    await page.waitForURL(/\/interaction\//)
    await press(page, 'Sign in')
    await arriveAt(page, 'Your account')
  })

  it('a password is the same in each form that Unicode has for it', async () => {
    const server = await serve({
      config: { verification: { claims: { email: { required: false } } } },
    })
    const composed = 'ma\u00f1ana-lantern-42'
    await signUp(server, 'noor@example.com', composed.normalize('NFD'))
    const page = await open(`${server.origin}/login`)
    await identify(page, 'noor@example.com')
    await typePassword(page, composed)
    await arriveAt(page, 'Your account')
  })

  it('an account of a provider signs in also when the provider no longer tells the address', async () => {
    const port = await freePort()
    const account: { sub: string; email?: string; email_verified: boolean } = {
      sub: 'ada-1',
      email: 'ada@example.com',
      email_verified: true,
    }
    const provider = await startOidcProvider({
      account,
      interactive: true,
      redirectUris: [`http://localhost:${port}/sign-in/callback`],
    })
    endLater(provider.close)
    const acme = {
      alias: 'acme',
      type: 'oidc',
      client_id: provider.clientId,
      discovery_document_endpoint: provider.discoveryUrl,
      claims: { email: { required: true } },
    }
    const server = await serve({
      port,
      config: { identity: { oauth: { providers: [acme] } } },
      auth: {
        oauth: createOAuthClient({
          credentials: { acme: { clientSecret: provider.clientSecret } },
          allowPrivateAddresses: true,
        }),
      },
    })
    const enter = async (path: string): Promise<Page> => {
      const page = await open(`${server.origin}${path}`)
      await press(page, 'Continue with acme')
      await page.waitForURL(/\/interaction\//)
      await press(page, 'Sign in')
      return page
    }
    await arriveAt(await enter('/signup'), 'Your account')
    delete account.email
    const page = await enter('/login')
    await arriveAt(page, 'Your account')
    await page.getByText('ada@example.com').first().waitFor()
  })

  it('a page says the same of an address with an account and one without, if the app hides who has one', async () => {
    const server = await serveMaya({ authentication: { enumeration_protection: 'login' } })
    const seen: string[] = []
    for (const email of [maya.email, 'nobody@example.com']) {
      const page = await open(`${server.origin}/login`)
      await identify(page, email)
      await typePassword(page, 'wrong')
      await says(page, /./)
      seen.push((await page.locator('main').innerText()).replaceAll(email, 'LOGIN'))
    }
    expect(seen[1]).toBe(seen[0])
  })

  it('an account that is deleted on the way ends the flow with a sentence', async () => {
    const server = await serve()
    const id = await createUser(server.auth, { ...maya, email_verified: true })
    const page = await open(`${server.origin}/login`)
    await identify(page, maya.email)
    await arriveAt(page, 'Enter your password')
    await deleteUser(server.auth, id)
    await typePassword(page, maya.password)
    await page
      .getByText(/Start again|Let us start again|not right/)
      .first()
      .waitFor()
    expect(await hasSession(page, server)).toBe(false)
  })
})
