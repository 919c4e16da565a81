import { startHeartbeat } from '@gatehouse/core'
import { updateAlertsConfig } from '@gatehouse/core/alerts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { describeWithBrowser, useBrowser } from '../../../test-support/browser.ts'
import { type ConsoleServer, expectAccessible, fire, startConsole } from './open-console.fixture.ts'
import { openPage, untilSeenOnReturn, useOnePage } from './pages.fixture.ts'

describeWithBrowser('the page of the status in Chromium', () => {
  const browser = useBrowser()
  let server: ConsoleServer
  afterEach(() => server.stop())

  it('shows versions, storage, processes, problems and metrics', async () => {
    server = await startConsole('', {
      cluster: { name: 'eu-1 <img src=x onerror=alert(1)>\u202e', address: '10.0.0.1:9093' },
      findProblems: async () => [
        'gatehouse.yml:3:5 <b>webhooks[0]</b>: the program is not in PATH',
      ],
    })
    const heartbeat = startHeartbeat(server.alerts)
    await fire(server.alerts, [{ alertname: 'Disk' }, { alertname: 'Load' }])
    const { page, problems } = await openPage(browser(), `${server.url}#/status`)
    await page.getByText('API of Alertmanager 0.34.0').waitFor()
    await page.getByText('Memory', { exact: true }).first().waitFor()
    await page.getByText('10.0.0.1:9093').waitFor()
    await page.getByText('this one').waitFor()
    await page.getByText('eu-1 <img src=x').first().waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    await page.getByText('<b>webhooks[0]</b>: the program is not in PATH').waitFor()
    const active = page.getByRole('listitem').filter({ hasText: 'Active alerts' })
    await active.getByText('2', { exact: true }).waitFor()
    const requests = page.getByRole('listitem').filter({ hasText: 'HTTP requests' })
    // A rate needs two readings.
    await untilSeenOnReturn(page, /\d\/s/)
    await requests.getByText('/s').first().waitFor()
    await expectAccessible(page, '#main')
    expect(problems).toEqual([])
    await heartbeat.stop()
  })

  it('shows only what one may see, and fits a phone', async () => {
    server = await startConsole('', { authorize: (_, action) => action === 'alerts:read' })
    const { page } = await openPage(browser(), `${server.url}#/status`, {
      viewport: { width: 360, height: 740 },
    })
    await page
      .getByText('You need the right config:read')
      .or(page.getByText('Sign in to do this'))
      .first()
      .waitFor()
    await page.getByText('API of Alertmanager').waitFor()
    expect(await page.getByLabel('Search the configuration').count()).toBe(0)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
  })

  it('is accessible in light and dark colours', async () => {
    server = await startConsole('', { findProblems: async () => ['something is unusual'] })
    const { page } = await openPage(browser(), `${server.url}#/status`)
    await page.getByText('something is unusual').waitFor()
    await page.getByLabel('Search the configuration').fill('receiver')
    await page.getByText(/^1 of \d+$/).waitFor()
    await expectAccessible(page)
  })
})

describeWithBrowser('the status of one server in Chromium', () => {
  let server: ConsoleServer
  beforeAll(async () => {
    server = await startConsole()
  })
  afterAll(() => server?.stop())
  const goTo = useOnePage(useBrowser())

  it('shows why a reload failed, until one succeeds', async () => {
    const { page } = await goTo(`${server.url}#/status`)
    await page.getByText('No problems found').waitFor()
    expect(() => updateAlertsConfig(server.alerts, 'route: {}')).toThrow()
    await untilSeenOnReturn(page, 'the last reload failed')
    updateAlertsConfig(
      server.alerts,
      'route: { receiver: everybody }\nreceivers: [{ name: everybody }]',
    )
    await untilSeenOnReturn(page, 'No problems found')
  })

  it('searches the configuration and copies it', async () => {
    const { page, problems } = await goTo(`${server.url}#/status`)
    const search = page.getByLabel('Search the configuration')
    await search.fill('RECEIVER')
    await page.getByText(/^1 of \d+$/).waitFor()
    await search.press('Enter')
    await page.getByText(/^2 of \d+$/).waitFor()
    await search.press('Shift+Enter')
    await search.press('Shift+Enter')
    await page.getByText(/^(\d+) of \1$/).waitFor()
    await search.fill('no such word')
    await page.getByText('0 of 0').waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      'receiver: everybody',
    )
    expect(problems).toEqual([])
  })

  it('says that the server does not answer, and heals', async () => {
    const { page } = await goTo(`${server.url}#/status`)
    await page.getByText('No problems found').waitFor()
    await server.stop()
    await untilSeenOnReturn(page, 'The server does not answer')
    await server.again()
    await untilSeenOnReturn(page, 'The server does not answer', false)
  })
})
