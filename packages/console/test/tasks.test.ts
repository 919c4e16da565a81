import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithBrowser, useBrowser } from '../../../test-support/browser.ts'
import { isWide, runsOf } from '../../../test-support/lane.ts'
import { type BusyServer, startBusy } from './open-everything.fixture.ts'
import { openPage } from './pages.fixture.ts'
import { Hand, tasks } from './tasks.fixture.ts'

/** Fifty times as many in the wide lane: `GATEHOUSE_TEST_RUNS=25 npm run test:system -- tasks`. */
const alertCount = isWide ? runsOf(1_000) : runsOf(400)

/** The column "now" of the table of actions, by task. */
async function documented(): Promise<ReadonlyMap<string, number>> {
  const text = await readFile(new URL('../../../docs/console.md', import.meta.url), 'utf8')
  const [, section = ''] = text.split('\n## Actions\n')
  const rows = section.split('\n## ')[0]?.match(/^\|.*\|$/gm) ?? []
  return new Map(
    rows.slice(2).map((row) => {
      const [, task = '', , now = ''] = row.split('|').map((cell) => cell.trim())
      return [task, Number.parseInt(now, 10)]
    }),
  )
}

describeWithBrowser('the usual tasks in Chromium, in the middle of an outage', () => {
  const browser = useBrowser()
  let server: BusyServer
  beforeAll(async () => {
    server = await startBusy(alertCount)
  })
  afterAll(() => server?.stop())

  it('take as many actions as the documentation says', async () => {
    const { page, problems } = await openPage(browser(), server.url)
    const found = new Map<string, number>()
    const rows: string[] = []
    for (const task of tasks) {
      // Each begins on a page that was just loaded; for a change, on the page of the last one, where nothing has the focus.
      if (isWide) await page.goto('about:blank')
      else await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
      await page.goto(
        `${server.url}#/alerts?view=lines&filter=${encodeURIComponent(task.filter ?? '')}`,
      )
      await page.locator('[data-fingerprint]').first().waitFor()
      const hand = new Hand(page)
      const start = performance.now()
      await task.work(hand, server)
      const seconds = ((performance.now() - start) / 1_000).toFixed(1)
      found.set(task.name, hand.actions)
      rows.push(`${hand.actions} actions, ${hand.keys} keys, ${seconds} s: ${task.name}`)
    }
    process.stdout.write(`${alertCount} alerts\n${rows.join('\n')}\n`)
    expect(found).toEqual(await documented())
    // The server has no API keys.
    expect(problems.filter((text) => !text.includes('404'))).toEqual([])
  })
})
