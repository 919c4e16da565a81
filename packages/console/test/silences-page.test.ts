import { createSilence, expireSilence, getSilence, listSilences } from '@gatehouse/core'
import { createRecurringSilence, listRecurringSilences } from '@gatehouse/core/alerts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithBrowser, useBrowser, useServer } from '../../../test-support/browser.ts'
import { isWide } from '../../../test-support/lane.ts'
import { type ConsoleServer, expectAccessible, fire, startConsole } from './open-console.fixture.ts'
import { openPage, useOnePage } from './pages.fixture.ts'

describeWithBrowser('the page of silences in Chromium', () => {
  const browser = useBrowser()
  const server = useServer(() => startConsole('/ops'))

  it('makes a silence that recurs, and one until its alerts resolve, with a reminder', async () => {
    const { page, problems } = await openPage(
      browser(),
      `${server().url}#/silences/new?filter=${encodeURIComponent('{job="backup"}')}`,
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
    await expectAccessible(page, '[role=dialog]')
    await page.getByRole('button', { name: 'Create silence' }).click()
    await page.getByText('Recurring silences').waitFor()
    const [recurring] = await listRecurringSilences(server().alerts)
    expect(recurring).toMatchObject({
      createdBy: 'maya',
      timeIntervals: [{ weekdays: ['sunday'], times: [{ startTime: '02:00', endTime: '04:00' }] }],
    })
    await page.getByText('Sun 02:00–04:00').waitFor()
    await page.getByRole('link', { name: 'Edit' }).last().click()
    await page.getByLabel('From').fill('01:00')
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Lisbon')
    await page.getByRole('option', { name: 'Europe/Lisbon' }).click()
    await page.getByRole('button', { name: 'Save silence' }).click()
    await page.getByText('Sun 01:00–04:00 Europe/Lisbon').waitFor()
    const [edited] = await listRecurringSilences(server().alerts)
    expect(edited).toMatchObject({ id: recurring?.id, comment: 'the backup' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Sun 02:00–04:00').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Recurring silences').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Sun 02:00–04:00').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Recurring silences').waitFor({ state: 'detached' })

    await page.goto(`${server().url}#/silences/new?filter=${encodeURIComponent('{team="db"}')}`)
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
    // On the day before Sunday, the recurring silence has left silences of its own.
    const ofTeam = () => listSilences(server().alerts, { filter: ['team="db"'] })
    expect(await ofTeam()).toMatchObject([made])
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('Comment').fill('changed')
    await page.getByRole('button', { name: 'Save silence' }).click()
    await page.getByText('changed', { exact: true }).waitFor()
    expect(await ofTeam()).toMatchObject([{ ...made, comment: 'changed' }])
    expect(problems).toEqual([])
  })

  it('finds one of many silences, copies its link, and shows hostile ones as text', async () => {
    const attack = '<img src=x onerror="document.title=1">\u202e'
    for (let i = 0; i < 300; i++) {
      await createSilence(server().alerts, {
        matchers: [{ name: 'instance', value: i === 7 ? attack : `host-${i}`, isRegex: false }],
        startsAt: Date.now(),
        endsAt: Date.now() + 3_600_000 + i,
        createdBy: attack,
        comment: i === 7 ? `${attack} javascript:alert(1) ${'y'.repeat(100_000)}` : 'moving',
      })
    }
    const { page, problems } = await openPage(browser(), `${server().url}#/silences`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByText('Active 300').waitFor()
    expect(await page.getByRole('listitem').count()).toBeLessThan(60)
    await page.getByLabel('Search silences').fill('instance="<IMG moving')
    await page.getByText('No silence matches').waitFor()
    await page.getByLabel('Search silences').fill('instance="<IMG javascript')
    await page.getByText('Active 1', { exact: true }).waitFor()
    await page.getByText('<img src=x').first().waitFor()
    expect(await page.locator('main img, main a[href^="javascript"]').count()).toBe(0)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBe(0)
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Copied').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toMatch(/\/ops\/#\/silences\/[0-9a-f-]{36}$/)
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByRole('button', { name: 'Save silence' }).waitFor()
    expect(await page.title()).toBe('Silences · Gatehouse')
    expect(problems).toEqual([])
  })
})

describeWithBrowser('silences and their form, one after another in a window', () => {
  const browser = useBrowser()
  let server: ConsoleServer
  beforeAll(async () => {
    server = await startConsole('/ops')
  })
  afterAll(() => server?.stop())
  const goTo = useOnePage(browser)
  const withComment = async (comment: string) =>
    (await listSilences(server.alerts)).filter((one) => one.comment === comment)

  it("opens the form from a link of Alertmanager's page", async () => {
    await fire(server.alerts, [{ alertname: 'Disk', team: 'link' }])
    const { page, problems } = await goTo(
      `${server.url}#/silences/new?filter=${encodeURIComponent('{team="link"}')}`,
    )
    await page.getByText('Covers 1 alert now').waitFor()
    await page.getByText('8h', { exact: true }).click()
    await page.getByLabel('Created by').fill('maya')
    await page.getByRole('button', { name: 'Create silence' }).click()
    await page.getByText('Required').waitFor()
    await page.getByLabel('Comment').fill('moving')
    await page.getByRole('button', { name: 'Create silence' }).click()
    await page.getByText('team="link"').waitFor()
    const [silence] = await listSilences(server.alerts, { filter: ['team="link"'] })
    // The server starts it when the request arrives.
    const lengthMs = Date.parse(silence?.endsAt ?? '') - Date.parse(silence?.startsAt ?? '')
    expect(Math.round(lengthMs / 60_000)).toBe(480)
    expect(problems).toEqual([])
  })

  it('keeps the matchers of a link that cannot be read, and says what is wrong', async () => {
    await fire(server.alerts, [{ alertname: 'Disk', node: 'x y' }])
    const { page } = await goTo(`${server.url}#/silences/new?filter=node="a"b"`)
    const field = page.getByRole('textbox', { name: 'Matchers' })
    expect(await field.inputValue()).toBe('node="a"b"')
    expect(await page.getByRole('button', { name: 'Show as list' }).isDisabled()).toBe(true)
    await page
      .getByRole('dialog')
      .getByText(/^Column \d+: expected/)
      .waitFor()
    await page.getByLabel('Created by').fill('maya')
    await page.getByLabel('Comment').fill('unread')
    await page.getByRole('button', { name: 'Create silence' }).click()
    expect(await withComment('unread')).toEqual([])
    // A classic value is read.
    await page.goto(`${server.url}#/silences/new?filter=node=x y`)
    await page.getByText('Covers 1 alert now').waitFor()
    await page.getByTitle('Change node="x y"').waitFor()
  })

  it('does not silence while a matcher is half written', async () => {
    const { page } = await goTo(`${server.url}#/silences/new?filter=team="db"`)
    await page.getByTitle('Change team="db"').waitFor()
    await page.getByLabel('Created by').fill('maya')
    await page.getByLabel('Comment').fill('half written')
    await page.getByLabel('Add a matcher').fill('x')
    await page.getByRole('button', { name: 'Create silence' }).click()
    expect(await withComment('half written')).toEqual([])
  })

  it('keeps the exact end of a silence whose comment changes', async () => {
    const endsAt = Date.now() + 93_784_567
    const id = await createSilence(server.alerts, {
      matchers: [{ name: 'team', value: 'db', isRegex: false }],
      startsAt: Date.now(),
      endsAt,
      createdBy: 'maya',
      comment: 'a new disk',
    })
    const { page } = await goTo(`${server.url}#/silences/${id}`)
    await page.getByRole('button', { name: 'Save silence' }).waitFor()
    await page.getByLabel('Comment').fill('two new disks')
    await page.getByRole('button', { name: 'Save silence' }).click()
    await page.getByText('two new disks').waitFor()
    expect(Date.parse((await getSilence(server.alerts, id)).endsAt)).toBe(endsAt)
    await page.goto(`${server.url}#/silences/0b1c2d3e-0000-4000-8000-000000000000`)
    await page.getByText('There is no such silence').waitFor()
  })

  it('extends a silence, expires it, and takes that back', async () => {
    const id = await createSilence(server.alerts, {
      matchers: [{ name: 'team', value: 'extended', isRegex: false }],
      startsAt: Date.now(),
      endsAt: Date.now() + 3_600_000,
      createdBy: 'maya',
      comment: 'a new disk',
    })
    const { endsAt } = await getSilence(server.alerts, id)
    const { page } = await goTo(`${server.url}#/silences?search=extended`)
    await page.getByRole('button', { name: 'Extend' }).click()
    await page.getByText('8h longer').click()
    await expect
      .poll(async () => Date.parse((await getSilence(server.alerts, id)).endsAt))
      .toBe(Date.parse(endsAt) + 28_800_000)
    await page.getByRole('button', { name: 'Expire' }).click()
    await page.getByText('The silence has expired.').waitFor()
    expect(await getSilence(server.alerts, id)).toMatchObject({ status: { state: 'expired' } })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('team="extended"').waitFor()
    const active = await listSilences(server.alerts, {
      expired: false,
      filter: ['team="extended"'],
    })
    expect(active).toMatchObject([{ comment: 'a new disk', createdBy: 'maya' }])
  })

  it('lists the alerts of a recurring silence that is edited, as not silenced by others', async () => {
    await fire(server.alerts, [{ alertname: 'Disk', team: 'recurring' }])
    const { id } = await createRecurringSilence(server.alerts, {
      matchers: [{ name: 'team', value: 'recurring', isRegex: false }],
      timeIntervals: [{ times: [{ startTime: '00:00', endTime: '24:00' }] }],
      createdBy: 'maya',
      comment: 'a new disk',
    })
    const { page, problems } = await goTo(`${server.url}#/silences/recurring/${id}`)
    await page.getByText('Covers 1 alert now').waitFor()
    const covered = page.getByRole('region', { name: 'Covered alerts' })
    await covered.getByText('Disk', { exact: true }).waitFor()
    expect(await covered.getByText('already silenced').count()).toBe(0)
    await page.getByLabel('Comment').fill('changed')
    await page.getByRole('button', { name: 'Save silence' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect
      .poll(() => listRecurringSilences(server.alerts))
      .toMatchObject([{ id, comment: 'a new disk' }])
    expect(problems).toEqual([])
  })

  it('is accessible in light and dark colours', async () => {
    await createSilence(server.alerts, {
      matchers: [{ name: 'team', value: 'axe', isRegex: false }],
      startsAt: Date.now(),
      endsAt: Date.now() + 3_600_000,
      createdBy: 'maya',
      comment: 'a new disk',
    })
    const { page } = await goTo(`${server.url}#/silences`)
    // The frame is the same around all of them.
    for (const [place, heading, part] of [
      ['silences', 'Silences', undefined],
      ['silences/new', 'New silence', '[role=dialog]'],
      // Tests of these pages check them, too, with more in them.
      ...(isWide
        ? ([
            ['notifications', 'Notifications', '#main'],
            ['status', 'Status', '#main'],
          ] as const)
        : []),
    ] as const) {
      await page.goto(`${server.url}#/${place}`)
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
      await page.getByText('Loading…').waitFor({ state: 'detached' })
      await expectAccessible(page, part)
    }
  })

  it('says that a silence matches nothing, or everything, and asks once more', async () => {
    await fire(server.alerts, [{ alertname: 'A' }, { alertname: 'B' }])
    const link = (filter: string): string =>
      `${server.url}#/silences/new?filter=${encodeURIComponent(filter)}`
    const { page } = await goTo(link('alertname="A",alertname="B"'))
    await page.getByText('Matches no alert: two different values of alertname').waitFor()
    await page.goto(link('alertname="C"'))
    await page.getByText('Matches no alert now').waitFor()
    await page.goto(link('ghost!~"x.+"'))
    await page.getByText('Covers every alert').waitFor()
    await page.getByLabel('Created by').fill('maya')
    await page.getByLabel('Comment').fill('quiet everywhere')
    await page.getByRole('button', { name: 'Create silence' }).click()
    await page.getByText('Are you sure?').waitFor()
    await expectAccessible(page, '[role=dialog]')
    expect(await withComment('quiet everywhere')).toEqual([])
    await page.getByRole('button', { name: 'Silence every alert' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(async () => (await withComment('quiet everywhere')).length).toBe(1)
    const [made] = await withComment('quiet everywhere')
    await expireSilence(server.alerts, made?.id ?? '')
  })

  it('sorts and narrows silences, counts their alerts, and expires many at once', async () => {
    await fire(server.alerts, [
      { alertname: 'A', team: 'sorted-web' },
      { alertname: 'B', team: 'sorted-web' },
    ])
    for (const [createdBy, value, hours] of [
      ['ana', 'db', 1],
      ['ben', 'web', 8],
      ['ana', 'app', 9],
    ] as const) {
      await createSilence(server.alerts, {
        matchers: [{ name: 'team', value: `sorted-${value}`, isRegex: false }],
        endsAt: Date.now() + hours * 3_600_000,
        createdBy,
        comment: `of ${value}`,
      })
    }
    const { page, problems } = await goTo(`${server.url}#/silences?sort=alerts&search=sorted`)
    const comments = page.getByText(/^of /)
    await expect.poll(() => comments.allTextContents()).toEqual(['of web', 'of db', 'of app'])
    await page.getByRole('link', { name: '2 alerts' }).waitFor()
    await expectAccessible(page, '#main')
    await page.getByRole('combobox', { name: 'Author' }).click()
    await page.getByRole('option', { name: 'ana' }).click()
    await expect.poll(() => comments.allTextContents()).toEqual(['of db', 'of app'])
    await page.getByText('Ends within 2 h').click()
    await expect.poll(() => comments.allTextContents()).toEqual(['of db'])
    await page.getByText('Ends within 2 h').click()
    await page.getByLabel('Select all').check()
    await page.getByRole('button', { name: 'Expire 2 silences' }).click()
    await page.getByText('2 silences have expired.').waitFor()
    const left = async () => {
      const all = await listSilences(server.alerts, { expired: false })
      return all.filter(({ comment }) => /^of (?:db|web|app)$/.test(comment)).length
    }
    expect(await left()).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(left).toBe(3)
    expect(problems).toEqual([])
  })

  it('makes a silence that starts later, and takes its end back without starting it', async () => {
    const place = `${server.url}#/silences/new?filter=${encodeURIComponent('{team="later"}')}`
    const { page } = await goTo(place)
    await page.getByLabel('Starts').fill('soon')
    await page.getByText('Write a time such as').waitFor()
    await page.getByLabel('Starts').fill('3h')
    await page.getByLabel('Created by').fill('maya')
    await page.getByLabel('Comment').fill('the move')
    await page.getByRole('button', { name: 'Create silence' }).click()
    await page.getByText('Pending 1').click()
    await page.getByText('the move').waitFor()
    const [made] = await listSilences(server.alerts, { filter: ['team="later"'] })
    expect(made?.status.state).toBe('pending')
    await page.getByRole('button', { name: 'Expire' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Pending 1').waitFor()
    const pending = await listSilences(server.alerts, {
      expired: false,
      filter: ['team="later"'],
    })
    expect(pending).toMatchObject([{ startsAt: made?.startsAt, endsAt: made?.endsAt }])
  })
})
