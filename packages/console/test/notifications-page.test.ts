import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AlertsOptions, createSilence, startDispatcher } from '@gatehouse/core'
import { startHistory } from '@gatehouse/core/alerts'
import type { Page } from 'playwright-core'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest'
import { describeWithBrowser, useBrowser } from '../../../test-support/browser.ts'
import { type ConsoleServer, expectAccessible, fire, startConsole } from './open-console.fixture.ts'
import { type OpenedPage, openPage, untilSeenOnReturn, useOnePage } from './pages.fixture.ts'

const attack = '<img src=x onerror="document.title=1"><script>document.title=1</script>'

describeWithBrowser('the page of notifications in Chromium', () => {
  const browser = useBrowser()
  let receiver: Server
  /** Bodies that the receiver got, by path. */
  let received: { path: string; body: string }[] = []
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      const { url: path = '' } = request
      let body = ''
      request.on('data', (part) => {
        body += part
      })
      request.on('end', () => {
        received.push({ path, body })
        if (path === '/hang') return
        response.writeHead(path === '/ok' ? 200 : 500, { 'content-type': 'text/html' })
        if (path === '/hostile') return response.end(`${attack}\u202eabc ${'x'.repeat(100_000)}`)
        response.end(path === '/broken' ? 'the pager is out of order' : '')
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => {
    receiver?.close()
    receiver?.closeAllConnections()
  })

  let server: ConsoleServer
  let stop: () => Promise<void>
  let flush: () => Promise<void>
  const start = async (options: Partial<AlertsOptions> = {}): Promise<void> => {
    const { port } = receiver.address() as AddressInfo
    const to = (name: string): string =>
      `{ name: ${name}, webhook_configs: [{ url: "http://127.0.0.1:${port}/${name}", timeout: ${name === 'hang' ? '1s' : '10s'} }] }`
    const config = `
route:
  receiver: ok
  group_by: [alertname, note]
  group_wait: 0s
  routes:
    - { receiver: broken, matchers: [severity="critical"], continue: true }
    - { receiver: hostile, matchers: [severity="hostile"] }
    - { receiver: ok }
receivers: [${['ok', 'broken', 'hostile', 'hang'].map(to).join(', ')}, { name: nothing }]
`
    server = await startConsole('', { config, ...options })
    const dispatcher = startDispatcher(server.alerts)
    const history = startHistory(server.alerts)
    flush = async () => {
      await dispatcher.settled()
      await history.flush()
    }
    stop = async () => {
      await dispatcher.stop()
      await history.stop()
      await server.stop()
    }
  }
  beforeEach(() => {
    received = []
  })

  const open = (place = '', options: Parameters<typeof openPage>[2] = {}) =>
    openPage(browser(), `${server.url}#/notifications${place}`, options)

  /** Waits until receivers got this many notifications, and the history has them. */
  const notified = async (count: number): Promise<void> => {
    await expect.poll(() => received.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count)
    await flush()
  }
  const rows = (page: Page) =>
    page.getByRole('list', { name: 'Notifications, newest first' }).getByRole('listitem')

  describe('on a server of its own', () => {
    beforeEach(() => start())
    afterEach(() => stop())

    it('shows what was sent, what failed with the answer, and what was not sent and why', async () => {
      const silence = await createSilence(server.alerts, {
        matchers: [{ name: 'alertname', value: 'Quiet', isRegex: false }],
        startsAt: new Date(),
        endsAt: new Date(Date.now() + 3_600_000),
        createdBy: 'maya',
        comment: 'known\u202e',
      })
      await fire(server.alerts, [
        { alertname: 'Disk', severity: 'critical' },
        { alertname: 'Quiet' },
      ])
      await notified(2)
      const { page, problems } = await open()
      const list = page.getByRole('list', { name: 'Notifications, newest first' })
      await list.getByText('Sent', { exact: true }).first().waitFor()
      await list.getByText('Silences cover its alerts').waitFor()
      const cause = list.getByRole('link', { name: 'known[U+202E]' })
      expect(await cause.getAttribute('href')).toBe(`#/silences/${silence}`)
      const kept = list.getByRole('listitem').filter({ hasText: 'known[U+202E]' })
      await kept.getByRole('button', { name: /^Details/ }).click()
      const details = page.getByRole('dialog', { name: 'Details' })
      const again = details.getByRole('link', { name: 'known[U+202E]' })
      expect(await again.getAttribute('href')).toBe(`#/silences/${silence}`)
      await page.keyboard.press('Escape')
      // The dispatcher tries again until a minute is over, so the failure comes late: a test of the receiver shows it at once.
      await page.getByText('1 sent').first().waitFor()
      await page.locator('[aria-hidden] [data-kind="good"]:visible').first().waitFor()
      await page.getByText('As a table').click()
      await page.getByRole('region', { name: 'By receiver' }).getByText('ok').first().waitFor()
      expect(problems).toEqual([])
    })

    it('filters by receiver, outcome and labels, in the address too', async () => {
      await fire(server.alerts, [
        { alertname: 'Disk', note: 'say "x", y' },
        { alertname: 'Load', severity: 'hostile' },
      ])
      await notified(2)
      const { page, problems } = await open()
      await rows(page).first().waitFor()
      const all = await rows(page).count()
      await page.getByTitle('Add note="say "x", y" to the filter').click()
      await expect.poll(() => new URL(page.url()).hash).toContain('filter=note%3D')
      await expect.poll(() => rows(page).count()).toBeLessThanOrEqual(all)
      await page.reload()
      await rows(page).first().waitFor()
      expect(await rows(page).getByText('Load').count()).toBe(0)
      await page.getByRole('combobox', { name: 'Outcome' }).click()
      await page.getByRole('option', { name: 'Inhibited' }).click()
      await page.getByText('No notification matches').waitFor()
      expect(new URL(page.url()).hash).toContain('outcome=inhibited')
      await page.goto(`${server.url}#/notifications?receiver=ok&period=1h&outcome=sent`)
      await rows(page).first().waitFor()
      expect(await page.getByRole('combobox', { name: 'Receiver' }).inputValue()).toBe('ok')
      await page.getByLabel('Filter by labels of the group').fill('alertname=~"("')
      await page.getByText('missing closing )').waitFor()
      expect(problems.filter((text) => !text.includes('400'))).toEqual([])
    })

    it('says when nothing was sent, when the server is away, and heals', async () => {
      const { page } = await open()
      await page.getByText('No notifications in this time').waitFor()
      await expectAccessible(page, '#main')
      await server.stop()
      await untilSeenOnReturn(page, 'The server does not answer')
      await server.again()
      await untilSeenOnReturn(page, 'The server does not answer', false)
    })

    it('disables the test for those who may not, and leaves the message out', async () => {
      await stop()
      await start({ authorize: (_, action) => action === 'alerts:read' })
      await fire(server.alerts, [{ alertname: 'Disk' }])
      await notified(1)
      const { page } = await open()
      const button = page.getByRole('button', { name: 'Test a receiver' })
      await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
      await page.getByRole('button', { name: 'Details: ok' }).first().click()
      await page.getByText('The message needs the right config:read').waitFor()
    })

    it('is accessible in light and dark colours', async () => {
      await fire(server.alerts, [{ alertname: 'Disk', severity: 'critical' }])
      await notified(2)
      const { page } = await open('')
      await rows(page).first().waitFor()
      await page.locator('[aria-hidden] [data-kind="good"]:visible').first().waitFor()
      await page.getByText('As a table').click()
      await expectAccessible(page)
    })
  })

  describe('on one server', () => {
    beforeAll(() => start())
    afterAll(() => stop?.())
    const goTo = useOnePage(browser)
    const go = (query: string): Promise<OpenedPage> => goTo(`${server.url}#/notifications${query}`)

    it('shows one with its alerts and its message, rendered again', async () => {
      await fire(server.alerts, [{ alertname: 'Disk' }], {
        annotations: { summary: 'almost full' },
      })
      await notified(1)
      const { page, problems } = await go('?outcome=sent&filter=alertname%3D%22Disk%22')
      await page.getByRole('button', { name: 'Details: ok' }).first().click()
      const details = page.getByRole('dialog', { name: 'Details' })
      await details.getByText('almost full').first().waitFor()
      await details.getByText('Rendered again from these alerts').waitFor()
      await details.getByText('"groupKey": ').waitFor()
      await details.getByText('First notification', { exact: true }).waitFor()
      await expectAccessible(page, '[role=dialog]')
      await page.keyboard.press('Escape')
      await details.waitFor({ state: 'detached' })
      expect(new URL(page.url()).hash).toBe(
        '#/notifications?outcome=sent&filter=alertname%3D%22Disk%22',
      )
      await page.goto(`${server.url}#/notifications?open=nothing`)
      await page.getByText('the history has no notification with the id').waitFor()
      expect(problems.filter((text) => !text.includes('404'))).toEqual([])
    })

    it('sends tests to receivers by keys alone, and shows their answers', async () => {
      const { page, problems } = await go('?receiver=ok')
      await page.getByRole('button', { name: 'Test a receiver' }).focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Test a receiver' })
      await dialog.getByRole('button', { name: 'Send test' }).focus()
      await page.keyboard.press('Enter')
      await dialog.getByRole('status').getByText('webhook/0').waitFor()
      expect(received).toMatchObject([{ path: '/ok', body: expect.stringContaining('TestAlert') }])
      await dialog.getByText('Message', { exact: true }).click()
      await dialog.getByText('As it was sent').waitFor()
      const shown = await dialog.locator('figure pre').innerText()
      expect(JSON.parse(shown)).toEqual(JSON.parse(received[0]?.body ?? ''))
      await expectAccessible(page, '[role=dialog]')
      const answered = async (name: string, text: string): Promise<void> => {
        await page.goto(`${server.url}#/notifications?test=${encodeURIComponent(`=${name}`)}`)
        await expect
          .poll(() => dialog.getByRole('combobox', { name: 'Receiver' }).inputValue())
          .toBe(name)
        await dialog.getByRole('button', { name: 'Send test' }).click()
        await dialog.getByText(text).waitFor()
      }
      await page.keyboard.press('Escape')
      await answered('broken', 'unexpected status code 500: the pager is out of order')
      await expectAccessible(page, '[role=dialog]')
      await page.keyboard.press('Escape')
      await answered('hang', 'context deadline exceeded')
      await page.keyboard.press('Escape')
      await answered('nothing', 'This receiver has no integrations')
      await page.keyboard.press('Escape')
      await answered('hostile', attack)
      expect(await page.title()).toBe('Notifications · Gatehouse')
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
      expect(problems).toEqual([])
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    })

    it('shows hostile labels as text, and fits a phone', async () => {
      await fire(server.alerts, [{ alertname: attack, note: `\u202eabc${'x'.repeat(20_000)}` }])
      await fire(server.alerts, [{ alertname: `long ${'y'.repeat(900)}` }], {
        annotations: { summary: attack, link: 'javascript:alert(1)' },
      })
      await notified(2)
      const { page, problems } = await go('')
      const usual = page.viewportSize()
      onTestFinished(() => page.setViewportSize(usual ?? { width: 1280, height: 900 }))
      await page.setViewportSize({ width: 360, height: 740 })
      await rows(page).getByText('<script>').first().waitFor()
      await page.getByRole('button', { name: 'Details: ok' }).first().click()
      await page.getByRole('dialog').getByText('Message').first().waitFor()
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
      expect(await page.title()).toBe('Notifications · Gatehouse')
      const links = await page
        .locator('main a')
        .evaluateAll((all) => all.map((a) => a.getAttribute('href')))
      expect(links.filter((href) => !href?.startsWith('#/'))).toEqual([])
      expect(problems).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    })
  })
})
