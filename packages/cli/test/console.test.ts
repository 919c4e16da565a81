import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  amtoolBinary,
  chromiumBinary,
  describeWith,
  pathOf,
} from '../../../test-support/binaries.ts'
import { useBrowser } from '../../../test-support/browser.ts'
import { run } from './support/run.ts'
import { type Server, startGatehouse } from './support/server.ts'

const config = `
route: { receiver: ops, group_by: [alertname] }
receivers: [{ name: ops }]
`

describeWith(
  [chromiumBinary, amtoolBinary],
  'the console of the built command, with amtool',
  () => {
    const browser = useBrowser()
    let server: Server
    let page: Page
    beforeAll(async () => {
      const flags = ['--storage.memory', '--web.console-severity-label=priority']
      server = await startGatehouse({ config, flags })
    })
    afterAll(() => server?.stop())
    beforeEach(async () => {
      page = await browser().newPage({ reducedMotion: 'reduce' })
      page.setDefaultTimeout(60_000)
    })

    const amtool = async (...args: string[]): Promise<string> => {
      const { stdout, stderr, code } = await run(pathOf(amtoolBinary), [
        `--alertmanager.url=${server.url}`,
        ...args,
      ])
      expect(code, stderr).toBe(0)
      return stdout
    }

    it('shows an alert of amtool at once, and amtool the silence that was made with two keys', async () => {
      await page.goto(server.url)
      await page.getByText('Live', { exact: true }).waitFor()
      await amtool(
        'alert',
        'add',
        'DiskFull',
        'priority=P1',
        'instance=db-1',
        '--annotation=summary=full',
      )
      await page.getByText('1 alert · 1 group').waitFor()
      const card = page.locator('section[data-severity="critical"]')
      await card.getByText('P1').waitFor()
      await page.keyboard.press('j')
      await page.locator('[data-fingerprint]:focus').waitFor()
      await page.keyboard.press('s')
      await page.getByText('Covers 1 alert now').waitFor()
      await page.keyboard.type('a new disk is on its way')
      await page.getByLabel('Created by').fill('maya')
      await page.keyboard.press('Enter')
      await card.getByText('Silenced', { exact: true }).first().waitFor()
      const query = await amtool('silence', 'query', '-o', 'json')
      expect(JSON.parse(query)).toMatchObject([
        { createdBy: 'maya', comment: 'a new disk is on its way', status: { state: 'active' } },
      ])
      expect(await amtool('alert', 'query', '--active')).not.toContain('DiskFull')
    })

    it('shows a silence of amtool, and amtool no longer once it is expired in the browser', async () => {
      const id = await amtool('silence', 'add', 'team=db', '-d', '2h', '-a', 'ada', '-c', 'moving')
      await page.goto(`${server.url}/#/silences?search=team`)
      await page.getByText('moving').waitFor()
      await page.getByRole('button', { name: 'Expire' }).press('Enter')
      await page.getByText('The silence has expired.').waitFor()
      expect(await amtool('silence', 'query', '-q')).not.toContain(id.trim())
    })

    it('says why an alert of amtool is not sent', async () => {
      await amtool('alert', 'add', 'Slow', 'service=web')
      await page.goto(`${server.url}/#/alerts?filter=alertname%3D"Slow"`)
      await page.getByRole('link', { name: 'Show its route' }).click()
      await page.getByText('the receiver has no integration').waitFor()
    })
  },
)
