import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nodeAdapter } from '@gatehouse/adapter-node'
import { createAlerts, identifyRequests } from '@gatehouse/core'
import type { Authorize } from '@gatehouse/core/adapter'
import { createMemoryStorage } from '@gatehouse/store-memory'
import type { Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { describeWithBrowser, useBrowser } from '../../../test-support/browser.ts'
import { isWide } from '../../../test-support/lane.ts'
import { type ConsoleOptions, consoleRoutes } from '../src/index.ts'
import { type ConsoleServer, expectAccessible, fire, startConsole } from './open-console.fixture.ts'
import { signIn, startPeople } from './open-people.fixture.ts'
import {
  goToAlert,
  type OpenedPage,
  openPage,
  untilShownInTime,
  useOnePage,
} from './pages.fixture.ts'

describeWithBrowser('the doors of the console', () => {
  const browser = useBrowser()
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  const begin = async (): Promise<ConsoleServer> => {
    const server = await startConsole()
    ends.push(() => server.stop())
    return server
  }

  describe('of a server with passwords', () => {
    /** The answers of its services: `METHOD path status`, with `!` if they made the browser ask for a password. */
    const startGuarded = async (
      options: ConsoleOptions = {},
    ): Promise<{ url: string; answers: string[] }> => {
      const authorize: Authorize = (subject, action) =>
        subject?.id === 'ops' || (subject?.id === 'vera' && action.endsWith(':read'))
      const alerts = createAlerts({
        storage: createMemoryStorage(),
        config: 'route: { receiver: a }\nreceivers: [{ name: a }]\n',
        authorize,
      })
      await fire(alerts, [{ alertname: 'Disk' }])
      const routes = identifyRequests(
        alerts.routes,
        ({ headers }) => {
          const given = headers.get('authorization') ?? ''
          const [name, password] = Buffer.from(given.slice(6), 'base64').toString().split(':')
          return name !== undefined && password === 'secret'
            ? { id: name, kind: 'user' }
            : undefined
        },
        { challenge: 'Basic' },
      )
      const answers: string[] = []
      const noted = routes.map((route) => ({
        ...route,
        async answer(...given: Parameters<typeof route.answer>) {
          const answer = await route.answer(...given)
          const isAsked = /basic/i.test(String(answer.headers['www-authenticate']))
          const { pathname } = new URL(given[0].url)
          answers.push(`${route.method} ${pathname} ${answer.status}${isAsked ? '!' : ''}`)
          return answer
        },
      }))
      const page = consoleRoutes({ alerts, ...options })
      const server: Server = createServer(nodeAdapter([...noted, ...page]))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      ends.push(async () => {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      })
      return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, answers }
    }
    const asks = (answers: readonly string[]): string[] =>
      answers.filter((one) => one.endsWith('!'))

    it('do not ask by themselves, and stop polling until somebody signs in', async () => {
      const { url, answers } = await startGuarded()
      const { page } = await openPage(browser(), url, { clock: true })
      for (const place of ['alerts', 'silences', 'routing', 'notifications', 'status']) {
        await page.goto(`${url}#/${place}`)
        await page.getByText('Sign in to see this page').waitFor()
      }
      const count = answers.length
      await page.clock.runFor('01:00')
      expect(answers.slice(count)).toEqual([])
      expect(asks(answers)).toEqual([])
      expect(await page.getByText('Sign in', { exact: true }).count()).toBe(1)
      expect(await page.getByText('Every 5 s').count()).toBe(0)
      await expectAccessible(page, '#main')
    })

    it('do not claim to follow anything before somebody signs in', async () => {
      const { url } = await startGuarded()
      const { page } = await openPage(browser(), `${url}#/sign-in`)
      for (const place of ['sign-in', 'nowhere']) {
        await page.goto(`${url}#/${place}`)
        await page.getByText(/with a server password|There is no page at/).waitFor()
        await expect.poll(() => page.locator('[role=status][data-state]').count()).toBe(0)
      }
      await page.goto(`${url}#/sign-in`)
      const words = page.getByText('Sign in with a server password', { exact: true })
      await words.waitFor()
      expect(await words.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
    })

    it('offer a password only where the server has some', async () => {
      const { url } = await startGuarded({ serverPasswords: false })
      const { page } = await openPage(browser(), `${url}#/alerts`)
      await page.getByText('This page has no way to sign in').waitFor()
      await page.goto(`${url}#/sign-in`)
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await page.getByText('This page has no way to sign in').waitFor()
      expect(await page.getByRole('button', { name: /password/ }).count()).toBe(0)
    })

    it('lead back to where somebody wanted to go', async () => {
      const { url, answers } = await startGuarded()
      const { page } = await openPage(browser(), `${url}#/alerts?filter=alertname%3D%22Disk%22`, {
        httpCredentials: { username: 'vera', password: 'secret' },
      })
      const main = page.getByRole('main')
      await main.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('1 alert · 1 group').waitFor()
      await page.getByText('Live', { exact: true }).waitFor()
      expect(await page.getByLabel('Filter by matchers').inputValue()).toBe('alertname="Disk"')
      expect(answers).toContain('GET /gatehouse/v1/me 401!')
    })

    it('say at once why a reader cannot silence', async () => {
      const { url } = await startGuarded()
      const authorization = `Basic ${Buffer.from('vera:secret').toString('base64')}`
      const { page } = await openPage(browser(), url, { extraHTTPHeaders: { authorization } })
      await page.getByText('1 alert · 1 group').waitFor()
      await goToAlert(page)
      await page.keyboard.press('s')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('note').getByText('You need the right silences:write').waitFor()
      expect(await dialog.getByLabel('Created by').getAttribute('readonly')).not.toBeNull()
      await expectAccessible(page, '[role=dialog]')
    })
  })

  it('sign in with an offer of a passkey, and come back', async () => {
    const server = await startPeople({
      authentication: {
        identities: ['login_id', 'passkey'],
        primary_authenticators: ['password', 'passkey'],
      },
    })
    ends.push(server.stop)
    const { page } = await openPage(browser(), `${server.url}#/silences`)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Sign in with your account' }).click()
    await signIn(page)
    await page.getByRole('button', { name: 'Not now' }).click()
    await page.getByRole('button', { name: 'Signed in as' }).waitFor()
    expect(new URL(page.url()).hash).toBe('#/silences')
  })

  it('lead straight to the sign-in page where it is the only way, and back to the place', async () => {
    const server = await startPeople({ serverPasswords: false })
    ends.push(server.stop)
    const place = '#/silences?filter=team%3D%22db%22'
    const { page } = await openPage(browser(), `${server.url}${place}`)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL(/\/login\?return_to=/)
    await signIn(page)
    await page.getByRole('button', { name: 'Signed in as' }).waitFor()
    expect(new URL(page.url()).hash).toBe(place)
  })

  it('never lead to an address that a link has put into the place to come back to', async () => {
    const server = await startPeople()
    ends.push(server.stop)
    const back = encodeURIComponent('https://elsewhere.example/#/')
    const { page } = await openPage(browser(), `${server.url}#/sign-in?back=${back}`)
    const link = page.getByRole('link', { name: 'Sign in with your account' })
    expect(new URL((await link.getAttribute('href')) ?? '').searchParams.get('return_to')).toBe('/')
  })

  it('open a page for the first time once the server is back', async () => {
    const server = await begin()
    const { page } = await openPage(browser(), server.url, { own: true })
    await page.getByText('No alerts').waitFor()
    await server.stop()
    await page.getByRole('link', { name: 'Routing' }).click()
    await page.getByText('The page keeps trying.').waitFor()
    await server.again()
    await page.getByRole('heading', { name: 'Routing' }).waitFor()
    expect(await page.getByText('Something went wrong on this page').count()).toBe(0)
  })

  it('open once more after an upgrade, whose files have other names', async () => {
    const server = await begin()
    const { page } = await openPage(browser(), server.url)
    await page.getByText('No alerts').waitFor()
    let isOld = true
    await page.route(/\/assets\/routing-page/, (route) =>
      isOld ? route.fulfill({ status: 404 }) : route.continue(),
    )
    page.on('framenavigated', () => {
      isOld = false
    })
    await page.getByRole('link', { name: 'Routing' }).click()
    await page.getByRole('heading', { name: 'Routing' }).waitFor()
    // It was not opened by files of an earlier test, which the browser has kept.
    expect(isOld).toBe(false)
  })

  it('offer to load a new version once the server is back with one, and lose nothing before', async () => {
    const server = await begin()
    const { page } = await openPage(browser(), `${server.url}#/alerts?filter=team%3D"db"`, {
      clock: true,
    })
    const live = page.getByText('Live', { exact: true })
    await live.waitFor()
    await server.stop()
    await untilShownInTime(page, page.getByText('No connection'))
    await server.again()
    await untilShownInTime(page, live)
    const offer = page.getByRole('button', { name: 'New version: reload' })
    await server.stop()
    await untilShownInTime(page, page.getByText('No connection'))
    expect(await offer.count()).toBe(0)
    await page.route(server.url, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace(/index-[\w-]+\.js/, 'index-upgraded.js')
      await route.fulfill({ response, body })
    })
    await server.again()
    await untilShownInTime(page, offer)
    expect(await page.getByLabel('Filter by matchers').inputValue()).toBe('team="db"')
    await expectAccessible(page, 'header')
    // The page may ask again just now; such a request is answered by the handler or by the server, never by both.
    await page.unrouteAll({ behavior: 'wait' })
    await offer.click()
    await live.waitFor()
    expect(await offer.count()).toBe(0)
  })

  it('open other pages from files that were loaded before the server went away', async () => {
    const server = await begin()
    const { page } = await openPage(browser(), server.url, { clock: true })
    const coming = new Set<Request>()
    page.on('request', (request) => {
      if (request.url().includes('/assets/')) coming.add(request)
    })
    page.on('requestfinished', (request) => coming.delete(request))
    const comes = (file: RegExp): Promise<unknown> =>
      page.waitForResponse((response) => file.test(response.url())).then((one) => one.finished())
    const both = Promise.all([comes(/routing-page.*js/), comes(/routing-page.*css/)])
    await page.getByText('No alerts').waitFor()
    await page.clock.fastForward('01:00')
    await both
    await expect.poll(() => coming.size).toBe(0)
    await server.stop()
    await page.getByRole('link', { name: 'Routing' }).click()
    await page.getByRole('heading', { name: 'Routing' }).waitFor()
    await page.getByText('The server does not answer').first().waitFor()
  })

  it('share one stream among several windows, and pass it on', async () => {
    const server = await begin()
    const { page } = await openPage(browser(), server.url, { own: true })
    const context = page.context()
    const pages: Page[] = [page]
    const apart = await context.newPage()
    await apart.goto(server.url)
    pages.push(apart)
    // A window that a page opens shares the process of that page, which has the scripts already.
    for (let n = 2; n < (isWide ? 8 : 4); n++) {
      const [next] = await Promise.all([
        context.waitForEvent('page'),
        page.evaluate((url) => void open(url), server.url),
      ])
      pages.push(next)
    }
    for (const one of pages) await one.getByText('Live', { exact: true }).waitFor()
    await fire(server.alerts, [{ alertname: 'First' }])
    for (const one of pages) await one.getByText('1 alert · 1 group').waitFor()
    expect(server.streams()).toBe(1)
    // The window that follows the stream for all is closed.
    await page.close()
    const rest = pages.slice(1)
    await fire(server.alerts, [{ alertname: 'Second' }])
    for (const one of rest) await one.getByText('2 alerts · 2 groups').waitFor()
    for (const one of rest) await one.getByText('Live', { exact: true }).waitFor()
    expect(server.streams()).toBe(1)
    // Another browser has a stream of its own.
    const other = await openPage(browser(), server.url)
    await other.page.getByText('Live', { exact: true }).waitFor()
    expect(server.streams()).toBe(2)
    await context.close()
    await expect.poll(() => server.streams()).toBe(1)
  })

  it('say that a silence was not created while the server is away, and keep the form', async () => {
    const server = await begin()
    const { page } = await openPage(browser(), `${server.url}#/silences/new?filter=team%3D"db"`)
    await page.getByLabel('Created by').fill('ana')
    await page.getByLabel('Comment').fill('known')
    await page.getByText('Covers 0 alerts').waitFor()
    await server.stop()
    await page.getByRole('button', { name: 'Create silence' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'The silence was not created' })
    await alert.waitFor()
    expect(await alert.textContent()).not.toContain('tries again')
    // The next Enter tries again: the button had to wait, but keeps the focus.
    const create = page.getByRole('button', { name: 'Create silence' })
    await expect.poll(() => create.evaluate((one) => one === document.activeElement)).toBe(true)
    const asked = page.waitForEvent('requestfailed', (one) =>
      one.url().endsWith('/silence-preview'),
    )
    await page.getByLabel('Add a matcher').fill('team="web"')
    expect((await asked).postData()).toContain('web')
    await page.getByText('The server does not say which').waitFor()
    expect(await page.getByText('no answer').count()).toBe(0)
    expect(await page.getByLabel('Comment').inputValue()).toBe('known')
  })
})

describeWithBrowser('the doors of the console, one after another in a window', () => {
  let server: ConsoleServer | undefined
  beforeAll(async () => {
    server = await startConsole()
    await fire(server.alerts, [
      { alertname: 'Disk', team: 'db', zone: 'a' },
      { alertname: 'Disk', team: 'web', zone: 'b' },
    ])
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`label_${n}`, `${n}`]))
    await fire(server.alerts, [{ alertname: 'Labels', zz_name: '\u202eevil', ...many }], {
      annotations: { description: 'first\nsecond' },
    })
  })
  afterAll(() => server?.stop())
  const goToUrl = useOnePage(useBrowser())
  const goTo = (place: string): Promise<OpenedPage> => goToUrl(`${server?.url}#/${place}`)

  it.each([
    ['alerts/nonsense/x', 'Alerts'],
    ['silences/a/b', 'Silences'],
    ['status/x', 'Status'],
    ['nonsense/x', 'Alerts'],
  ])('say that there is no page at %s, and lead to one', async (place, nearest) => {
    const { page } = await goTo(place)
    await page.getByText(`There is no page at /${place}`).waitFor()
    await expectAccessible(page, '#main')
    await page.getByRole('link', { name: `Go to ${nearest}` }).click()
    await page.getByRole('heading', { name: nearest }).first().waitFor()
    expect(await page.getByText('There is no page at').count()).toBe(0)
  })

  it('take filters back one by one', async () => {
    const { page } = await goTo('alerts?filter=')
    await page.getByText('3 alerts · 2 groups').waitFor()
    await page.getByTitle('Add team="db" to the filter').click()
    await page.getByText('1 alert · 1 group').waitFor()
    await page.getByTitle('Add zone="a" to the filter').click()
    const filter = page.getByLabel('Filter by matchers')
    await expect.poll(() => filter.inputValue()).toBe('team="db", zone="a"')
    await page.goBack()
    await expect.poll(() => filter.inputValue()).toBe('team="db"')
    await page.goBack()
    await expect.poll(() => filter.inputValue()).toBe('')
    await page.goForward()
    await expect.poll(() => filter.inputValue()).toBe('team="db"')
  })

  it('keep a draft, which begins as the running file', async () => {
    const { page } = await goTo('routing?view=draft')
    const draft = page.getByLabel('A draft of alertmanager.yml')
    await expect.poll(() => draft.inputValue()).toContain('receiver: on-call')
    const changed = `${await draft.inputValue()}# mine\n`
    await draft.fill(changed)
    await page.getByText('Routing tree').click()
    await page.getByText('Try a draft').click()
    expect(await draft.inputValue()).toBe(changed)
    await page.reload()
    await draft.waitFor()
    expect(await draft.inputValue()).toBe(changed)
    await page.getByRole('button', { name: 'Start from the running file' }).click()
    await expect.poll(() => draft.inputValue()).not.toContain('# mine')
  })

  it('show hundreds of labels on demand, line breaks, and marks of direction', async () => {
    const { page } = await goTo('alerts?filter=alertname="Labels"')
    await page.getByText('1 alert · 1 group').waitFor()
    const height = await page
      .getByRole('main')
      .locator('[data-fingerprint]')
      .evaluate((card) => card.getBoundingClientRect().height)
    expect(height).toBeLessThan(400)
    await page.getByRole('button', { name: /^\+1\d\d labels/ }).click()
    await page.getByText('[U+202E]evil').waitFor()
    const lines = page.locator('dd bdi')
    expect(await lines.evaluate((text) => getComputedStyle(text).whiteSpace)).toBe('pre-line')
  })
})
