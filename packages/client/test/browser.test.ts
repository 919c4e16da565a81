import { createUser, type Route } from '@gatehouse/core'
import { textAnswer } from '@gatehouse/core/adapter'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { addAuthenticator, describeWithBrowser, useBrowser } from '../../../test-support/browser.ts'
import { email, password, useServer } from './server.fixture.ts'

let script = ''

const answer = (path: string, type: string, text: () => string): Route => ({
  method: 'GET',
  path,
  answer: async () => textAnswer(200, text(), { 'content-type': type }),
})

const page = '<!doctype html><title>App</title><script src="/client.js"></script>'

/** Pages with the client as `gatehouse`. */
const pages: readonly Route[] = [
  answer('/client.js', 'text/javascript', () => script),
  answer('/', 'text/html', () => page),
  answer('/callback', 'text/html', () => page),
]

describeWithBrowser('the client in Chromium', () => {
  const server = useServer(
    {
      authentication: {
        identities: ['login_id', 'oauth', 'passkey'],
        primary_authenticators: ['password', 'passkey'],
      },
      identity: { oauth: { providers: [{ alias: 'google', type: 'google', client_id: 'g-1' }] } },
      verification: { claims: { email: { otp_form: 'link' } } },
    },
    pages,
  )
  const browser = useBrowser()
  beforeAll(async () => {
    const entry = new URL('../src/index.ts', import.meta.url).pathname
    const bundle = await build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'gatehouse',
      platform: 'browser',
    })
    script = bundle.outputFiles[0]?.text ?? ''
  })

  async function open(): Promise<Page> {
    const page = await (await browser().newContext({ reducedMotion: 'reduce' })).newPage()
    await addAuthenticator(page)
    await page.goto(`${server.url}/`)
    return page
  }

  /** Runs statements in a page, with `auth` and `flow`, which outlive them. */
  const run = <T>(page: Page, statements: string): Promise<T> =>
    page.evaluate<T>(`(async () => {
      globalThis.auth ??= gatehouse.createAuthClient()
      ${statements}
    })()`)

  it('signs in at the origin of the page, and keeps the session in a cookie', async () => {
    await createUser(server.auth, { email, password })
    const page = await open()
    const prompts = await run<string[]>(
      page,
      `
      const known = await (await auth.login()).submit({ identification: 'email', login_id: '${email}' })
      const offer = await known.submit({ authentication: 'primary_password', password: '${password}' })
      const done = await offer.submit({ skip: true })
      return [known, offer, done].map(({ prompt }) => prompt)`,
    )
    expect(prompts).toEqual(['authentication_data', 'create_passkey_data', 'finished'])
    await page.reload()
    expect(await run(page, 'return (await auth.session()).user.standard_attributes.email')).toBe(
      email,
    )
    await run(page, 'await auth.signOut()')
    expect(await run(page, 'return (await auth.session()) === undefined')).toBe(true)
  })

  it('waits for a link by WebSocket, creates a passkey, and signs in by it', async () => {
    const address = 'lena@harborlight.example'
    const page = await open()
    await run(
      page,
      `
      globalThis.flow = await (await auth.signup()).submit({ identification: 'email', login_id: '${address}' })
      globalThis.waiting = flow.approved({ via: 'websocket' })`,
    )
    const phone = await open()
    await run(phone, `await auth.approveLink('${server.outbox.codeTo(address)}')`)
    const done = await run<string>(
      page,
      `
      let next = await (await waiting).submit({ check: true })
      next = await next.submit({ authentication: 'primary_password', new_password: '${password}' })
      const creation_response = await gatehouse.createPasskey(next.action.data.creation_options)
      next = await next.submit({ creation_response })
      await auth.signOut()
      return next.prompt`,
    )
    expect(done).toBe('finished')
    const signedIn = await run<string>(
      page,
      `
      const begun = await auth.login()
      const { request_options } = begun.action.data.options.find((one) => one.identification === 'passkey')
      const assertion_response = await gatehouse.usePasskey(request_options)
      await begun.submit({ identification: 'passkey', assertion_response })
      return (await auth.session()).user.standard_attributes.email`,
    )
    expect(signedIn).toBe(address)
  })

  it('goes to a provider and comes back; no other tab can continue the flow', async () => {
    const account = { subject: 'a-1', email: 'ada@harborlight.example', email_verified: true }
    const page = await open()
    const left: string[] = []
    await page.route(/^https:..google\./, async (route) => {
      const url = route.request().url()
      left.push(url)
      const query = new URLSearchParams(server.oauth.signIn(url, account))
      query.set('state', new URL(url).searchParams.get('state') ?? '')
      await route.fulfill({ status: 302, headers: { location: `${server.url}/callback?${query}` } })
    })
    await run(
      page,
      `
      const input = { identification: 'oauth', alias: 'google', redirect_uri: location.origin + '/callback' }
      gatehouse.leaveForProvider(await (await auth.begin('signup')).submit(input))`,
    )
    await page.waitForURL('**/callback?*')
    expect(left).toHaveLength(1)
    const other = await open()
    await other.goto(page.url())
    const strange = 'return (await gatehouse.returnFromProvider(auth)) === undefined'
    expect(await run(other, strange)).toBe(true)
    const back = 'return (await gatehouse.returnFromProvider(auth)).prompt'
    expect(await run(page, back)).toBe('finished')
    expect(await run(page, strange)).toBe(true)
  })
})
