import {
  type AlertsContext,
  createSilence,
  getSilence,
  listAlerts,
  listSilences,
  startDispatcher,
} from '@gatehouse/core'
import { alertsCollections, listAcknowledgements, startHistory } from '@gatehouse/core/alerts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { describeWithBrowser, useBrowser, useServer } from '../../../test-support/browser.ts'
import { isWide } from '../../../test-support/lane.ts'
import { type ConsoleServer, expectAccessible, fire, startConsole } from './open-console.fixture.ts'
import {
  goToAlert,
  type OpenedPage,
  openPage,
  untilShownInTime,
  useOnePage,
} from './pages.fixture.ts'

/** Goes to the page of alerts of a server whose alerts no test changes, in one page. */
function useAlerts(
  browser: () => Browser,
  begin: (alerts: AlertsContext) => Promise<unknown>,
): (query: string) => Promise<OpenedPage> {
  let server: ConsoleServer | undefined
  beforeAll(async () => {
    server = await startConsole()
    await begin(server.alerts)
  })
  afterAll(() => server?.stop())
  const goTo = useOnePage(browser)
  return (query) => goTo(`${server?.url}#/alerts?${query}`)
}

const disks = ['a', 'b', 'c'].map((instance) => ({
  alertname: 'DiskFull',
  severity: 'critical',
  instance,
}))

const ofTeam = <T extends object>(team: string, alerts: readonly T[]): (T & { team: string })[] =>
  alerts.map((labels) => ({ ...labels, team }))

const config = `
route:
  receiver: everybody
  group_by: [alertname]
  routes: [{ receiver: on-call, matchers: [severity="critical"] }]
receivers: [{ name: everybody }, { name: on-call }]
inhibit_rules:
- { source_matchers: [alertname="Down"], target_matchers: [alertname="Slow"], equal: [team] }
`

/** The words on alerts that are silenced. */
const silenced = (page: Page): Locator =>
  page.locator('[data-fingerprint]').getByText('Silenced', { exact: true })

describeWithBrowser('the page of alerts in Chromium', () => {
  const browser = useBrowser()
  const server = useServer(() => startConsole())

  it('shows groups as cards, and silences one in two clicks and a comment', async () => {
    await fire(server().alerts, [...disks, { alertname: 'Slow', severity: 'warning' }])
    const { page, problems } = await openPage(browser(), server().url)
    await page.getByText('4 alerts · 2 groups').waitFor()
    await page.getByRole('button', { name: 'Silence the group' }).first().click()
    await page.getByText('Covers 3 alerts now, 3 in the last week').waitFor()
    await page.getByLabel('Created by').fill('maya')
    await page.getByLabel('Comment').fill('new disks are on their way')
    await page.keyboard.press('Enter')
    await silenced(page).first().waitFor()
    const [silence] = await listSilences(server().alerts)
    expect(silence).toMatchObject({ createdBy: 'maya', comment: 'new disks are on their way' })
    expect(silence?.matchers).toContainEqual({
      name: 'instance',
      value: 'a|b|c',
      isRegex: true,
      isEqual: true,
    })
    expect(problems).toEqual([])
  })

  it('counts by severity and label, adds what is clicked, and excludes it with Alt', async () => {
    await fire(server().alerts, [...disks, { alertname: 'Slow', severity: 'warning' }])
    const { page, problems } = await openPage(browser(), server().url)
    const overview = page.getByRole('region', { name: 'Overview' })
    await overview.getByText('4 active').waitFor()
    await overview.getByText('4 new in 15 minutes').waitFor()
    const filter = page.getByLabel('Filter by matchers')
    await overview.getByRole('button', { name: 'critical 3' }).click({ modifiers: ['Alt'] })
    await page.getByText('1 alert · 1 group').waitFor()
    expect(await filter.inputValue()).toBe('severity!="critical"')
    await page.goBack()
    await overview.getByRole('button', { name: 'warning 1' }).waitFor()
    await overview.getByRole('button', { name: 'critical 3' }).click()
    await page.getByText('3 alerts · 1 group').waitFor()
    expect(await filter.inputValue()).toBe('severity="critical"')
    await overview.getByRole('button', { name: 'Top labels' }).press('Enter')
    await overview.getByRole('button', { name: 'DiskFull 3 100%' }).waitFor()
    await expectAccessible(page, '[aria-label=Overview]')
    // A new alert is counted without a reload, and the browser remembers that the panel is open.
    await fire(server().alerts, [{ alertname: 'Down', severity: 'critical' }])
    await overview.getByRole('button', { name: 'Down 1 25%' }).waitFor()
    await page.goto('about:blank')
    await page.goto(server().url)
    await overview.getByRole('button', { name: 'b 1 20%' }).click()
    await page.getByText('1 alert · 1 group').waitFor()
    expect(problems).toEqual([])
  })

  it('remembers the view and the grouping, and selects all alerts of the table', async () => {
    await fire(server().alerts, disks)
    const { page } = await openPage(browser(), server().url)
    await page.getByText('3 alerts · 1 group').waitFor()
    await page.getByRole('combobox', { name: 'Group by' }).click()
    await page.getByRole('option', { name: 'Label instance' }).click()
    await expect.poll(() => page.locator('section[data-severity]').count()).toBe(3)
    await page.getByText('Table', { exact: true }).click()
    await page.getByRole('link', { name: 'Silences' }).click()
    await page.getByText('No silences').waitFor()
    await page.getByRole('link', { name: 'Alerts' }).click()
    await page.getByRole('checkbox', { name: 'Select all alerts' }).check()
    await page.getByText('3 alerts selected').waitFor()
    await page.goto('about:blank')
    await page.goto(server().url)
    await page.getByRole('checkbox', { name: 'Select all alerts' }).waitFor()
    // Keys work although the focus is on the switch of the views.
    await page.getByText('Cards', { exact: true }).click()
    await expect.poll(() => page.locator('section[data-severity]').count()).toBe(3)
    await goToAlert(page)
    await page.keyboard.press('a')
    await page.getByText('Acknowledges 1 alert').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('[data-fingerprint]:focus').count()).toBe(1)
  })

  it('keeps only alerts near the window in the document', async () => {
    const count = isWide ? 10_000 : 2_000
    const many = Array.from({ length: count }, (_, i) => ({ alertname: `A${i % 500}`, i: `${i}` }))
    await fire(server().alerts, many)
    const { page } = await openPage(browser(), `${server().url}#/alerts?view=table`)
    await page.getByText(`${count.toLocaleString('en')} alerts`).waitFor()
    const rows = page.locator('[data-fingerprint]')
    await rows.first().waitFor()
    expect(await rows.count()).toBeLessThan(100)
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await page.locator(`[aria-rowindex="${count + 1}"]`).waitFor()
    expect(await rows.count()).toBeLessThan(100)
    await page.getByText('Cards', { exact: true }).click()
    await page.locator('section[data-severity]').first().waitFor()
    expect(await page.locator('section[data-severity]').count()).toBeLessThan(100)
  })

  it('shows many alerts in lines, folds their groups, and opens one to all that it says', async () => {
    const many = Array.from({ length: 120 }, (_, pod) => ({ alertname: 'Down', pod: `${pod}` }))
    await fire(server().alerts, many, { annotations: { description: 'the pod is gone' } })
    const { page, problems } = await openPage(browser(), server().url)
    await page.getByText('120 alerts · 1 group').waitFor()
    const lines = page.locator('li[data-fingerprint]')
    await expect.poll(() => lines.count()).toBeGreaterThan(25)
    await expectAccessible(page, '#main')
    await goToAlert(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByText('the pod is gone').waitFor()
    expect(await page.locator('[data-fingerprint]:focus').count()).toBe(1)
    await page.getByRole('button', { name: 'Fold all', exact: true }).click()
    await expect.poll(() => lines.count()).toBe(0)
    await page.reload()
    await page.getByRole('button', { name: 'Unfold: Down' }).click()
    await expect.poll(() => lines.count()).toBeGreaterThan(25)
    expect(problems).toEqual([])
  })

  it('sorts the table by columns of labels, also after a reload, and keeps its head in sight', async () => {
    const many = Array.from({ length: 120 }, (_, pod) => ({ alertname: 'Down', pod: `pod-${pod}` }))
    await fire(server().alerts, many)
    const { page } = await openPage(browser(), `${server().url}#/alerts?view=table`)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'pod', exact: true }).check()
    await page.getByRole('button', { name: 'pod', exact: true }).click()
    const first = page.locator('[aria-rowindex="2"]')
    await first.getByRole('button', { name: 'pod-0', exact: true }).waitFor()
    await page.getByRole('button', { name: 'pod', exact: true }).click()
    await first.getByRole('button', { name: 'pod-119' }).waitFor()
    await page.reload()
    await first.getByRole('button', { name: 'pod-119' }).waitFor()
    const head = page.getByRole('button', { name: 'Severity', exact: true })
    await page.evaluate('scrollTo(0, 2000)')
    await page.getByRole('button', { name: 'pod-70', exact: true }).waitFor()
    expect((await head.boundingBox())?.y).toBeLessThan(120)
    expect((await head.boundingBox())?.y).toBeGreaterThan(0)
  })

  it('reads all alerts at the beginning, and applies to them what changes', async () => {
    await fire(server().alerts, disks)
    const { page } = await openPage(browser(), 'about:blank')
    const filters: string[][] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.endsWith('/alerts/groups')) filters.push(searchParams.getAll('filter'))
    })
    await page.goto(server().url)
    await page.getByText('3 alerts · 1 group').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await fire(server().alerts, [
      { alertname: 'DiskFull', severity: 'critical', instance: 'd' },
      { alertname: 'Slow', severity: 'warning' },
    ])
    await page.getByText('5 alerts · 2 groups').waitFor()
    await fire(server().alerts, disks.slice(1), { annotations: { summary: 'full since noon' } })
    await page.getByText('full since noon').first().waitFor()
    await fire(server().alerts, disks.slice(0, 1), { endsAt: new Date(Date.now() - 1) })
    await page.getByText('4 alerts · 2 groups').waitFor()
    // On a machine that is so busy that the stream comes late, they are read again once it is there.
    expect(filters.filter((one) => one.length === 0).length).toBeLessThanOrEqual(2)
    // Which groups a new alert is in, only the server knows.
    const asked = filters.flatMap(([first]) => first ?? []).sort()
    expect(asked).toEqual(['alertname="DiskFull"', 'alertname="Slow"'])
  })

  it('says that the server does not answer, and heals', async () => {
    await fire(server().alerts, disks)
    const { page } = await openPage(browser(), server().url, { clock: true })
    await page.getByText('3 alerts').first().waitFor()
    await server().stop()
    await untilShownInTime(page, page.getByText('The server does not answer'))
    await page.getByText('No connection').waitFor()
    expect(await page.getByText('3 alerts').count()).toBeGreaterThan(0)
    await server().again()
    await untilShownInTime(page, page.getByText('Live', { exact: true }))
    await page.getByText('The server does not answer').waitFor({ state: 'detached' })
    // What happens now arrives again.
    await fire(server().alerts, [{ alertname: 'Slow' }])
    await page.getByText('4 alerts · 2 groups').waitFor()
  })
})

describeWithBrowser('the page of the alerts of a team in Chromium', () => {
  const browser = useBrowser()
  let server: ConsoleServer
  beforeAll(async () => {
    server = await startConsole('', { config })
  })
  afterAll(() => server?.stop())
  const goTo = useOnePage(browser)
  /** Goes to the alerts of a team, which has those of one test. */
  const goToTeam = async (team: string, query = 'view=cards'): Promise<OpenedPage> => {
    const filter = `team="${team}"`
    const opened = await goTo(`${server.url}#/alerts?${query}&filter=${encodeURIComponent(filter)}`)
    // Those of the last test are shown until these come.
    const [alert] = await listAlerts(server.alerts, { filter: [filter] })
    const shown = opened.page.locator(`[data-fingerprint="${alert?.fingerprint}"]`)
    await shown.first().waitFor()
    return opened
  }

  it('says that a silence covers more than the chosen alert', async () => {
    await fire(
      server.alerts,
      ofTeam('wide', [{ alertname: 'Slow' }, { alertname: 'Slow', path: '/' }]),
    )
    const all = await listAlerts(server.alerts, { filter: ['team="wide"'] })
    const chosen = all.find(({ labels }) => labels.path === undefined)
    const { page } = await goToTeam('wide')
    await page.locator(`[data-fingerprint="${chosen?.fingerprint}"]`).focus()
    await page.keyboard.press('s')
    await page.getByText('Covers 2 alerts now').waitFor()
    await page.getByText('Covers 1 alert that you did not select').waitFor()
    const covered = page.getByRole('region', { name: 'Covered alerts' })
    const marked = covered.getByRole('listitem').filter({ hasText: 'not selected by you' })
    expect(await marked.allTextContents()).toEqual(['path/not selected by you'])
    await expectAccessible(page, '[role=dialog]')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('says what was silenced, opens it, and takes it back', async () => {
    await fire(server.alerts, ofTeam('undo', [...disks, { alertname: 'Slow' }]))
    await createSilence(server.alerts, {
      matchers: [
        { name: 'team', value: 'undo', isRegex: false },
        { name: 'instance', value: 'a', isRegex: false },
      ],
      startsAt: Date.now(),
      endsAt: Date.now() + 3_600_000,
      createdBy: 'maya',
      comment: 'known',
    })
    const { page, problems } = await goToTeam('undo')
    await goToAlert(page)
    await page.keyboard.press('s')
    await page.getByRole('button', { name: /^Remove instance=/ }).click()
    await page.getByText('1 alert is already silenced').click()
    await page.getByLabel('Created by').fill('maya')
    await page.getByLabel('Comment').fill('new disks')
    await page.keyboard.press('Enter')
    const notice = page.getByRole('status').filter({ hasText: 'Silenced 3 alerts until' })
    await notice.waitFor()
    await expectAccessible(page, '[role=status]')
    await notice.getByRole('link', { name: 'Open' }).click()
    await page.getByRole('button', { name: 'Save silence' }).waitFor()
    await page.keyboard.press('Escape')
    await notice.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone.').waitFor()
    const left = await listSilences(server.alerts, {
      expired: false,
      filter: ['team="undo"'],
    })
    expect(left.map(({ comment }) => comment)).toEqual(['known'])
    expect(problems).toEqual([])
  })

  it('says on an alert by whom, why and for how long it is quiet, and what to do about it', async () => {
    await fire(
      server.alerts,
      ofTeam('quiet', [{ alertname: 'Down', node: '3' }, { alertname: 'Slow' }, ...disks]),
    )
    const id = await createSilence(server.alerts, {
      matchers: [
        { name: 'alertname', value: 'DiskFull', isRegex: false },
        { name: 'team', value: 'quiet', isRegex: false },
      ],
      startsAt: Date.now(),
      endsAt: Date.now() + 5_880_000,
      createdBy: 'ana',
      comment: 'known',
    })
    const { page, problems } = await goToTeam('quiet')
    const disk = page
      .locator('[data-fingerprint]')
      .filter({ hasText: /by ana: known · \dh 3/ })
      .first()
    await disk.getByRole('link', { name: 'Silenced' }).waitFor()
    const slow = page.locator('[data-fingerprint]').filter({ hasText: 'Inhibited' })
    await slow.getByRole('link', { name: 'Down node=3' }).waitFor()
    await expectAccessible(page, '[data-fingerprint]')
    await disk.getByRole('button', { name: 'Extend' }).click()
    await page.getByText('8h longer').click()
    await page.getByText('9h 3').first().waitFor()
    await disk.getByRole('button', { name: 'Expire' }).click()
    await page.getByText('The silence has expired.').waitFor()
    await disk.waitFor({ state: 'detached' })
    expect(await getSilence(server.alerts, id)).toMatchObject({ status: { state: 'expired' } })
    await slow.getByRole('link', { name: 'Down node=3' }).click()
    await page.getByText('1 alert · 1 group').waitFor()
    expect(problems).toEqual([])
  })

  it('shows ten matchers of a silence with all their values on a phone', async () => {
    const labels = Object.fromEntries(
      Array.from({ length: 8 }, (_, i) => [`label_${i}`, `value ${i} ${'x'.repeat(60)}`]),
    )
    await fire(server.alerts, ofTeam('long', [{ alertname: 'Long', ...labels }]))
    const { page } = await goToTeam('long')
    const usual = page.viewportSize()
    onTestFinished(() => page.setViewportSize(usual ?? { width: 1280, height: 900 }))
    await page.setViewportSize({ width: 390, height: 844 })
    await goToAlert(page)
    await page.keyboard.press('s')
    const matchers = page.getByTitle(/^Change /)
    await matchers.nth(9).waitFor()
    const cut = await matchers.evaluateAll(
      (all) =>
        all.filter((one) => {
          const { left, right } = one.getBoundingClientRect()
          return left < 0 || right > innerWidth || one.scrollWidth > one.clientWidth
        }).length,
    )
    expect([await matchers.count(), cut]).toEqual([10, 0])
    await page.getByRole('button', { name: 'Edit as text' }).click()
    const text = page.getByRole('textbox', { name: 'Matchers', exact: true })
    await text.fill('alertname="Long", label_0=~"value.+"')
    await page.getByRole('button', { name: 'Show as list' }).click()
    await page.getByLabel('Add a matcher').fill('label_1!="x"')
    await page.keyboard.press('Enter')
    expect(await matchers.allTextContents()).toEqual([
      'alertname=Long',
      'label_0=~value.+',
      'label_1!=x',
    ])
    await page.getByText('Covers 1 alert now').waitFor()
    await page.getByLabel('Comment').press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('moves the focus on when the alert that has it is gone', async () => {
    await fire(server.alerts, ofTeam('focus', disks))
    const { page } = await goToTeam('focus', 'view=cards&hide=silenced')
    const focused = (): Promise<number> =>
      page.evaluate(`[...document.querySelectorAll('[data-fingerprint]')]
        .findIndex((row) => row.contains(document.activeElement))`)
    for (const [left, place] of [
      [2, 1],
      [1, 0],
      [0, -1],
    ] as const) {
      await page.getByText(`${left + 1} alert${left === 0 ? '' : 's'} · 1 group`).waitFor()
      if (left === 2) {
        await goToAlert(page)
        await page.keyboard.press('j')
      }
      await page.keyboard.press('s')
      await page.getByLabel('Created by').fill('maya')
      await page.getByLabel('Comment').fill('new disks are on their way')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.locator('[data-fingerprint]').count()).toBe(left)
      await expect.poll(focused).toBe(place)
    }
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
  })

  it('acknowledges a group, says who did, and takes it back for one alert', async () => {
    await fire(server.alerts, ofTeam('on-it', disks))
    const { page, problems } = await goToTeam('on-it')
    await page.getByRole('button', { name: 'Acknowledge the group' }).click()
    await page.getByText('Acknowledges 3 alerts').waitFor()
    await page.getByLabel('Your name').fill('maya')
    await page.getByLabel('Comment').fill('on it')
    await page.keyboard.press('Enter')
    const acknowledged = page.getByText('Acknowledged by maya')
    await expect.poll(() => acknowledged.count()).toBe(3)
    const { items } = await listAcknowledgements(server.alerts)
    expect(items.map(({ by, comment }) => ({ by, comment }))).toEqual(
      Array.from({ length: 3 }, () => ({ by: 'maya', comment: 'on it' })),
    )
    await page.getByText(': on it · for').first().waitFor()
    expect(await page.getByRole('button', { name: /^Acknowledge/ }).count()).toBe(0)
    await page
      .getByRole('button', { name: /^Take back: / })
      .first()
      .click()
    await expect.poll(() => acknowledged.count()).toBe(2)
    await page.getByRole('button', { name: 'Acknowledge the group' }).waitFor()
    expect(problems).toEqual([])
  })

  it('shows under a group what happened', async () => {
    const dispatcher = startDispatcher(server.alerts)
    const history = startHistory(server.alerts)
    // The timeline of a group has all alerts with its labels.
    const cold = disks.map((labels) => ({ ...labels, alertname: 'Cold' }))
    await fire(server.alerts, ofTeam('past', cold))
    const { page } = await goToTeam('past')
    await page.getByRole('button', { name: 'Timeline' }).click()
    const timeline = page.getByRole('list', { name: 'Timeline, newest first' })
    await timeline.getByText('3 alerts').waitFor()
    expect(await timeline.textContent()).toContain('Fired')
    const id = await createSilence(server.alerts, {
      matchers: [
        { name: 'team', value: 'past', isRegex: false },
        { name: 'instance', value: 'b', isRegex: false },
      ],
      endsAt: Date.now() + 3_600_000,
      createdBy: 'ana',
      comment: 'known',
    })
    const silenced = timeline.getByRole('listitem').filter({ hasText: 'ana: known' })
    const link = silenced.getByRole('link', { name: 'Silenced' })
    expect(await link.getAttribute('href')).toBe(`#/silences/${id}`)
    expect(await silenced.getByRole('time').textContent()).toMatch(/:\d\d:\d\d/)
    await expectAccessible(page, '[aria-label^=Timeline]')
    await Promise.all([dispatcher.stop(), history.stop()])
  })

  it('shows hostile labels and annotations as text', async () => {
    const attack = '<img src=x onerror="document.title=1"><script>document.title=1</script>'
    await fire(
      server.alerts,
      ofTeam('hostile', [
        { alertname: attack, severity: attack, rtl: '\u202eabc', long: 'x'.repeat(100_000) },
      ]),
      {
        annotations: {
          summary: attack,
          link: 'javascript:alert(1) https://example.com/a.',
          long: 'y'.repeat(100_000),
        },
        generatorURL: 'javascript:alert(1)',
      },
    )
    const { page, problems } = await goToTeam('hostile')
    await page.getByText('<script>').first().waitFor()
    const links = await page
      .locator('main a')
      .evaluateAll((all) => all.map((a) => a.getAttribute('href')))
    expect(links.filter((href) => !href?.startsWith('#/'))).toEqual(['https://example.com/a'])
    expect(await page.title()).toBe('Alerts · Gatehouse')
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
    expect(problems).toEqual([])
  })

  it('links annotations that are addresses, and the source, by their names', async () => {
    await fire(server.alerts, ofTeam('links', disks.slice(0, 1)), {
      annotations: { runbook: 'https://example.com/run', evil: 'javascript:alert(1)' },
      generatorURL: 'https://example.com/graph',
    })
    for (const view of ['cards', 'table']) {
      const { page } = await goToTeam('links', `view=${view}`)
      const first = page.locator(view === 'table' ? '[aria-rowindex]' : 'section[data-severity]')
      await first.first().waitFor()
      const href = (name: string): Promise<string | null> =>
        page.getByRole('link', { name }).getAttribute('href')
      expect(await href('runbook')).toBe('https://example.com/run')
      expect(await href('Source')).toBe('https://example.com/graph')
      expect(await page.getByRole('link', { name: 'evil' }).count()).toBe(0)
      await page.getByText('on-call').first().waitFor()
    }
  })

  it('shows in one browser what was done in another', async () => {
    await fire(server.alerts, ofTeam('both', disks))
    const one = await goToTeam('both')
    const other = await openPage(browser(), `${server.url}#/silences?search=both`)
    // Then lists are read once a minute only, and everything sooner comes by the stream.
    await one.page.getByText('Live', { exact: true }).waitFor()
    await other.page.getByText('Live', { exact: true }).waitFor()
    await one.page.getByRole('button', { name: 'Silence the group' }).click()
    await one.page.getByLabel('Created by').fill('maya')
    await one.page.getByLabel('Comment').fill('new disks')
    await one.page.keyboard.press('Enter')
    await other.page.getByText('new disks').waitFor()
    await silenced(one.page).first().waitFor()
    await other.page.getByRole('button', { name: 'Expire' }).click()
    await silenced(one.page).first().waitFor({ state: 'detached' })
    await fire(server.alerts, ofTeam('both', [{ alertname: 'Slow' }]))
    await one.page.getByText('4 alerts · 2 groups').waitFor()
  })

  it('is accessible in light and dark colours', async () => {
    await fire(
      server.alerts,
      ofTeam('axe', [...disks, { alertname: 'Slow', severity: 'warning' }, { a: 'b' }]),
      {
        annotations: { summary: 'see https://example.com', text: 'more' },
        generatorURL: 'https://example.com',
      },
    )
    // The frame is the same around both.
    for (const [view, part] of [
      ['cards', undefined],
      ['table', '#main'],
    ] as const) {
      const { page } = await goToTeam('axe', `view=${view}`)
      await page
        .locator(view === 'table' ? '[aria-rowindex]' : 'section[data-severity]')
        .first()
        .waitFor()
      await page.getByText('5 alerts').first().waitFor()
      await page.getByRole('checkbox', { name: 'Select Slow' }).waitFor()
      await expectAccessible(page, part)
      await page.getByRole('checkbox', { name: 'Select Slow' }).check()
      await page.keyboard.press('s')
      await page.getByText('Covers 1 alert now').waitFor()
      // The dialog is the same over both.
      if (isWide || view === 'cards') await expectAccessible(page, '[role=dialog]')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('checkbox', { name: 'Select Slow' }).uncheck()
    }
  })
})

describeWithBrowser('the page of four alerts in Chromium', () => {
  const goTo = useAlerts(useBrowser(), async (alerts) => {
    await fire(alerts, [...disks, { alertname: 'Slow', severity: 'warning' }])
    const startedAt = Math.floor(Date.now() / 900_000) * 900_000 - 8 * 900_000
    const peak = { at: startedAt, alerts: 1_200 }
    const id = String(startedAt).padStart(15, '0')
    const collection = alertsCollections.find(({ name }) => name === 'firing_peaks')
    if (collection === undefined) throw new Error('peaks are not stored any more')
    await alerts.storage.commit([{ collection, id, value: peak }])
  })

  it('filters by what is typed and by labels that are clicked, in the address too', async () => {
    const { page } = await goTo('view=cards')
    await page.getByText('4 alerts · 2 groups').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('inst')
    // The names of labels come with the first focus.
    await page.getByRole('option', { name: 'instance' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const filter = page.getByLabel('Filter by matchers')
    await expect.poll(() => filter.inputValue()).toBe('instance=')
    await page.keyboard.type('"b"')
    await page.getByText('1 alert · 1 group').waitFor()
    expect(new URL(page.url()).hash).toBe('#/alerts?view=cards&filter=instance%3D%22b%22')
    await page.reload()
    await page.getByText('1 alert · 1 group').waitFor()
    await filter.fill('severity=~"(')
    await page.getByText('Column 11: expected a value').waitFor()
    await filter.fill('severity=~"("')
    await page.getByText('missing closing )').waitFor()
    await filter.fill('')
    await page.getByTitle('Add severity="critical" to the filter').first().click()
    await expect.poll(() => filter.inputValue()).toBe('severity="critical"')
  })

  it('draws how many alerts fired in the last day', async () => {
    const { page, problems } = await goTo('view=cards')
    const trend = page.getByRole('figure', { name: 'All firing alerts in the last 24 hours' })
    await trend.getByText(/^peak 1,200, [23]h ago$/).waitFor()
    await trend.getByText('now', { exact: true }).waitFor()
    // Nothing is known of the time between two hours ago and now, so the line has two parts.
    expect((await trend.locator('path').getAttribute('d'))?.match(/M/g)).toHaveLength(2)
    await expectAccessible(page, 'figure')
    expect(problems).toEqual([])
  })

  it('has one line of numbers on a phone', async () => {
    const { page } = await goTo('view=cards')
    const usual = page.viewportSize()
    onTestFinished(() => page.setViewportSize(usual ?? { width: 1280, height: 900 }))
    await page.setViewportSize({ width: 360, height: 800 })
    const overview = page.getByRole('region', { name: 'Overview' })
    await overview.getByRole('button', { name: 'critical 3' }).waitFor()
    expect((await overview.boundingBox())?.height).toBeLessThan(50)
    // Lines have room for what tells the alerts of a group apart, not for the name that the group has.
    await page.getByText('Lines', { exact: true }).click()
    const line = page.locator('[data-fingerprint]').first()
    await line.getByText('a', { exact: true }).first().waitFor()
    expect(await line.getByText('DiskFull').isVisible()).toBe(false)
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(overflow).toBe(0)
  })

  it('selects alerts with keys and silences them', async () => {
    const { page } = await goTo('view=table')
    await page.getByText('4 alerts').first().waitFor()
    await goToAlert(page)
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('s')
    await page.getByText('Covers 1 alert now').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByText('Go to the filter').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('completes values of all alerts, also of those that the filter hides', async () => {
    const { page } = await goTo('view=cards&filter=severity%3D"critical"')
    await page.getByText('3 alerts · 1 group').waitFor()
    const filter = page.getByLabel('Filter by matchers')
    await filter.press('End')
    for (let i = 0; i < 'critical"'.length; i++) await filter.press('Backspace')
    await page.getByRole('option', { name: 'warning' }).click()
    await expect.poll(() => filter.inputValue()).toBe('severity="warning"')
    await page.getByText('1 alert · 1 group').waitFor()
  })
})

describeWithBrowser('the page of alerts of which one is silenced in Chromium', () => {
  const goTo = useAlerts(useBrowser(), async (alerts) => {
    await fire(alerts, disks)
    await createSilence(alerts, {
      matchers: [{ name: 'instance', value: 'a', isRegex: false }],
      startsAt: Date.now(),
      endsAt: Date.now() + 3_600_000,
      createdBy: 'maya',
      comment: 'known',
    })
  })

  it('proposes a silence for those of a group that are not silenced', async () => {
    const { page } = await goTo('view=cards')
    await silenced(page).first().waitFor()
    await page.getByRole('button', { name: 'Silence the group' }).click()
    await page.getByTitle('Change instance=~"b|c"').waitFor()
    await page.getByText('Covers 2 alerts now').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('shows alerts of one state alone, or without it', async () => {
    const { page } = await goTo('view=cards&filter=')
    await page.getByRole('button', { name: '1 silenced' }).click()
    await page.getByText('1 alert · 1 group').waitFor()
    await page.getByRole('button', { name: '1 silenced' }).click()
    await page.getByText('3 alerts · 1 group').waitFor()
    await page.getByRole('button', { name: '1 silenced' }).click({ modifiers: ['Alt'] })
    await page.getByText('2 alerts · 1 group').waitFor()
    await page.getByRole('button', { name: 'without silenced' }).click()
    await page.getByText('3 alerts · 1 group').waitFor()
  })
})
