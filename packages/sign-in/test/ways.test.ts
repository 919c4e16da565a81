import { createSession, createUser, listSessions, setPassword } from '@gatehouse/core'
import { createAnonymousUser, formatSetCookie } from '@gatehouse/core/auth'
import { createOAuthClient } from '@gatehouse/core/oauth'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { addAuthenticator, describeWithBrowser } from '../../../test-support/browser.ts'
import { freePort } from '../../../test-support/free-port.mjs'
import { createBadgeIdentification } from '../../core/src/auth/kinds/badge.fixture.ts'
import {
  type OidcProvider,
  startOidcProvider,
} from '../../core/src/auth/oauth-client/oidc-provider.fixture.ts'
import {
  arriveAt,
  expectAccessible,
  maya,
  press,
  type SignInServer,
  usePages,
} from './sign-in.fixture.ts'

describeWithBrowser('the ways to sign in', () => {
  const { serve, open } = usePages()

  const password = (page: Page) => page.getByLabel('Password', { exact: true })

  it('a passkey is offered, created, named in the account, and signs in', async () => {
    const server = await serve({
      config: {
        authentication: {
          identities: ['login_id', 'passkey'],
          primary_authenticators: ['password', 'passkey'],
        },
      },
    })
    await createUser(server.auth, { ...maya, email_verified: true })
    const page = await open('about:blank', { own: true })
    await addAuthenticator(page)
    await page.goto(`${server.origin}/login`)
    await page.getByLabel('Email address').fill(maya.email)
    await press(page, 'Continue')
    // Who has no passkey yet is not asked for one.
    await arriveAt(page, 'Enter your password')
    await password(page).fill(maya.password)
    await press(page, 'Continue')
    await arriveAt(page, 'Sign in faster next time')
    await expectAccessible(page, 'offer of a passkey')
    await press(page, 'Create a passkey')
    await arriveAt(page, 'Your account')
    await page.getByRole('button', { name: 'Remove Passkey' }).waitFor()
    const amr = async (): Promise<string[]> => {
      const { result } = await (await page.request.get(`${server.origin}/api/v1/account`)).json()
      const current = result?.sessions.find(({ is_current: is }: { is_current: boolean }) => is)
      return current?.amr ?? []
    }
    expect(await amr()).toContain('pwd')
    await press(page, 'Sign out')
    // This authenticator answers as soon as the field offers it.
    await expect.poll(async () => (await amr()).join()).toMatch(/^(?!.*pwd).*x_passkey/)
    await arriveAt(page, 'Your account')
    await page.addInitScript(
      'PublicKeyCredential.isConditionalMediationAvailable = async () => false',
    )
    await press(page, 'Sign out')
    await arriveAt(page, 'Sign in to Harbor Light')
    expect(await amr()).toEqual([])
    await press(page, 'Sign in with a passkey')
    await arriveAt(page, 'Your account')
    expect(await amr()).toContain('x_passkey')
  })

  describe('an identity provider', () => {
    const providers: OidcProvider[] = []
    afterEach(() => Promise.all(providers.splice(0).map((provider) => provider.close())))

    async function serveWithProvider(account: object, more: object = {}): Promise<SignInServer> {
      const port = await freePort()
      const provider = await startOidcProvider({
        account: account as NonNullable<
          NonNullable<Parameters<typeof startOidcProvider>[0]>['account']
        >,
        interactive: true,
        redirectUris: [`http://localhost:${port}/sign-in/callback`],
      })
      providers.push(provider)
      return serve({
        port,
        config: {
          identity: {
            oauth: {
              providers: [
                {
                  alias: 'acme',
                  type: 'oidc',
                  client_id: provider.clientId,
                  discovery_document_endpoint: provider.discoveryUrl,
                },
              ],
            },
          },
          ...more,
        },
        auth: {
          oauth: createOAuthClient({
            credentials: { acme: { clientSecret: provider.clientSecret } },
            allowPrivateAddresses: true,
          }),
        },
      })
    }

    it('signs up, and leads back to where the person came from', async () => {
      const server = await serveWithProvider({
        sub: 'ada-1',
        email: 'ada@example.com',
        email_verified: true,
      })
      const page = await open(`${server.origin}/signup?return_to=/account%23sessions`)
      await press(page, 'Continue with acme')
      await page.waitForURL(/\/interaction\//)
      await press(page, 'Sign in')
      await page.waitForURL(`${server.origin}/account#sessions`)
      await page.getByText('ada@example.com').first().waitFor()
    })

    it('is left by the back button, and the page still works', async () => {
      const server = await serveWithProvider({
        sub: 'ada-1',
        email: 'ada@example.com',
        email_verified: true,
      })
      const page = await open(`${server.origin}/login`)
      await press(page, 'Continue with acme')
      await page.waitForURL(/\/interaction\//)
      await page.goBack()
      await arriveAt(page, 'Sign in to Harbor Light')
      await press(page, 'Continue with acme')
      await page.waitForURL(/\/interaction\//)
    })

    it('is linked to an account once its owner has signed in to it', async () => {
      const server = await serveWithProvider(
        { sub: 'maya-7', email: maya.email, email_verified: true },
        {
          account_linking: {
            oauth: [
              {
                alias: 'acme',
                oauth_claim: { pointer: '/email' },
                user_profile: { pointer: '/email' },
                action: 'login_and_link',
              },
            ],
          },
        },
      )
      await createUser(server.auth, { ...maya, email_verified: true })
      const page = await open(`${server.origin}/signup`)
      await press(page, 'Continue with acme')
      await page.waitForURL(/\/interaction\//)
      await press(page, 'Sign in')
      await arriveAt(page, 'You have an account already')
      await expectAccessible(page, 'linking', { part: 'main' })
      await press(page, /Sign in as/)
      await password(page).fill(maya.password)
      await press(page, 'Continue')
      await arriveAt(page, 'Your account')
      await page.getByText('acme').first().waitFor()
    })

    it('of somebody without an account leads back to the choice, and says why', async () => {
      const server = await serveWithProvider({ sub: 'noah-1', email: 'noah@example.com' })
      const page = await open(`${server.origin}/login`)
      await press(page, 'Continue with acme')
      await page.waitForURL(/\/interaction\//)
      await press(page, 'Sign in')
      await arriveAt(page, 'Sign in to Harbor Light')
      await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
      await expectAccessible(page, 'a refused provider', { part: 'main' })
      await page.getByRole('link', { name: 'Sign up' }).click()
      await arriveAt(page, 'Create your account')
    })

    it('that answers in a tab that did not leave changes nothing', async () => {
      const server = await serve()
      const page = await open(`${server.origin}/sign-in/callback?code=x&state=y`)
      await arriveAt(page, 'This page belongs to another tab')
      await page.getByRole('link', { name: 'Sign in' }).click()
      await arriveAt(page, 'Sign in to Harbor Light')
    })
  })

  it('a phone number is typed as in its country, and gets a code', async () => {
    const server = await serve({
      config: {
        identity: { login_id: { keys: [{ type: 'phone' }] } },
        authentication: { primary_authenticators: ['oob_otp_sms'] },
        authenticator: { oob_otp: { sms: { phone_otp_mode: 'whatsapp_sms' } } },
      },
    })
    const page = await open(`${server.origin}/signup`, { locale: 'en-NO' })
    await arriveAt(page, 'Create your account')
    await page.locator('.country').waitFor()
    expect(await page.locator('.country-code').innerText()).toBe('NO +47')
    await page.getByLabel('Phone number').pressSequentially('40612345')
    expect(await page.getByLabel('Phone number').inputValue()).toBe('40 61 23 45')
    await expectAccessible(page, 'phone')
    await page.getByLabel('Country').selectOption('DE')
    await page.getByLabel('Phone number').fill('')
    await page.getByLabel('Phone number').pressSequentially('+47 406 12 345')
    expect(await page.locator('.country-code').innerText()).toBe('NO +47')
    await press(page, 'Continue')
    await arriveAt(page, 'Where shall we send the code?')
    await expectAccessible(page, 'channels', { part: 'main' })
    await press(page, 'On WhatsApp')
    await arriveAt(page, 'Check WhatsApp')
    await page.getByLabel('Code', { exact: true }).fill(server.outbox.codeTo('+4740612345'))
    // The number is known; which way its codes take from now on is asked.
    await arriveAt(page, 'Codes by text message')
    await expectAccessible(page, 'set-up of codes', { part: 'main' })
    await page.getByLabel('On WhatsApp').check()
    await press(page, 'Continue')
    await arriveAt(page, 'Your account')
  })

  it('a choice of first factors is no choice of a second one', async () => {
    const server = await serve({
      config: { authentication: { primary_authenticators: ['password', 'oob_otp_email'] } },
    })
    const page = await open(`${server.origin}/signup`)
    await page.getByLabel('Email address').fill(maya.email)
    await press(page, 'Continue')
    await arriveAt(page, 'Check your email')
    await page.getByLabel('Code', { exact: true }).fill(server.outbox.codeTo(maya.email))
    await arriveAt(page, 'How will you sign in?')
    await expectAccessible(page, 'a choice of first factors', { part: 'main' })
    await page.getByRole('button', { name: 'A password' }).waitFor()
  })

  it('the session that the browser has serves, unless one must authenticate again', async () => {
    const server = await serve()
    const id = await createUser(server.auth, { ...maya, email_verified: true })
    const { cookies } = await createSession(server.auth, id, { amr: ['pwd'] })
    const page = await open(`${server.origin}/login`, { cookies })
    await arriveAt(page, 'Sign in to Harbor Light')
    await expectAccessible(page, 'select account')
    await press(page, /Continue as/)
    await arriveAt(page, 'Your account')
    await page.goto(`${server.origin}/login?prompt=login`)
    await arriveAt(page, 'Sign in to Harbor Light')
    expect(await page.getByRole('button', { name: /Continue as/ }).count()).toBe(0)
    await page.getByLabel('Email address').fill(maya.email)
    await press(page, 'Continue')
    await password(page).fill(maya.password)
    await press(page, 'Continue')
    await arriveAt(page, 'Your account')
  })

  it('a guest keeps the account by signing up', async () => {
    const server = await serve({
      config: { authentication: { identities: ['login_id', 'anonymous'] } },
    })
    const { cookies, user_id } = await createAnonymousUser(server.auth, {
      ip: '127.0.0.1',
      cookie: '',
    })
    const page = await open('about:blank')
    for (const cookie of cookies) {
      const [pair = ''] = formatSetCookie(cookie).split(';')
      const [name = '', value = ''] = pair.split('=')
      await page.context().addCookies([{ name, value, url: server.origin }])
    }
    await page.goto(`${server.origin}/signup`)
    await arriveAt(page, 'Keep your account')
    await page.getByLabel('Email address').fill('noor@example.com')
    await press(page, 'Continue')
    await arriveAt(page, 'Check your email')
    await page.getByLabel('Code', { exact: true }).fill(server.outbox.codeTo('noor@example.com'))
    await page.getByLabel('New password', { exact: true }).fill(maya.password)
    await press(page, 'Set password')
    await arriveAt(page, 'Your account')
    const { result } = await (await page.request.get(`${server.origin}/api/v1/account`)).json()
    expect(result.user.id).toBe(user_id)
  })

  it('a check for people comes first where it is configured, and again after a refusal', async () => {
    const responses: string[] = []
    const server = await serve({
      config: {
        bot_protection: {
          enabled: true,
          provider: { type: 'cloudflare', site_key: 'site-1' },
          requirements: { signup_or_login: { mode: 'always' } },
        },
      },
      auth: {
        botVerifier: {
          verify: async ({ response }: { response: string }) => {
            responses.push(response)
            return response === 'human-1' ? 'failed' : 'passed'
          },
        },
      },
    })
    await createUser(server.auth, { ...maya, email_verified: true })
    const page = await open('about:blank')
    // The script of the provider, as far as pages see it.
    await page.context().route('https://challenges.cloudflare.com/**', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `let round = 0
          globalThis.turnstile = { render(place, { sitekey, callback }) {
            const button = document.createElement('button')
            button.type = 'button'
            button.textContent = 'I am a person, ' + sitekey
            button.onclick = () => callback('human-' + ++round)
            place.append(button)
          } }`,
      }),
    )
    await page.goto(`${server.origin}/login`)
    await page.getByLabel('Email address').fill(maya.email)
    await press(page, 'Continue')
    expect(responses).toEqual([])
    await page.getByText('Wait for the check above to finish.').waitFor()
    await press(page, 'I am a person, site-1')
    await press(page, 'Continue')
    await page.getByRole('alert').getByText('The check that you are a person failed').waitFor()
    await press(page, 'I am a person, site-1')
    await press(page, 'Continue')
    await arriveAt(page, 'Enter your password')
    expect(responses).toEqual(['human-1', 'human-2'])
  })

  it('a password that has expired is changed on the way, and other sessions end if the app wants it', async () => {
    const clients = [
      {
        client_id: 'bank',
        redirect_uris: ['https://bank.example/cb'],
        x_max_concurrent_session: 1,
      },
    ]
    const server = await serve({
      config: {
        oauth: { clients },
        authenticator: {
          password: {
            expiry: { force_change: { enabled: true, duration_since_last_update: '1000h' } },
          },
        },
      },
    })
    const id = await createUser(server.auth, { ...maya, email_verified: true })
    await setPassword(server.auth, id, maya.password, { expireAfter: Date.now() - 1_000 })
    await createSession(server.auth, id, { amr: ['pwd'], client_id: 'bank' })
    const page = await open(`${server.origin}/login?client_id=bank`)
    await page.getByLabel('Email address').fill(maya.email)
    await press(page, 'Continue')
    await password(page).fill(maya.password)
    await press(page, 'Continue')
    await arriveAt(page, 'Choose a new password')
    await page.getByText('Your password has expired').waitFor()
    await page.getByLabel('New password', { exact: true }).fill('driftwood-parade-77')
    await press(page, 'Set password')
    await arriveAt(page, 'Sign out elsewhere?')
    await expectAccessible(page, 'other sessions', { part: 'main' })
    await press(page, 'End the others and continue')
    await arriveAt(page, 'Your account')
    expect(await listSessions(server.auth, id)).toHaveLength(1)
  })

  it('a directory asks for name and password', async () => {
    const asked: object[] = []
    const server = await serve({
      config: {
        identity: {
          ldap: {
            servers: [
              {
                name: 'staff',
                url: 'ldaps://ldap.example.com',
                search_base_dn: 'dc=example,dc=com',
                search_filter_template: '(uid={{ $.Username }})',
                user_id_attribute_name: 'uid',
              },
            ],
          },
        },
        authentication: { identities: ['ldap'] },
      },
      auth: {
        ldap: {
          authenticate: async ({ name }, login) => {
            asked.push({ name, ...login })
            return undefined
          },
        },
      },
    })
    const page = await open(`${server.origin}/login`)
    await press(page, 'Sign in with staff')
    await arriveAt(page, 'Your directory account')
    await expectAccessible(page, 'directory', { part: 'main' })
    await page.getByLabel('Name in the directory').fill('maya')
    await password(page).fill('wrong')
    await press(page, 'Continue')
    await page
      .getByRole('alert')
      .getByText(/not right/)
      .waitFor()
    expect(asked).toMatchObject([{ name: 'staff', username: 'maya', password: 'wrong' }])
    await press(page, 'Back')
    await arriveAt(page, 'Sign in to Harbor Light')
  })

  it('an identification of the app has the fields that it is given', async () => {
    const owners = new Map<string, string>()
    const badge = {
      identification: 'badge',
      steps: [{ type: 'authenticate', one_of: [{ authentication: 'primary_password' }] }],
    }
    const server = await serve({
      config: {
        authentication_flow: {
          login_flows: [{ name: 'door', steps: [{ type: 'identify', one_of: [badge] }] }],
        },
      },
      auth: { identifications: [createBadgeIdentification(owners)] },
      pages: {
        flows: { login: { type: 'login', name: 'door' } },
        kinds: {
          badge: { title: 'Your badge', fields: [{ name: 'badge', label: 'Badge number' }] },
        },
      },
    })
    owners.set('B-17', await createUser(server.auth, { ...maya, email_verified: true }))
    const page = await open(`${server.origin}/login`)
    await page.getByLabel('Badge number').fill('B-17')
    await page.getByLabel('Badge number').press('Enter')
    await arriveAt(page, 'Enter your password')
  })
})
