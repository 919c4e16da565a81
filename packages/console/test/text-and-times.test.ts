import { createSilence, listAlerts } from '@gatehouse/core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { describeWithBrowser, useBrowser, useServer } from '../../../test-support/browser.ts'
import { isWide } from '../../../test-support/lane.ts'
import { type ConsoleServer, expectAccessible, fire, startConsole } from './open-console.fixture.ts'
import { type OpenedPage, openPage, useOnePage } from './pages.fixture.ts'

const zoned = { locale: 'en', timezoneId: 'Asia/Kolkata', hasTouch: true }
const startsAt = '2026-01-02T03:04:05.000Z'

describeWithBrowser('texts and times in Chromium', () => {
  const browser = useBrowser()
  const server = useServer(() => startConsole())

  it('undo filters by Back, and keep those that were used or saved', async () => {
    const labels = { alertname: 'Slow', team: 'db', zone: 'a', severity: 'warning' }
    await fire(server().alerts, [labels, { ...labels, zone: 'b' }])
    const { page, problems } = await openPage(browser(), server().url)
    const filter = page.getByLabel('Filter by matchers')
    const steps = ['team="db"', 'team="db", zone!="a"', 'severity="warning"', 'zone=~"a|b"', '']
    await page.getByTitle('Add team="db" to the filter').first().click()
    await page.getByTitle('Add zone="a" to the filter').click({ modifiers: ['Alt'] })
    await page.getByText('1 alert · 1 group').waitFor()
    await filter.fill('')
    await page.getByText('2 alerts · 1 group').waitFor()
    await page.getByTitle('Add severity="warning" to the filter').first().click()
    await expect.poll(() => filter.inputValue()).toBe(steps[2])
    await filter.fill('zone=~"a|b"')
    await filter.press('Enter')
    await page.getByRole('button', { name: 'Saved and recent filters' }).click()
    await page.getByRole('menuitem', { name: 'Save this filter' }).click()
    for (const step of [steps[2], '', steps[1], steps[0], '']) {
      await page.goBack()
      await expect.poll(() => filter.inputValue()).toBe(step)
    }
    await page.goForward()
    await expect.poll(() => filter.inputValue()).toBe(steps[0])
    // What stays for a while was meant.
    await page.waitForFunction(() => localStorage.getItem('gatehouse-filters')?.includes('team'))
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await page.getByRole('button', { name: 'Saved and recent filters' }).click()
    await page.getByRole('menuitem', { name: 'team="db"' }).waitFor()
    await expectAccessible(page, '[role=menu]')
    await page.getByRole('menuitem', { name: 'zone=~"a|b"' }).click()
    await expect.poll(() => filter.inputValue()).toBe('zone=~"a|b"')
    expect(problems).toEqual([])
  })

  it('copy an alert as a link, its matchers and a command', async () => {
    await fire(server().alerts, [{ alertname: 'Slow', note: "it's" }])
    const { page, problems } = await openPage(browser(), server().url)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = async (name: string): Promise<string> => {
      await page.getByRole('button', { name, exact: true }).click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      const text = await page.evaluate(() => navigator.clipboard.readText())
      await page.keyboard.press('Shift+Tab')
      return text
    }
    await page.getByRole('button', { name: 'Copy Slow' }).click()
    expect(await copied('Text')).toContain('alertname: Slow')
    expect(await copied('Matchers')).toBe('alertname="Slow", note="it\'s"')
    expect(await copied('amtool silence add')).toContain(
      `--alertmanager.url=${server().url.slice(0, -1)} --duration=2h`,
    )
    const link = await copied('Link')
    await expectAccessible(page)
    await fire(server().alerts, [{ alertname: 'Other' }])
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByText('1 alert · 1 group').waitFor()
    expect(problems).toEqual([])
  })

  it('show what strangers write as it is: no markup, no hidden character, no address but of the web', async () => {
    const { alerts, url } = server()
    const trick = '<img src=x onerror="document.title=1">\u202eevil\u200b\u0007'
    const annotations = {
      summary: `**bold** ${trick}\nsecond line`,
      description:
        '```\nTraceback:\n  at f (a.ts:1)\n```\n[a](javascript:alert(1)) [b](https://b.example/)',
      dashboard: 'javascript:document.title=1',
      long: 'x'.repeat(50_000),
    }
    await fire(alerts, [{ alertname: trick, [trick]: trick, severity: 'critical' }], {
      annotations,
    })
    const silence = { matchers: [{ name: trick, value: trick, isRegex: false, isEqual: true }] }
    const hour = { startsAt: Date.now(), endsAt: Date.now() + 3_600_000 }
    const made = await createSilence(alerts, {
      ...silence,
      ...hour,
      createdBy: trick,
      comment: `\`\`\`${trick}`,
    })
    const [alert] = await listAlerts(alerts)
    const hidden = '[\\u202a-\\u202e\\u2066-\\u2069\\u200b\\u0000-\\u0008]'
    const { page, problems } = await openPage(browser(), url)
    const shown = page.getByText('[U+202E]evil[U+200B][U+0007]').filter({ visible: true })
    for (const [place, sign] of [
      ['alerts?view=cards', 'section[data-severity]'],
      ['alerts?view=lines&fold=none', 'li[data-fingerprint]'],
      [
        'alerts?view=table&columns=~severity',
        '[aria-rowindex] [data-fingerprint], [data-fingerprint][aria-rowindex]',
      ],
      [`silences/${made}`, '[role=dialog]'],
      [`routing?alert=${alert?.fingerprint}`, '[data-state=taken]'],
    ] as const) {
      if (isWide) await page.goto('about:blank')
      await page.goto(`${url}#/${place}`)
      await page.locator(sign).first().waitFor()
      await shown.first().waitFor()
      expect(
        await page.evaluate(`new RegExp(${JSON.stringify(hidden)}).test(document.body.innerText)`),
      ).toBe(false)
      expect(await page.locator('main img').count()).toBe(0)
      expect(await page.locator('main a[href^="javascript"]').count()).toBe(0)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow, place).toBeLessThanOrEqual(0)
    }
    await page.goto(`${url}#/alerts?view=cards`)
    const card = page.locator('[data-fingerprint]')
    await card.locator('pre').getByText('Traceback:\n  at f (a.ts:1)').waitFor()
    expect(await card.locator('strong').textContent()).toBe('bold')
    expect(await card.getByRole('link', { name: 'b', exact: true }).getAttribute('href')).toBe(
      'https://b.example/',
    )
    await expectAccessible(page, '#main')
    expect(await page.title()).toBe('Alerts · Gatehouse')
    expect(problems).toEqual([])
  })
})

describeWithBrowser('times in Chromium, elsewhere and with a touch', () => {
  let server: ConsoleServer
  beforeAll(async () => {
    server = await startConsole()
  })
  afterAll(() => server?.stop())
  const goToUrl = useOnePage(useBrowser(), zoned)
  const goTo = (place: string): Promise<OpenedPage> => goToUrl(`${server.url}#/${place}`)

  it('are local or in UTC, with or without seconds, in lists and forms', async () => {
    const { page, problems } = await goTo('silences/new')
    const starts = page.getByLabel('Starts')
    await starts.fill('2099-01-02 09:00')
    await page.getByText('Jan 2, 2099, 9:00 AM', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Preferences' }).click()
    await page.getByRole('menuitemradio', { name: 'UTC' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'With seconds' }).click()
    await expectAccessible(page, '[role=menu]')
    await page.keyboard.press('Escape')
    await goTo('silences/new')
    await starts.fill('2099-01-02 09:00')
    await page.getByText('Jan 2, 2099, 9:00:00 AM UTC', { exact: true }).waitFor()
    // The browser remembers both.
    await page.reload()
    await starts.fill('2099-01-02 09:00')
    await page.getByText('Jan 2, 2099, 9:00:00 AM UTC', { exact: true }).waitFor()
    expect(problems).toEqual([])
    // Another test begins without preferences, in a page that was loaded again.
    await page.evaluate(() => localStorage.clear())
    await page.goto('about:blank')
  })

  it('are shown exactly by keys and by a touch', async () => {
    await fire(server.alerts, [{ alertname: 'Slow' }], { startsAt })
    const exact = '2026-01-02T03:04:05.000Z'
    const { page, problems } = await goTo('alerts')
    const usual = page.viewportSize()
    onTestFinished(() => page.setViewportSize(usual ?? { width: 1280, height: 900 }))
    await page.setViewportSize({ width: 390, height: 844 })
    const age = page.locator('[data-fingerprint] button:has(time)')
    await age.tap()
    const tooltip = page.getByRole('tooltip')
    await tooltip.getByText(exact).waitFor()
    expect(await tooltip.textContent()).toContain('8:34:05 AM')
    await expectAccessible(page, '[role=tooltip]')
    await page.locator('main p').first().tap()
    await tooltip.waitFor({ state: 'detached' })
    // A tap has left the focus there, or not: keys come from the button before.
    await page.getByRole('checkbox', { name: 'Select Slow' }).focus()
    await page.keyboard.press('Tab')
    await tooltip.getByText(exact).waitFor()
    await page.keyboard.press('Escape')
    await tooltip.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })
})
