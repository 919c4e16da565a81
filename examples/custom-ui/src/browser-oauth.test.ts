import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type OidcProvider,
  startOidcProvider,
} from '../../../packages/core/src/auth/oauth-client/oidc-provider.fixture.ts'
import { describeWithBrowser } from '../../../test-support/browser.ts'
import { freePort } from '../../../test-support/free-port.ts'
import { type BuiltServerOptions, useBuiltServer } from './built-server.fixture.ts'
import { email, password } from './maya.fixture.ts'
import { arriveAt, lookOver, press, useVisits } from './visit.fixture.ts'

/** Who has an account with which provider. */
const accounts = {
  acme: { sub: 'ada-1', email: 'ada@example.com', email_verified: true, name: 'Ada Quill' },
  known: { sub: 'maya-7', email, email_verified: true, name: 'Maya Quill' },
  linked: { sub: 'maya-7', email, email_verified: true, name: 'Maya Quill' },
}

describeWithBrowser('identity providers in a browser', () => {
  const providers: OidcProvider[] = []
  afterAll(() => Promise.all(providers.map((provider) => provider.close())))
  const { visit } = useVisits()
  const server = useBuiltServer(configure)
  beforeAll(() => server.signUp(email))

  /** The server and its providers need each other's addresses, so the server's port is chosen in advance. */
  async function configure(): Promise<BuiltServerOptions> {
    const port = await freePort()
    const redirectUris = [`http://localhost:${port}/callback`]
    const sections: object[] = []
    const environment: Record<string, string> = {
      PORT: `${port}`,
      OAUTH_ALLOW_PRIVATE_ADDRESSES: 'true',
    }
    for (const [alias, account] of Object.entries(accounts)) {
      const provider = await startOidcProvider({ account, interactive: true, redirectUris })
      providers.push(provider)
      const { clientId: client_id, discoveryUrl, clientSecret } = provider
      sections.push({ alias, type: 'oidc', client_id, discovery_document_endpoint: discoveryUrl })
      environment[`OAUTH_CLIENT_SECRET_${alias.toUpperCase().replace('-', '_')}`] = clientSecret
    }
    const byEmail = {
      alias: 'linked',
      oauth_claim: { pointer: '/email' },
      user_profile: { pointer: '/email' },
      action: 'login_and_link',
    }
    return {
      config: {
        identity: { oauth: { providers: sections } },
        account_linking: { oauth: [byEmail] },
      },
      environment,
    }
  }

  /** Goes from our page to the provider's page, and through it. */
  async function goThrough(page: Page, alias: keyof typeof accounts): Promise<void> {
    await press(page, `Continue with ${alias}`)
    await page.waitForURL(/\/interaction\//)
    await press(page, 'Sign in')
  }

  it('one signs up, and signs in', async () => {
    const alias = 'acme'
    const { email } = accounts[alias]
    const page = await visit(server)
    await page.goto('/signup')
    await goThrough(page, alias)
    await arriveAt(page, email)
    expect(page.url()).toBe(`${server.origin}/account`)
    await press(page, 'Sign out')
    await arriveAt(page, 'Welcome')

    await page.goto('/login')
    await press(page, `Continue with ${alias}`)
    await arriveAt(page, email)
  })

  it.each([
    ['/login', 'No account found. Check your entry, or sign up.'],
    ['/signup', 'This account already exists. Sign in to it instead.'],
  ])('reports at %s what is wrong with an identity', async (path, text) => {
    const page = await visit(server)
    await page.goto(path)
    await goThrough(page, 'known')
    await lookOver(page, 'This did not work')
    expect(await page.getByRole('main').innerText()).toContain(text)
  })

  it('links an identity to the account with the same address, once the user has signed in to it', async () => {
    const page = await visit(server)
    await page.goto('/signup')
    await goThrough(page, 'linked')
    await lookOver(page, 'You have an account already')
    await press(page, 'Sign in as ma**@example.com')
    await page.getByLabel('Password').fill('no')
    await press(page, 'Sign in')
    expect(await page.getByRole('alert').innerText()).toContain('The password is wrong.')
    await page.getByLabel('Password').fill(password)
    await press(page, 'Sign in')
    await page.waitForURL('/account')
    await press(page, 'Sign out')
    await arriveAt(page, 'Welcome')

    await page.goto('/login')
    await press(page, 'Continue with linked')
    await page.waitForURL('/account')
  })
})
