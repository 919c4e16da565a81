import { expect, it } from 'vitest'
import { describeWithBrowser, useBrowser, useServer } from '../../../test-support/browser.ts'
import { expectAccessible, fire, startConsole } from './open-console.fixture.ts'
import { openPage } from './pages.fixture.ts'

const zoned = { locale: 'en', timezoneId: 'Asia/Kolkata' }
const startsAt = '2026-01-02T03:04:05.000Z'

describeWithBrowser('times in Chromium', () => {
  const browser = useBrowser()
  const server = useServer(() => startConsole())

  it('are local or in UTC, with or without seconds, in lists and forms', async () => {
    const { page, problems } = await openPage(browser(), `${server().url}#/silences/new`, zoned)
    const starts = page.getByLabel('Starts')
    await starts.fill('2099-01-02 09:00')
    await page.getByText('Jan 2, 2099, 9:00 AM', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Preferences' }).click()
    await page.getByRole('menuitemradio', { name: 'UTC' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'With seconds' }).click()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.goto(`${server().url}#/silences/new`)
    await starts.fill('2099-01-02 09:00')
    await page.getByText('Jan 2, 2099, 9:00:00 AM UTC', { exact: true }).waitFor()
    // The browser remembers both.
    await page.reload()
    await starts.fill('2099-01-02 09:00')
    await page.getByText('Jan 2, 2099, 9:00:00 AM UTC', { exact: true }).waitFor()
    expect(problems).toEqual([])
  })

  it('are shown exactly by keys and by a touch', async () => {
    await fire(server().alerts, [{ alertname: 'Slow' }], { startsAt })
    const exact = '2026-01-02T03:04:05.000Z'
    const { page, problems } = await openPage(browser(), server().url, {
      ...zoned,
      hasTouch: true,
      viewport: { width: 390, height: 844 },
    })
    const age = page.locator('[data-fingerprint] button:has(time)')
    await age.tap()
    const tooltip = page.getByRole('tooltip')
    await tooltip.getByText(exact).waitFor()
    expect(await tooltip.textContent()).toContain('8:34:05 AM')
    await expectAccessible(page)
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
