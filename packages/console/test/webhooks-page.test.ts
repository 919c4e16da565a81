import { readFile } from 'node:fs/promises'
import { cancelRun, listRuns, triggerWebhook } from '@gatehouse/core'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { describeWithBrowser, useBrowser, useServer } from '../../../test-support/browser.ts'
import { expectAccessible } from './open-console.fixture.ts'
import { startWebhooksServer, type WebhooksServer } from './open-webhooks.fixture.ts'
import {
  type OpenedPage,
  openPage,
  type PageOptions,
  untilShownInTime,
  useOnePage,
} from './pages.fixture.ts'

const output = (page: Page) => page.getByRole('region', { name: 'Output', exact: true })

/** Runs a webhook, and waits for its end. */
async function runOn({ webhooks }: WebhooksServer, id: string, data: object): Promise<string> {
  const run = await triggerWebhook(webhooks, id, data)
  if (run.status === 'skipped') throw new Error('nothing was run')
  return run.id
}

describeWithBrowser('the page of webhooks in Chromium', () => {
  const browser = useBrowser()
  const server = useServer(() => startWebhooksServer())

  const open = (place: string, user = 'operator'): Promise<OpenedPage> =>
    openPage(browser(), `${server().url}#/${place}`, { extraHTTPHeaders: { 'x-user': user } })
  /** An empty page of a user, to be prepared before it goes to the server. */
  const openBlank = (user: string, options: PageOptions = {}): Promise<OpenedPage> =>
    openPage(browser(), 'about:blank', { extraHTTPHeaders: { 'x-user': user }, ...options })

  const runOf = (id: string, data: object = {}): Promise<string> => runOn(server(), id, data)

  it('runs a webhook with values, and shows the run with its output', async () => {
    const { page, problems } = await open('webhooks')
    await page.getByText('No runs yet').waitFor()
    await page.getByRole('link', { name: 'Run deploy' }).click()
    const dialog = page.getByRole('dialog')
    const image = dialog.getByLabel('data.image')
    const start = dialog.getByRole('button', { name: 'Run' })
    await start.click()
    await dialog.getByText('Required', { exact: true }).waitFor()
    await image.fill('Not An Image')
    await dialog.getByText('Must match [a-z0-9:]+', { exact: true }).waitFor()
    await image.fill('-x')
    await dialog.getByText('Must match', { exact: false }).first().waitFor()
    expect((await listRuns(server().webhooks)).runs).toEqual([])
    await image.fill('shop:42')
    await dialog.getByLabel('header:x-target').fill('production')
    await dialog.getByLabel('query:extra').fill('no')
    await start.click()
    // Only the server can check this pattern.
    await dialog.getByText('does not match its pattern').waitFor()
    await expectAccessible(page, '[role=dialog]')
    await dialog.getByLabel('query:extra').fill('YES')
    await start.click()
    await page.getByRole('heading', { name: 'deploy' }).waitFor()
    await output(page).getByText('deploying shop:42 to production').waitFor()
    await page.getByText('Succeeded').waitFor()
    // The tab remembers the values, also after it was loaded again.
    await page.reload()
    const facts = page.locator('dl')
    await facts.getByText('data.image=shop:42').waitFor()
    await facts.getByText('operator', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Run again' }).click()
    expect(await image.inputValue()).toBe('shop:42')
    await image.fill('broken')
    await start.click()
    await page.getByText('exit code 3').waitFor()
    await page.getByRole('link', { name: '← Webhooks' }).click()
    await page.getByText('2 runs, 1 failed').waitFor()
    await page.getByLabel('Status', { exact: true }).selectOption('failed')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    expect(problems.filter((text) => !text.includes('422'))).toEqual([])
  })

  it('lists runs as they change, without asking at intervals', async () => {
    const { page } = await open('alerts', 'viewer')
    await page.evaluate(() => {
      const { setInterval } = window
      window.setInterval = ((run: () => void, ms: number) =>
        ms >= 2_000 ? 0 : setInterval(run, ms)) as typeof window.setInterval
    })
    const stream = page.waitForResponse((response) => response.url().includes('/runs/changes'))
    await page.goto(`${server().url}#/webhooks`)
    expect((await stream).status()).toBe(200)
    await page.getByText('No runs yet').waitFor()
    await runOf('deploy', { image: 'shop:1' })
    await page.getByRole('row').getByText('Succeeded').waitFor()
  })

  it('asks for runs at intervals where the stream does not come, and to who reads one webhook', async () => {
    const { page } = await openBlank('viewer', { clock: true })
    await page.route('**/runs/changes*', (route) => route.abort())
    await page.goto(`${server().url}#/webhooks`)
    await page.getByText('No runs yet').waitFor()
    await runOf('deploy', { image: 'shop:1' })
    await untilShownInTime(page, page.getByRole('row').getByText('Succeeded'))
    const requests: string[] = []
    const { page: other } = await openBlank('deployer')
    other.on('request', (request) => requests.push(request.url()))
    await other.goto(`${server().url}#/webhooks`)
    await other.getByRole('row').getByText('Succeeded').waitFor()
    expect(requests.filter((url) => url.includes('/runs/changes'))).toEqual([])
  })

  it('reads many runs page by page', async () => {
    for (let n = 0; n < 60; n++) await runOf('guarded', { branch: 'main' })
    const { page } = await open('webhooks')
    // The key does what scrolling does.
    await page.getByRole('button', { name: 'Show older runs' }).press('Enter')
    await expect.poll(() => page.getByRole('row').count()).toBe(61)
    await page.getByText('As a table').click()
    // On a busy machine some take longer.
    await page.getByRole('row', { name: /^under 1s \d+ 0$/ }).waitFor()
  })

  it('disables what somebody may not do, and shows a deployer one webhook', async () => {
    const id = await runOf('deploy', { image: 'shop' })
    const { page, close } = await open('webhooks', 'viewer')
    const button = page.getByRole('button', { name: 'Run deploy' })
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    await button.focus()
    await page.getByText('You need the right webhooks:run').waitFor()
    await page.getByRole('link', { name: 'deploy', exact: true }).click()
    await output(page).getByText('deploying shop').waitFor()
    await close()

    const other = await open('webhooks', 'deployer')
    await other.page.getByRole('link', { name: 'Run deploy' }).waitFor()
    await other.page.locator(`a[href$="${id}"]`).first().waitFor()
    expect(await other.page.getByText('slow').count()).toBe(0)
    await expectAccessible(other.page, '#main')
    await other.close()

    const nobody = await open('webhooks', 'stranger')
    await nobody.page.getByText('You may not do this').waitFor()
  })

  it('asks for a token on a server that identifies nobody', async () => {
    const anonymous = await startWebhooksServer({ identifies: false })
    onTestFinished(() => anonymous.stop())
    const { page, close } = await openPage(browser(), `${anonymous.url}#/webhooks`)
    const token = page.getByLabel('Token', { exact: true })
    await token.fill('wrong')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('The token is wrong').waitFor()
    await expectAccessible(page, '#main')
    await token.fill('token-of-deploy')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('link', { name: 'Run deploy' }).click()
    await page.getByRole('dialog').getByLabel('data.image').fill('shop')
    await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click()
    await output(page).getByText('deploying shop to staging').waitFor()

    await page.goto(`${anonymous.url}#/webhooks`)
    await page.getByRole('button', { name: 'Forget the token' }).click()
    await token.fill('admin-token')
    await page.getByRole('button', { name: 'Open' }).click()
    // The administrator sees all runs; to run a webhook needs its own token.
    await page.getByRole('link', { name: 'Run slow' }).waitFor()
    await page.getByRole('link', { name: 'Run deploy' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('data.image').fill('shop')
    await dialog.getByLabel('The token of the webhook').fill('wrong')
    await dialog.getByRole('button', { name: 'Run' }).click()
    await dialog.getByText('The token is wrong').waitFor()
    await dialog.getByLabel('The token of the webhook').fill('token-of-deploy')
    await dialog.getByRole('button', { name: 'Run' }).click()
    await output(page).getByText('deploying shop to staging').waitFor()
    await close()

    const other = await openPage(browser(), `${anonymous.url}#/webhooks?token=token-of-deploy`)
    await other.page.getByRole('button', { name: 'Forget the token' }).waitFor()
    await other.page.getByRole('link', { name: 'Run deploy' }).waitFor()
    expect(new URL(other.page.url()).hash).toBe('#/webhooks')
  })
})

describeWithBrowser('runs and webhooks, one after another in a window', () => {
  const browser = useBrowser()
  let server: WebhooksServer
  beforeAll(async () => {
    server = await startWebhooksServer()
  })
  afterAll(() => server?.stop())
  const goTo = useOnePage(browser, { extraHTTPHeaders: { 'x-user': 'operator' } })
  const open = (place: string): Promise<OpenedPage> => goTo(`${server.url}#/${place}`)

  it('folds the sections of an output, and its long lines on request', async () => {
    const { page, problems } = await open(`webhooks/run/${await runOn(server, 'sections', {})}`)
    const lines = output(page)
    const width = () => lines.evaluate((list) => list.scrollWidth - list.clientWidth)
    await lines.getByText('1 passed').waitFor()
    await lines.getByText('Report', { exact: true }).waitFor()
    expect(await lines.getByText('endgroup').count()).toBe(0)
    expect(await width()).toBe(0)
    await page.getByLabel('Wrap lines').uncheck()
    await expect.poll(width).toBeGreaterThan(0)
    const section = lines.getByRole('button', { name: 'Section Test' })
    await section.press('Enter')
    await lines.getByText('1 passed').waitFor({ state: 'detached' })
    expect(await section.getAttribute('aria-expanded')).toBe('false')
    await lines.getByText('one was slow').waitFor()
    await page.getByRole('button', { name: 'Fold all' }).click()
    await lines.getByText('all is well').waitFor({ state: 'detached' })
    await expectAccessible(page, '#main')
    // A search unfolds the part of the output that it finds.
    await page.getByLabel('Find in the output').fill('passed')
    await lines.locator('[data-current]').getByText('passed').waitFor()
    await page.reload()
    await lines.getByText('1 passed').waitFor()
    expect(await page.getByLabel('Wrap lines').isChecked()).toBe(false)
    const error = lines.getByRole('link', { name: 'Line 1 of stderr' })
    await error.click()
    await lines.locator('[data-current]').getByText('one was slow').waitFor()
    expect(new URL(page.url()).hash).toContain('line=e1')
    expect(problems).toEqual([])
  })

  it('shows hostile output as text', async () => {
    const { page, problems } = await open(`webhooks/run/${await runOn(server, 'hostile', {})}`)
    const lines = output(page)
    await lines.getByText('<img src=x onerror=alert(1)>').waitFor()
    await lines.getByText('click me').waitFor()
    await lines.getByText('abc[U+202E]gnp.exe').waitFor()
    await lines.getByText('nul:␀:end').waitFor()
    await page.getByText('stdout comes first').waitFor()
    // Only the numbers of its lines are links.
    expect(await lines.locator('a:not([href^="#/webhooks/run/"]), img, script').count()).toBe(0)
    expect(await lines.getByText('red', { exact: true }).getAttribute('data-color')).toBe('red')
    await lines.getByRole('button', { name: 'more characters' }).first().click()
    await page.getByText('Complete').waitFor()
    await expectAccessible(page, '#main')
    await page.getByLabel('Find in the output').fill('went wrong')
    const found = lines.locator('[data-current]')
    await found.getByText('went wrong').waitFor()
    expect(await found.getAttribute('data-stream')).toBe('stderr')
    await found.getByText('err', { exact: true }).waitFor()
    expect(problems).toEqual([])
  })

  it('says when the rules of a webhook skip a request', async () => {
    const { page } = await open('webhooks/new/guarded')
    await page.getByRole('dialog').getByLabel('data.branch').fill('other')
    await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click()
    await page.getByText('Nothing was run').waitFor()
  })

  it('says what the sender of a webhook needs, without its secret', async () => {
    const { page, problems } = await open('webhooks')
    const recipe = page.getByRole('region', { name: 'What its sender needs' })
    await page.getByRole('link', { name: 'Runs of deploy' }).click()
    await recipe.getByText(`${new URL('/', server.url).href}webhook/deploy`).waitFor()
    await recipe.getByText('POST', { exact: true }).waitFor()
    await recipe.getByText('application/json').waitFor()
    await recipe.getByText('the token, in Authorization: Bearer').waitFor()
    await recipe.getByRole('button', { name: 'Copy the URL' }).waitFor()
    await expectAccessible(page, '#main')
    await page.getByRole('link', { name: 'Runs of push' }).click()
    await recipe.getByText('as hmac-sha256 in X-Hub-Signature-256').waitFor()
    expect(await page.content()).not.toContain('secret-of-push')
    expect(problems).toEqual([])
  })

  it('shows the output as it comes, and cancels the run once that is confirmed', async () => {
    const { page, problems } = await open('webhooks')
    await page.getByRole('link', { name: 'Run slow' }).focus()
    await page.keyboard.press('Enter')
    // The dialog takes the focus a moment after it is shown.
    await page.locator('[role=dialog] :focus').waitFor()
    await page.keyboard.press('Enter')
    await output(page).getByText('step 2', { exact: true }).waitFor()
    await page.getByText('Live', { exact: true }).first().waitFor()
    await server.warn()
    await output(page).getByText('a warning').waitFor()
    expect(await page.getByText('stdout comes first').count()).toBe(0)
    await page.getByRole('button', { name: 'Cancel run' }).click()
    await page.getByRole('dialog').getByText('SIGTERM').waitFor()
    await expectAccessible(page, '[role=dialog]')
    await page.getByRole('dialog').getByRole('button', { name: 'Let it run' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await listRuns(server.webhooks)).runs[0]?.status).toBe('running')
    await page.getByRole('button', { name: 'Cancel run' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click()
    await page.getByText('Canceled', { exact: true }).waitFor()
    await page.getByText('Complete').waitFor()
    expect(problems).toEqual([])
  })

  it('says behind which runs a run waits', async () => {
    const start = () => triggerWebhook(server.webhooks, 'slow', {}, { wait: false })
    const ids: string[] = []
    for (const run of [await start(), await start(), await start()]) {
      if (run.status === 'skipped') throw new Error('nothing was run')
      ids.push(run.id)
    }
    const [first = '', ...waiting] = ids
    // The ids of one millisecond have any order.
    const { page, problems } = await open(`webhooks/run/${waiting.sort().at(-1)}`)
    const facts = page.locator('dl')
    await facts.getByRole('link', { name: first }).waitFor()
    await facts.getByText('and 1 run in the queue before it').waitFor()
    await expectAccessible(page, '#main')
    await facts.getByRole('link', { name: first }).click()
    await output(page).getByText('step 1', { exact: true }).waitFor()
    expect(problems).toEqual([])
    // Those that wait end first, so that none of them begins.
    for (const id of ids.reverse()) await cancelRun(server.webhooks, id)
  })

  it('holds an output of 10 MB, searches in it and downloads it whole', async () => {
    const { page, problems } = await open(`webhooks/run/${await runOn(server, 'large', {})}`)
    await page.getByText('earlier lines are not shown').waitFor()
    await page.getByText('Complete').waitFor()
    expect(await output(page).locator('[data-stream]').count()).toBeLessThan(200)
    await page.keyboard.press('/')
    await page.keyboard.type('line 9999')
    await page.getByText('Line 1 of 10 lines').waitFor()
    await output(page).locator('[data-current]').getByText('line 99990').first().waitFor()
    await page.keyboard.press('Shift+Enter')
    await page.getByText('Line 10 of 10 lines').waitFor()
    await output(page).locator('[data-current]').getByText('line 99999').first().waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^large-run_\w+\.log$/)
    const text = await readFile(await download.path(), 'utf8')
    expect([text.length, text.slice(0, 7)]).toEqual([10_500_000, 'line 1 '])
    const line = output(page).getByRole('link', { name: 'Line 99990' })
    const link = new URL((await line.getAttribute('href')) ?? '', page.url()).href
    await page.goto('about:blank')
    await page.goto(link)
    await output(page).locator('[data-current]').getByText('line 99990').first().waitFor()
    expect(problems).toEqual([])
  })

  it('tests a delivery as its sender would send it, and lists those that were refused', async () => {
    const { page, problems } = await open('webhooks')
    await fetch(`${server.url}webhook/push`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': 'sha256=s3cret' },
      body: '{}',
    })
    await page.getByRole('link', { name: 'Runs of push' }).click()
    const refused = page.getByRole('region', { name: 'Refused deliveries' })
    await refused.getByText('The signature is wrong or missing').waitFor()
    const test = page.getByRole('region', { name: 'Send a test' })
    await test.getByRole('button', { name: 'Test' }).click()
    await test.getByText('This delivery would start a run.').waitFor()
    await test.getByText('signing: signed by hmac-sha256').waitFor()
    await expectAccessible(page, '#main')
    await test.getByLabel('Body').fill('not JSON')
    await test.getByRole('button', { name: 'Test' }).click()
    await test.getByText('This delivery would run nothing.').waitFor()
    await test.getByText('(invalid_json)').waitFor()
    expect(await page.content()).not.toMatch(/secret-of-push|s3cret/)
    expect(problems).toEqual([])
  })

  it('says what is gone, and that the server does not answer', async () => {
    const { page } = await open(`webhooks/run/run_${'0'.repeat(26)}`)
    await page.getByText('There is no such run').waitFor()
    await page.context().setOffline(true)
    const id = await runOn(server, 'hostile', {})
    await page.goto(`${server.url}#/webhooks/run/${id}`).catch(() => {})
    await page.getByText('The server does not answer').first().waitFor()
    await page.context().setOffline(false)
    await output(page).getByText('the last line').waitFor()
  })

  it('says that changes come live also after a run was left', async () => {
    const { page } = await open('alerts')
    const streams = new Set<Request>()
    let opened = 0
    const begins = (request: Request): void => {
      if (!request.url().includes('/runs/changes')) return
      streams.add(request)
      opened += 1
    }
    const ends = (request: Request): unknown => streams.delete(request)
    page.on('request', begins).on('requestfailed', ends).on('requestfinished', ends)
    for (let n = 0; n < 3; n++) {
      await page.getByRole('link', { name: 'Webhooks' }).click()
      await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
      if (n === 0) await page.getByText('Live', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Alerts', exact: true }).click()
      await page.getByText('No alerts').waitFor()
    }
    await page.getByText('Live', { exact: true }).waitFor()
    // Changes of the list that the page has left arrive until its stream has ended, and are drawn with the next frame.
    await expect.poll(() => streams.size).toBe(0)
    expect(opened).toBeGreaterThan(0)
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    )
    expect(await page.getByText('Every 5 s').count()).toBe(0)
    page.off('request', begins).off('requestfailed', ends).off('requestfinished', ends)
  })

  it('is accessible in light and dark colours, on a phone', async () => {
    const done = await runOn(server, 'hostile', {})
    await runOn(server, 'deploy', { image: 'broken' })
    const { page } = await open('webhooks')
    const usual = page.viewportSize()
    onTestFinished(() => page.setViewportSize(usual ?? { width: 1280, height: 900 }))
    await page.setViewportSize({ width: 360, height: 740 })
    // The frame is the same around all of them.
    for (const [place, heading, part] of [
      ['webhooks', 'Webhooks', undefined],
      [`webhooks/run/${done}`, 'hostile', '#main'],
      ['webhooks/new/deploy', 'Run deploy', '[role=dialog]'],
    ] as const) {
      await page.goto(`${server.url}#/${place}`)
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
      await page.getByText('Loading…').first().waitFor({ state: 'detached' })
      await expectAccessible(page, part)
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect([place, width]).toEqual([place, 360])
    }
  })
})
