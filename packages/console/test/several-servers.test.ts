import { expect, it } from 'vitest'
import { describeWithBrowser, useBrowser } from '../../../test-support/browser.ts'
import { type ConsoleServer, expectAccessible, fire, startConsole } from './open-console.fixture.ts'
import { openPage } from './pages.fixture.ts'

describeWithBrowser('the page of alerts of several servers in Chromium', () => {
  const browser = useBrowser()

  it('merges and marks their alerts, for reading only, and says which server cannot be read', async () => {
    const paris = await startConsole()
    const own = await startConsole('', {
      otherServers: [
        { name: 'paris', url: paris.url, externalUrl: paris.url },
        { name: 'tokyo', url: 'http://127.0.0.1:1' },
      ],
    })
    const servers: ConsoleServer[] = [paris, own]
    try {
      const disk = { alertname: 'Disk', severity: 'critical' }
      await fire(own.alerts, [
        { ...disk, host: 'a' },
        { ...disk, host: 'both' },
      ])
      await fire(paris.alerts, [
        { ...disk, host: 'both' },
        { ...disk, host: '<b>far' },
        { alertname: 'Net', severity: 'info' },
      ])
      const { page, problems } = await openPage(browser(), own.url, { own: true })
      await page.getByText('4 alerts · 2 groups').waitFor()
      const strip = page.getByRole('list', { name: 'Other servers' })
      await strip.getByRole('button', { name: '@paris 3' }).waitFor()
      await strip.getByRole('button', { name: '@tokyo not read' }).waitFor()
      const overview = page.getByRole('region', { name: 'Overview' })
      await overview.getByRole('button', { name: 'critical 3' }).waitFor()
      await overview.getByRole('button', { name: '4 active' }).waitFor()
      const alert = (text: string) => page.locator('[data-fingerprint]').filter({ hasText: text })
      await alert('<b>far').getByTitle('Only on paris').filter({ hasText: '@paris' }).waitFor()
      await alert('both').getByTitle('Also on paris').waitFor()
      expect(await alert('<b>far').getByRole('checkbox').count()).toBe(0)
      expect(
        await alert('<b>far')
          .getByRole('button', { name: /^Silence|^Ack/ })
          .count(),
      ).toBe(0)
      await expectAccessible(page, '#main')
      // A group is silenced by its own alerts.
      const group = page.locator('section').filter({ hasText: '3 alerts' }).last()
      await group.getByRole('button', { name: 'Silence the group' }).click()
      const written = (): Promise<string> =>
        page.evaluate<string>(
          `[...document.querySelectorAll('[role=dialog] input, [role=dialog] textarea, [role=dialog]')]
            .map((one) => one.value ?? one.innerText).join(' ')`,
        )
      await expect.poll(written).toContain('both')
      expect(await written()).not.toContain('far')
      await page.keyboard.press('Escape')
      await strip.getByRole('button', { name: '@paris 3' }).click()
      await page.getByText('3 alerts · 2 groups').waitFor()
      for (const view of ['Lines', 'Table']) {
        await page.getByText(view, { exact: true }).click()
        await page.getByText('@paris', { exact: true }).nth(3).waitFor()
        expect(await page.getByRole('checkbox', { name: /^Select (Disk|Net)/ }).count()).toBe(1)
        await expectAccessible(page, '#main')
      }
      expect(problems.filter((one) => !one.includes('503'))).toEqual([])
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
  })

  it('never says that nothing matches on a server that it cannot read or does not have', async () => {
    const own = await startConsole('', {
      otherServers: [{ name: 'tokyo', url: 'http://127.0.0.1:1' }],
    })
    try {
      await fire(own.alerts, [{ alertname: 'Disk' }])
      const { page, problems } = await openPage(browser(), `${own.url}#/?server=tokyo`)
      const failure = page.getByRole('alert')
      await failure.getByText('Alerts of tokyo cannot be read').waitFor()
      await failure.getByText('tokyo: Get "<redacted>": the port is not allowed').waitFor()
      await expectAccessible(page, '#main')
      await page.getByRole('button', { name: 'Show all alerts' }).click()
      await page.getByText('1 alert · 1 group').waitFor()
      await page.goto(`${own.url}#/?server=gone`)
      await page.getByText('There is no other server called gone').waitFor()
      expect(await page.getByText('No alert matches').count()).toBe(0)
      await page.getByRole('button', { name: 'Show all alerts' }).click()
      await page.getByText('1 alert · 1 group').waitFor()
      expect(problems.filter((one) => !one.includes('503'))).toEqual([])
    } finally {
      await own.stop()
    }
  })
})
