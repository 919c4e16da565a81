import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createAuthClient } from '@gatehouse/client'
import { createUser } from '@gatehouse/core'
import { fetchRoute } from '@gatehouse/core/adapter'
import { build } from 'esbuild'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installWhenNeeded } from '../../../scripts/install-when-needed.mjs'
import { describeWithBrowser, useBrowser } from '../../../test-support/browser.ts'
import { isWide } from '../../../test-support/lane.ts'
import {
  arriveAt,
  expectAccessible,
  maya,
  press,
  type SignInServer,
  startServer,
  type Visit,
  visit,
} from '../../sign-in/test/sign-in.fixture.ts'

const built = new URL('../dist/index.js', import.meta.url)
const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The app, and its files, for one version of React. */
async function bundleApp(version: '18' | '19'): Promise<ReadonlyMap<string, string>> {
  const folder =
    version === '18' ? installWhenNeeded('react', '18.3.1', ['react-dom@18.3.1']) : undefined
  const alias = folder && { react: folder, 'react-dom': folder.replace(/react\/$/, 'react-dom') }
  const { outputFiles } = await build({
    entryPoints: [pathOf('app.fixture.tsx')],
    bundle: true,
    write: false,
    splitting: true,
    format: 'esm',
    outdir: '/app',
    jsx: 'automatic',
    tsconfigRaw: {},
    alias: { ...alias, '@gatehouse/react': fileURLToPath(built) },
    define: { 'process.env.NODE_ENV': '"development"' },
    logLevel: 'error',
  })
  return new Map(outputFiles.map(({ path, text }) => [path, text]))
}

const html = `<!doctype html><html lang="en"><head><title>The app</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/app/styles.css"><style>:root { --gh-accent: rgb(0, 90, 60) } h1 { color: rgb(9, 9, 9) }</style></head>
<body><main id="app"></main><script type="module" src="/app/app.fixture.js"></script></body></html>`

async function serveApp(files: ReadonlyMap<string, string>): Promise<SignInServer> {
  const styles = readFileSync(new URL('../dist/styles.css', import.meta.url), 'utf8')
  const page = () => new Response(html, { headers: { 'content-type': 'text/html' } })
  const server = await startServer({
    config: { links: { reset_password: 'http://localhost:1/reset?code={code}' } },
    routes: () => [
      ...['/', '/own', '/me', '/join', '/reset'].map((path) =>
        fetchRoute('GET', path, async () => page()),
      ),
      fetchRoute('GET', '/app/:name', async (request) => {
        const { pathname } = new URL(request.url)
        const isStyle = pathname.endsWith('.css')
        return new Response(isStyle ? styles : (files.get(pathname) ?? ''), {
          headers: { 'content-type': isStyle ? 'text/css' : 'text/javascript' },
        })
      }),
    ],
  })
  await createUser(server.auth, { ...maya, email_verified: true })
  return server
}

describeWithBrowser('the components and hooks', () => {
  const browser = useBrowser()

  describe.each(isWide ? (['19', '18'] as const) : (['19'] as const))('in React %s', (version) => {
    let server: SignInServer
    const visits: Visit[] = []
    beforeAll(async () => {
      server = await serveApp(await bundleApp(version))
    })
    afterAll(async () => {
      await server.stop()
      for (const { complaints, close } of visits) {
        expect(complaints).toEqual([])
        await close()
      }
    })
    const open = async (path: string) => {
      const opened = await visit(browser(), server.origin + path)
      visits.push(opened)
      return opened.page
    }

    it('sign in where they stand, and out again, without touching the page around them', async () => {
      const page = await open('/')
      await arriveAt(page, 'Sign in to Harbor Light')
      expect(await page.title()).toBe('The app')
      await expectAccessible(page, '<SignIn/>')
      await page.getByLabel('Email address').fill(maya.email)
      await press(page, 'Continue')
      await arriveAt(page, 'Enter your password')
      await page.reload()
      await arriveAt(page, 'Enter your password')
      await page.getByLabel('Password', { exact: true }).fill('wrong')
      await press(page, 'Continue')
      await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
      await page.getByLabel('Password', { exact: true }).fill(maya.password)
      const accent = await page
        .getByRole('button', { name: 'Continue', exact: true })
        .evaluate((button) => getComputedStyle(button).backgroundColor)
      expect(accent).toBe('rgb(0, 90, 60)')
      await press(page, 'Continue')
      await page.getByText('inside').waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
      expect(await page.locator('#who').innerText()).toBe(maya.email)
      await page.goto(`${server.origin}/me`)
      await arriveAt(page, 'Your account')
      await expectAccessible(page, '<Account/>')
      await press(page, 'Sign out')
      await arriveAt(page, 'Sign in to Harbor Light')
      expect(await page.locator('#who').innerText()).toBe('signed-out')
    })

    it('sign up in another language, and lead on', async () => {
      const page = await open('/join')
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await page.locator('.embedded').getAttribute('lang')).toBe('de')
      expect(await page.locator('html').getAttribute('lang')).toBe('en')
      // To the login and back, in place.
      await page.getByRole('link', { name: 'Anmelden' }).click()
      await arriveAt(page, /Harbor Light/)
      expect(new URL(page.url()).pathname).toBe('/join')
      await page.locator('[name=login]').fill(maya.email)
      await page.locator('[name=login]').press('Enter')
      await page.locator('[name=password]').fill(maya.password)
      await page.locator('[name=password]').press('Enter')
      await page.waitForURL('**/me')
      await arriveAt(page, 'Your account')
    })

    it('go on where the link of a mail leads, and take its code out of the address', async () => {
      const { email } = maya
      const inputs = [{ identification: 'email', login_id: email } as const, { index: 0 }]
      await createAuthClient({ url: server.origin }).recover({ inputs })
      const link = new URL(server.outbox.messages.at(-1)?.link ?? '')
      const page = await open(link.pathname + link.search)
      const step = page.locator('form output')
      await expect.poll(() => step.innerText()).toBe('new_password_data')
      expect(page.url()).toBe(`${server.origin}/reset`)
      await page.reload()
      await expect.poll(() => step.innerText()).toBe('new_password_data')
      await page.getByLabel('New password').fill(maya.password)
      await page.getByLabel('New password').press('Enter')
      await expect.poll(() => step.innerText()).toBe('finished')
    })

    it('run a flow for a form of the app', async () => {
      const page = await open('/own')
      const step = page.locator('form output')
      await expect.poll(() => step.innerText()).toBe('identification_data')
      const answer = async (text: string) => {
        await page.getByLabel('Answer').fill(text)
        await press(page, 'Go on')
      }
      await answer(maya.email)
      await expect.poll(() => step.innerText()).toBe('authentication_data')
      await page.goBack()
      await expect.poll(() => step.innerText()).toBe('identification_data')
      await page.goForward()
      await expect.poll(() => step.innerText()).toBe('authentication_data')
      await answer('wrong')
      await expect.poll(() => page.getByRole('alert').innerText()).not.toBe('')
      await answer(maya.password)
      await page.getByText('finished').waitFor()
      await expect.poll(() => page.locator('#who').innerText()).toBe(maya.email)
      await press(page, 'Leave')
      await expect.poll(() => page.locator('#who').innerText()).toBe('signed-out')
    })
  })
})

describe('on a server', () => {
  type Kit = typeof import('../src/index.ts')
  const load = () => import(built.href) as Promise<Kit>

  it('nothing needs a browser', async () => {
    const { Account, GatehouseProvider, SignedIn, SignedOut, SignIn, useFlow, useSession } =
      await load()
    const Status = () =>
      createElement('output', {}, `${useSession().status} ${useFlow('login').status}`)
    const all = [Status, SignIn, Account].map((one, key) =>
      createElement(one as typeof SignIn, { key }),
    )
    const page = createElement(
      GatehouseProvider,
      {},
      ...all,
      createElement(SignedIn, {}, 'in'),
      createElement(SignedOut, {}, 'out'),
    )
    const empty = '<div class="gatehouse" aria-busy="true"></div>'
    const expected = `<output>loading loading</output>${empty}${empty}`
    expect(renderToString(page)).toBe(expected)
  })

  it('a session that is known is shown at once', async () => {
    const { GatehouseProvider, SignedIn, SignedOut } = await load()
    const page = (session: null) =>
      createElement(
        GatehouseProvider,
        { session },
        createElement(SignedIn, {}, 'in'),
        createElement(SignedOut, {}, 'out'),
      )
    expect(renderToString(page(null))).toBe('out')
  })

  it('a component outside of the provider says what is missing', async () => {
    const { SignedIn } = await load()
    expect(() => renderToString(createElement(SignedIn))).toThrow('<GatehouseProvider>')
  })
})
