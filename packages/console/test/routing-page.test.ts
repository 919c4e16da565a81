import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { describeWithBrowser, useBrowser } from '../../../test-support/browser.ts'
import { type ConsoleServer, expectAccessible, fire, startConsole } from './open-console.fixture.ts'
import { type OpenedPage, useOnePage } from './pages.fixture.ts'

const attack = '<img src=x onerror="document.title=1">\u202e'

describeWithBrowser('the page of routes in Chromium', () => {
  let server: ConsoleServer
  beforeAll(async () => {
    server = await startConsole()
    await fire(server.alerts, [
      { alertname: 'DiskFull', severity: 'critical' },
      { alertname: 'Slow', severity: 'warning' },
      { alertname: attack, long: 'x'.repeat(100_000) },
    ])
  })
  afterAll(() => server?.stop())
  const goTo = useOnePage(useBrowser())
  /** Goes to a draft that begins as the running file; the browser remembers the draft of another test. */
  const goToDraft = async (): Promise<OpenedPage & { draft: Locator; running: string }> => {
    const opened = await goTo(`${server.url}#/routing?view=draft`)
    const draft = opened.page.getByLabel('A draft of alertmanager.yml')
    await opened.page.getByRole('button', { name: 'Start from the running file' }).click()
    await opened.page.getByText('The draft is the running configuration').waitFor()
    return { ...opened, draft, running: await draft.inputValue() }
  }

  it('shows the way of an alert from its link, and what happens to it', async () => {
    const { page, problems } = await goTo(`${server.url}#/alerts?filter=severity%3D"critical"`)
    await page.getByRole('link', { name: 'Show its route' }).click()
    const taken = page.locator('[data-state="taken"]')
    await taken.getByText('on-call').waitFor()
    expect(await taken.count()).toBe(1)
    await page.getByText('Firing', { exact: true }).waitFor()
    await page.getByText('the receiver has no integration').waitFor()
    await page.getByLabel('Labels of an alert').fill('severity=~"critical"')
    await page.getByText('Labels have one value each').waitFor()
    await page.getByLabel('Labels of an alert').fill('a="b"')
    await page.getByText('Not firing', { exact: true }).waitFor()
    await taken.getByText('everybody').waitFor()
    await page.getByRole('button', { name: 'Routes below everybody' }).click()
    await page.locator('code').getByText('severity="critical"').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Routes below everybody' }).click()
    await page.locator('code').getByText('severity="critical"').waitFor()
    await page.getByRole('combobox', { name: 'Pick an alert' }).fill('Slow')
    await page.getByRole('option', { name: 'Slow' }).click()
    await page.getByText('Firing', { exact: true }).waitFor()
    expect(await page.getByLabel('Labels of an alert').inputValue()).toContain('alertname="Slow"')
    expect(problems).toEqual([])
  })

  it('finds a route, and leads from it to its alerts and to its line', async () => {
    const { page, problems } = await goTo(`${server.url}#/routing`)
    const tree = page.getByRole('region', { name: 'Routing tree' })
    await tree.getByText('→ on-call').waitFor()
    await tree.getByRole('button', { name: 'Close all' }).click()
    await tree.getByText('→ on-call').waitFor({ state: 'detached' })
    await tree.getByLabel('Search routes').fill('CRIT')
    await tree.getByText('→ on-call').waitFor()
    // A search opens all that it finds: nothing is left to open or close.
    expect(await tree.getByRole('button').count()).toBe(0)
    await expectAccessible(page, '#main')
    await tree.getByLabel('Search routes').fill('nothing')
    await tree.getByText('No route matches').waitFor()
    await tree.getByLabel('Search routes').fill('')
    await tree.getByRole('button', { name: 'Close all' }).waitFor()
    expect(await tree.getByText('→ on-call').count()).toBe(0)
    await tree.getByLabel('Search routes').fill('on-call')
    const lines = tree.getByRole('link', { name: /^line / })
    expect(await lines.count()).toBe(2)
    await lines.last().click()
    const line = page.locator('mark[data-current]')
    await line.waitFor()
    expect(await line.textContent()).toContain('receiver: on-call')
    await page.goBack()
    await tree.getByRole('link', { name: '1 alert', exact: true }).last().click()
    await page.getByText('1 alert · 1 group').waitFor()
    expect(await page.getByLabel('Filter by matchers').inputValue()).toBe('severity="critical"')
    expect(problems).toEqual([])
  })

  it('says that a link names no alert', async () => {
    const { page } = await goTo(`${server.url}#/routing?alert=0123456789abcdef`)
    const problem = page.getByRole('alert').getByText('No such alert')
    await problem.waitFor()
    // Soon after the alerts were read, too.
    await page.goto(`${server.url}#/alerts`)
    await page.getByRole('heading', { name: 'Alerts', exact: true }).waitFor()
    await page.goto(`${server.url}#/routing?alert=123456789abcdef0`)
    await problem.waitFor({ timeout: 30_000 })
    await page.getByLabel('Labels of an alert').fill('team="db"')
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })

  it('shows hostile labels as text', async () => {
    const { page, problems } = await goTo(`${server.url}#/routing`)
    await page.getByRole('combobox', { name: 'Pick an alert' }).fill('<img')
    await page.getByRole('option', { name: '<img' }).click()
    await page.getByText('Firing', { exact: true }).waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBe(0)
    expect(await page.title()).toBe('Routing · Gatehouse')
    expect(problems).toEqual([])
  })

  it('says what is wrong with a draft, at its line, and which alerts it would move', async () => {
    const { page, draft } = await goToDraft()
    await draft.fill('route:\n  receiver: nobody\nreceivers: [{ name: everybody }]')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('button', { name: 'Line 2,' }).click()
    expect(
      await draft.evaluate((area: HTMLTextAreaElement) =>
        area.value.slice(area.selectionStart, area.selectionEnd),
      ),
    ).toBe('  receiver: nobody')
    expect(await page.locator('[data-bad]').allTextContents()).toEqual(['2'])
    await expectAccessible(page, '#main')
    await draft.fill(
      'route: { receiver: a }\nreceivers:\n- name: a\n  slack_configs: [{ api_url: <secret> }]',
    )
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('heading', { name: '1 warning' }).waitFor()
    await page
      .getByRole('button', { name: 'Line 4, column 30: <secret> stands in place of a secret' })
      .click()
    expect(await page.locator('[data-bad]').count()).toBe(0)
    await draft.fill(
      'route:\n  receiver: everybody\n  group_by: [alertname]\nreceivers: [{ name: everybody }]',
    )
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('1 of 3 alerts would be routed differently.').waitFor()
    await page.getByText('− on-call').waitFor()
    await expectAccessible(page, '#main')
  })

  it('compares a draft by itself when typing rests, and cancels what was asked before', async () => {
    const { page, problems, draft, running } = await goToDraft()
    const asked: string[] = []
    const failed: string[] = []
    const isPreview = (url: string): boolean => url.endsWith('/config-preview')
    page.on('request', (request) => {
      if (isPreview(request.url())) asked.push(request.postData() ?? '')
    })
    page.on('requestfailed', (request) => {
      if (isPreview(request.url())) failed.push(request.postData() ?? '')
    })
    // The first answer does not come before something else is typed.
    let isHeld = true
    await page.route('**/config-preview', async (route) => {
      if (!isHeld) await route.continue()
    })
    await draft.fill(running.replace('receiver: on-call', 'receiver: nobody'))
    await page.getByText('Comparing with the running configuration').waitFor()
    isHeld = false
    await draft.fill(running.replace('receiver: on-call', 'receiver: somewhere'))
    const comparison = page.getByRole('region', { name: 'Comparison' })
    await comparison.getByRole('heading', { name: '1 problem' }).waitFor()
    await comparison.getByText('somewhere').waitFor()
    expect(asked).toHaveLength(2)
    expect(failed).toEqual(asked.slice(0, 1))
    // The problem stands at its line, too.
    await page.locator('[aria-hidden] p').filter({ hasText: 'somewhere' }).waitFor()
    await draft.fill(running.replace('receiver: on-call', 'receiver: everybody'))
    await comparison.getByText('1 of 3 alerts would be routed differently.').waitFor()
    await comparison.getByText('for alerts that fire now or fired in the last week').waitFor()
    await expectAccessible(page, '#main')
    // The running file again: there is nothing to compare, and nothing is asked.
    await draft.fill(running)
    await page.getByText('The draft is the running configuration').waitFor()
    expect(asked).toHaveLength(3)
    expect(problems).toEqual([])
    await page.unroute('**/config-preview')
  })

  it('leads from a problem of a draft to its route', async () => {
    const { page, problems, draft, running } = await goToDraft()
    await draft.fill(running.replace('receiver: on-call', 'receiver: nobody'))
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('link', { name: 'Show its route in the tree' }).click()
    await page.locator('[data-marked]').getByText('→ on-call').waitFor()
    await expectAccessible(page, '#main')
    await page.goBack()
    expect(await draft.inputValue()).toContain('receiver: nobody')
    const added = running.replace(/^( *- )(?=receiver: on-call)/m, '$1receiver: new\n$1')
    const line = added.split('\n').findIndex((text) => text.endsWith('receiver: new')) + 1
    await draft.fill(added)
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('button', { name: `Show its route, at line ${line}` }).click()
    expect(
      await draft.evaluate((area: HTMLTextAreaElement) =>
        area.value.slice(area.selectionStart, area.selectionEnd),
      ),
    ).toMatch(/^ *- receiver: new$/)
    expect(problems).toEqual([])
  })

  it('is accessible in light and dark colours', async () => {
    const { page } = await goTo(`${server.url}#/routing?labels=severity%3D"critical"`)
    await page.getByText('What happens to this alert').waitFor()
    await expectAccessible(page)
    const usual = page.viewportSize()
    onTestFinished(() => page.setViewportSize(usual ?? { width: 1280, height: 900 }))
    await page.setViewportSize({ width: 360, height: 800 })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
  })
})
