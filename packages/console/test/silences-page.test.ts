import { createSilence, getSilence, listSilences } from '@gatehouse/core'
import { listRecurringSilences } from '@gatehouse/core/alerts'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeWithBrowser, openBrowser } from '../../../test-support/browser.ts'
import {
  type ConsoleServer,
  expectAccessible,
  fire,
  openPage,
  startConsole,
} from './open-console.fixture.ts'

describeWithBrowser('the page of silences in Chromium', () => {
  let browser: Browser
  let server: ConsoleServer
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    server = await startConsole('/ops')
  })
  afterEach(() => server.stop())

  const create = (): Promise<string> =>
    createSilence(server.alerts, {
      matchers: [{ name: 'team', value: 'db', isRegex: false }],
      startsAt: Date.now(),
      endsAt: Date.now() + 3_600_000,
      createdBy: 'maya',
      comment: 'a new disk',
    })

  it("opens the form from a link of Alertmanager's page", async () => {
    await fire(server.alerts, [{ alertname: 'Disk', team: 'db' }])
    const { page, problems } = await openPage(
      browser,
      `${server.url}#/silences/new?filter=${encodeURIComponent('{team="db"}')}`,
    )
    await page.getByText('Covers 1 alert now').waitFor()
    await page.getByText('8h', { exact: true }).click()
    await page.getByLabel('Created by').fill('maya')
    await page.getByRole('button', { name: 'Create silence' }).click()
    await page.getByText('Required').waitFor()
    await page.getByLabel('Comment').fill('moving')
    await page.getByRole('button', { name: 'Create silence' }).click()
    await page.getByText('team="db"').waitFor()
    const [silence] = await listSilences(server.alerts)
    // The server starts it when the request arrives.
    const lengthMs = Date.parse(silence?.endsAt ?? '') - Date.parse(silence?.startsAt ?? '')
    expect(Math.round(lengthMs / 60_000)).toBe(480)
    expect(problems).toEqual([])
  })

  it('extends a silence, expires it, and takes that back', async () => {
    const id = await create()
    const { endsAt } = await getSilence(server.alerts, id)
    const { page } = await openPage(browser, `${server.url}#/silences`)
    await page.getByRole('button', { name: 'Extend' }).click()
    await page.getByText('8h longer').click()
    await expect
      .poll(async () => Date.parse((await getSilence(server.alerts, id)).endsAt))
      .toBe(Date.parse(endsAt) + 28_800_000)
    await page.getByRole('button', { name: 'Expire' }).click()
    await page.getByText('The silence has expired.').waitFor()
    expect(await getSilence(server.alerts, id)).toMatchObject({ status: { state: 'expired' } })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('team="db"').waitFor()
    const active = await listSilences(server.alerts, { expired: false })
    expect(active).toMatchObject([{ comment: 'a new disk', createdBy: 'maya' }])
  })

  it('makes a silence that recurs, and one until its alerts resolve, with a reminder', async () => {
    const { page, problems } = await openPage(
      browser,
      `${server.url}#/silences/new?filter=${encodeURIComponent('{job="backup"}')}`,
    )
    await page.getByLabel('Created by').fill('maya')
    await page.getByLabel('Comment').fill('the backup')
    await page.getByText('Recurring', { exact: true }).click()
    await page.getByText('Sun', { exact: true }).click()
    await page.getByLabel('From').fill('25:00')
    await page.getByText('Write times of one day').waitFor()
    await page.getByLabel('From').fill('02:00')
    await page.getByLabel('To', { exact: true }).fill('04:00')
    await page.getByText('next:').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create silence' }).click()
    await page.getByText('Recurring silences').waitFor()
    const [recurring] = await listRecurringSilences(server.alerts)
    expect(recurring).toMatchObject({
      createdBy: 'maya',
      timeIntervals: [
        { weekdays: ['sunday'], times: [{ start_time: '02:00', end_time: '04:00' }] },
      ],
    })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Recurring silences').waitFor({ state: 'detached' })

    await page.goto(`${server.url}#/silences/new?filter=${encodeURIComponent('{team="db"}')}`)
    await page.getByLabel('Duration').fill('until nonsense')
    await page.getByText('Write a duration such as').waitFor()
    await page.getByLabel('Duration').fill('until Monday 9:00')
    await page.getByLabel('Ends when its alerts resolve').check()
    await page.getByRole('combobox', { name: 'Reminder' }).click()
    await page.getByText('15m before the end').click()
    await page.getByLabel('Comment').fill('until it is repaired')
    await page.getByRole('button', { name: 'Create silence' }).click()
    await page.getByText('team="db"').waitFor()
    const made = { untilResolved: true, remindBeforeMs: 900_000 }
    expect(await listSilences(server.alerts)).toMatchObject([made])
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('Comment').fill('changed')
    await page.getByRole('button', { name: 'Save silence' }).click()
    await page.getByText('changed').waitFor()
    expect(await listSilences(server.alerts)).toMatchObject([{ ...made, comment: 'changed' }])
    expect(problems).toEqual([])
  })

  it.each(['light', 'dark'] as const)('is accessible in %s colours', async (colorScheme) => {
    await create()
    for (const place of ['silences', 'silences/new', 'notifications', 'status']) {
      const { page } = await openPage(browser, `${server.url}#/${place}`, { colorScheme })
      await page.locator('h1').waitFor()
      await page.getByText('Loading…').waitFor({ state: 'detached' })
      await expectAccessible(page)
      await page.context().close()
    }
  })
})
