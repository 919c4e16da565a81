import { createSilence } from '@gatehouse/core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { describeWithBrowser, useBrowser } from '../../../test-support/browser.ts'
import { sampleOf } from '../../../test-support/lane.ts'
import { type ConsoleServer, expectAccessible, fire, startConsole } from './open-console.fixture.ts'
import { goToAlert, openPage, useOnePage } from './pages.fixture.ts'

describeWithBrowser('dialogs and menus in Chromium', () => {
  const browser = useBrowser()
  let server: ConsoleServer
  beforeAll(async () => {
    server = await startConsole()
    await fire(server.alerts, [
      { alertname: 'Disk', severity: 'critical' },
      { alertname: 'Slow', severity: 'warning' },
    ])
    await createSilence(server.alerts, {
      matchers: [{ name: 'team', value: 'db', isRegex: false }],
      startsAt: Date.now(),
      endsAt: Date.now() + 3_600_000,
      createdBy: 'maya',
      comment: 'a new disk',
    })
  })
  afterAll(() => server?.stop())
  const goTo = useOnePage(browser)
  /** One of three, so that each place and each width is met in both languages. */
  const isInSample = sampleOf(3)

  /** How to open it with the keyboard, and how to see that it is open. */
  const parts: readonly (readonly [
    name: string,
    place: string,
    opener: (page: Page) => Promise<void>,
    sign: string,
  ])[] = [
    ['the silence of a group', 'alerts', press('Silence the group'), 'Covers 1 alert now'],
    ['the acknowledgement', 'alerts', press('Acknowledge the group'), 'Acknowledges'],
    ['the keys', 'alerts', pressOnAlert('?'), 'Go to the filter'],
    ['the preferences', 'alerts', press('Preferences'), 'System'],
    ['a new silence', 'silences', press('New silence', 'link'), 'Created by'],
    ['the edited silence', 'silences', press('Edit', 'link'), 'Save silence'],
    ['the menu of extensions', 'silences', press('Extend'), '8h longer'],
  ]

  it.each(parts)('%s: accessible and used by keyboard', async (_, place, open, sign) => {
    const { page, problems } = await goTo(`${server.url}#/${place}`)
    await page
      .getByText(place === 'alerts' ? '2 alerts' : 'a new disk')
      .first()
      .waitFor()
    await open(page)
    await page.getByText(sign).first().waitFor()
    await expectAccessible(page, '[role=dialog], [role=menu]')
    const before = await page.evaluate<string>('document.activeElement.outerHTML')
    await page.keyboard.press('Escape')
    await page.getByText(sign).first().waitFor({ state: 'hidden' })
    // The focus was in the dialog, and is back in the page.
    await expect.poll(() => page.evaluate('document.activeElement !== document.body')).toBe(true)
    expect(await page.evaluate<string>('document.activeElement.outerHTML')).not.toBe(before)
    expect(problems).toEqual([])
  })

  it('stops motion for people who ask for it', async () => {
    const { page } = await goTo(`${server.url}#/alerts`)
    await page.getByText('2 alerts').waitFor()
    await page.getByRole('button', { name: 'Silence the group' }).first().click()
    await page.getByText('Covers 1 alert now').waitFor()
    // Changes of colour are no motion.
    const moving = await page.evaluate<string[]>(`document.getAnimations()
      .map(({ animationName, transitionProperty }) => animationName ?? transitionProperty)
      .filter((name) => !name.endsWith('color'))`)
    expect(moving).toEqual([])
  })

  it.each(['en', 'de'])('fits windows of all sizes in the language %s', async (locale) => {
    const { page } =
      locale === 'en'
        ? await goTo(`${server.url}#/alerts`)
        : await openPage(browser(), `${server.url}#/alerts`, { locale })
    const usual = page.viewportSize()
    onTestFinished(() => page.setViewportSize(usual ?? { width: 1280, height: 900 }))
    const places = ['alerts', 'alerts?view=table', 'silences', 'silences/new', 'routing']
    const turn = locale === 'en' ? 0 : 1
    for (const [at, place] of places.entries()) {
      const widths = [360, 768, 1280, 1920, 3840].filter(
        (width, n) => width === 360 || isInSample(at, n, turn),
      )
      await page.goto(`${server.url}#/${place}`)
      await page.locator('h1').first().waitFor({ state: 'attached' })
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        await page.locator('[role="status"] svg').waitFor({ state: 'detached' })
        const overflow = () => page.evaluate('document.documentElement.scrollWidth - innerWidth')
        await expect.poll(overflow, { message: `${place} in ${width} px` }).toBe(0)
      }
    }
    expect(await page.locator('html').getAttribute('lang')).toBe(locale)
  })
})

/** A key that opens something while an alert has the focus. */
function pressOnAlert(key: string): (page: Page) => Promise<void> {
  return async (page) => {
    await goToAlert(page)
    await page.keyboard.press(key)
  }
}

/** Presses a button by the keyboard: focus, then Enter. */
function press(name: string, role: 'button' | 'link' = 'button'): (page: Page) => Promise<void> {
  return (page) => page.getByRole(role, { name }).first().press('Enter')
}
