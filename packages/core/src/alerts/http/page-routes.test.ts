import { describe, expect, it } from 'vitest'
import { fetchHandler } from '../../http/fetch-handler.ts'
import { listAlertsPage } from '../alerts/list-alerts-page.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import type { AlertsContext } from '../context.ts'
import type { Page } from '../page/page.ts'
import { createFixture } from '../service.fixture.ts'
import { createSilence } from '../silences/create-silence.ts'

const minute = 60_000

const get = ({ routes }: AlertsContext, path: string, headers: Record<string, string> = {}) =>
  fetchHandler(routes)(new Request(`http://host/gatehouse/v1/${path}`, { headers }))

type Item = Readonly<Record<string, unknown>> & {
  readonly labels: Readonly<Record<string, string>>
}

/** A page; tests compare its content. */
const pageAt = async (alerts: AlertsContext, path: string): Promise<Page<Item>> => {
  const answer = await get(alerts, path)
  expect([path, answer.status]).toEqual([path, 200])
  return (await answer.json()) as Page<Item>
}

const names = ({ items }: Page<Item>): string =>
  items.map(({ labels }) => labels.alertname).join(' ')

/** Alerts whose names begin with letters in the order of their starts. */
async function createWorld() {
  const world = createFixture()
  const { alerts, clock } = world
  const severities = ['warning', 'critical', undefined, 'info', 'odd', 'critical']
  const posted = severities.map((severity, index) => ({
    labels: {
      alertname: String.fromCharCode(97 + index),
      team: index < 3 ? 'a' : 'night',
      ...(severity === undefined ? {} : { severity }),
    },
    annotations: { summary: `<${index}>` },
    startsAt: clock.now() - (10 - index) * minute,
    endsAt: clock.now() + 60 * minute,
  }))
  await postAlerts(alerts, posted)
  return world
}

describe('GET /gatehouse/v1/alerts', () => {
  it('sorts by times, labels and severity, in both directions', async () => {
    const { alerts } = await createWorld()
    const orders: [sort: string, order: string][] = [
      ['startsAt', 'a b c d e f'],
      ['-startsAt', 'f e d c b a'],
      ['labels.alertname', 'a b c d e f'],
      ['-labels.team', 'd e f a b c'],
      ['severity', 'e d a b f c'],
      ['-severity', 'b f a d e c'],
    ]
    for (const [sort, order] of orders) {
      const page = await pageAt(alerts, `alerts?sort=${sort}`)
      const isTied = sort === '-labels.team'
      const found = isTied ? page.items.map(({ labels }) => labels.team).join() : names(page)
      expect([sort, found]).toEqual([sort, isTied ? 'night,night,night,a,a,a' : order])
    }
  })

  it('reads page by page, while alerts come and go', async () => {
    const { alerts, clock } = await createWorld()
    const path = 'alerts?sort=labels.alertname&limit=2'
    const first = await pageAt(alerts, path)
    expect([names(first), first.total]).toEqual(['a b', 6])
    const post = (alertname: string, endsAt: number, team = 'a') =>
      postAlerts(alerts, [{ labels: { alertname, team, severity: 'critical' }, endsAt }])
    await post('aa', clock.now() + minute)
    await post('cc', clock.now() + minute)
    await post('b', clock.now())
    const second = await pageAt(alerts, `${path}&after=${first.next}`)
    expect(names(second)).toBe('c cc')
    const third = await pageAt(alerts, `${path}&after=${second.next}`)
    const fourth = await pageAt(alerts, `${path}&after=${third.next}`)
    expect([names(third), names(fourth), fourth.next]).toEqual(['d e', 'f', undefined])
  })

  it('returns only the wanted fields, and counts all that match', async () => {
    const { alerts } = await createWorld()
    const query = `filter=team%3D"a"&silenced=false&fields=labels,status&fields=startsAt&limit=1`
    const page = await pageAt(alerts, `alerts?sort=startsAt&${query}`)
    expect(page).toEqual({
      items: [
        {
          startsAt: '2026-01-02T11:50:00.000Z',
          status: { inhibitedBy: [], mutedBy: [], silencedBy: [], state: 'active' },
          labels: { alertname: 'a', team: 'a', severity: 'warning' },
        },
      ],
      total: 3,
      next: expect.any(String),
    })
    expect(await listAlertsPage(alerts, { filter: ['team="a"'], limit: 1_000 })).toMatchObject({
      total: 3,
    })
  })

  it.each([
    ['sort=x', 'sort must be one of fingerprint, startsAt,'],
    ['fields=x', 'fields must be of annotations, endsAt,'],
    ['after=x', 'after is not the \\"next\\" of a page'],
    ['limit=1001', 'query.limit: expected a whole number from 1 to 1000'],
    ['limit=0x1', 'query.limit: expected a whole number from 1 to 1000, got \\"0x1\\"'],
    ['limit=-1', 'query.limit: expected a whole number from 1 to 1000, got \\"-1\\"'],
    ['filter={', 'unexpected open or close brace'],
  ])('refuses %s', async (query, message) => {
    const { alerts } = createFixture()
    const answer = await get(alerts, `alerts?${query}`)
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(message)])
  })

  it('refuses the cursor of another sort', async () => {
    const { alerts } = await createWorld()
    const { next } = await pageAt(alerts, 'alerts?limit=1')
    const answer = await get(alerts, `alerts?limit=1&sort=startsAt&after=${next}`)
    expect(await answer.text()).toContain('after belongs to the sort')
  })

  it('has a tag: 304 until the page changes, in all processes', async () => {
    const { alerts, clock, storage } = await createWorld()
    const path = 'alerts?fields=labels,status'
    const first = await get(alerts, path)
    const etag = first.headers.get('etag') ?? ''
    expect([etag.length, first.headers.get('cache-control')]).toEqual([24, 'private, no-cache'])
    const { alerts: other } = createFixture({ storage, clock })
    for (const tag of [etag, `"x", W/${etag}`, '*']) {
      const again = await get(other, path, { 'if-none-match': tag })
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
    }
    expect((await get(alerts, `${path}&limit=2`, { 'if-none-match': etag })).status).toBe(200)
    const matchers = [{ name: 'alertname', value: 'a', isRegex: false }]
    const silence = { matchers, createdBy: 'lena', comment: 'soon' }
    await createSilence(alerts, {
      ...silence,
      startsAt: clock.now() + minute,
      endsAt: clock.now() + 2 * minute,
    })
    expect((await get(alerts, path, { 'if-none-match': etag })).status).toBe(304)
    clock.advance(minute)
    const suppressed = await get(alerts, path, { 'if-none-match': etag })
    expect(suppressed.status).toBe(200)
    clock.advance(minute)
    expect((await get(alerts, path, { 'if-none-match': etag })).status).toBe(304)
  })

  it('changes nothing in the lists of Alertmanager', async () => {
    const { alerts } = await createWorld()
    const answer = await fetchHandler(alerts.routes)(
      new Request('http://host/api/v2/alerts?limit=1&fields=labels&sort=startsAt'),
    )
    expect([answer.headers.get('etag'), answer.headers.get('cache-control')]).toEqual([
      null,
      'no-store',
    ])
    expect(await answer.json()).toHaveLength(6)
  })
})

describe('GET /gatehouse/v1/alert-groups', () => {
  it('lists groups without their alerts, and the alerts of a group are a list of their own', async () => {
    const { alerts } = await createWorld()
    const page = await pageAt(alerts, 'alert-groups?sort=-startsAt&receiver=team-a&limit=2')
    expect(page.total).toBe(3)
    const [group] = page.items
    expect(group).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      groupKey: '{}/{team="a"}:{alertname="c"}',
      labels: { alertname: 'c' },
      receiver: { name: 'team-a' },
      mutedBy: [],
      counts: { all: 1, active: 1, suppressed: 0 },
      startsAt: '2026-01-02T11:52:00.000Z',
    })
    expect(names(await pageAt(alerts, `alerts?group=${group?.id}`))).toBe('c')
    expect(names(await pageAt(alerts, 'alerts?group=none'))).toBe('')
    const muted = await pageAt(alerts, 'alert-groups?filter=alertname%3D"d"&fields=mutedBy,counts')
    expect(muted.items).toEqual([
      { mutedBy: ['day'], counts: { all: 1, active: 0, suppressed: 1 } },
    ])
  })
})

describe('GET /gatehouse/v1/silences', () => {
  it('sorts silences by their state, or otherwise', async () => {
    const { alerts, clock } = createFixture()
    const silence = (comment: string, from: number, to: number) =>
      createSilence(alerts, {
        matchers: [{ name: 'a', value: comment, isRegex: false }],
        startsAt: clock.now() + from * minute,
        endsAt: clock.now() + to * minute,
        createdBy: 'lena',
        comment,
      })
    for (const [comment, from, to] of [
      ['long', 0, 9],
      ['later', 2, 4],
      ['brief', 0, 1],
      ['short', 0, 3],
    ] as const) {
      await silence(comment, from, to)
    }
    clock.advance(minute)
    const comments = async (query: string): Promise<unknown[]> => {
      const { items } = await pageAt(alerts, `silences?fields=comment${query}`)
      return items.map(({ comment }) => comment)
    }
    expect(await comments('')).toEqual(['short', 'long', 'later', 'brief'])
    expect(await comments('&sort=-endsAt')).toEqual(['long', 'later', 'short', 'brief'])
    expect(await comments('&expired=false&limit=2')).toEqual(['short', 'long'])
  })

  it('says how many firing alerts each matches, as they come and go', async () => {
    const { alerts, clock } = createFixture()
    const post = (a: string, endsAt: number): Promise<void> =>
      postAlerts(alerts, [{ labels: { alertname: 'A', a }, endsAt }])
    for (const [value, from] of [
      ['1|2', 0],
      ['2|3', 5],
    ] as const) {
      await createSilence(alerts, {
        matchers: [{ name: 'a', value, isRegex: true }],
        startsAt: clock.now() + from * minute,
        endsAt: clock.now() + 9 * minute,
        createdBy: 'lena',
        comment: '',
      })
    }
    const counts = async (): Promise<unknown[]> =>
      (await pageAt(alerts, 'silences?fields=alertCount')).items.map((one) => one.alertCount)
    expect(await counts()).toEqual([0, 0])
    await post('1', clock.now() + minute)
    await post('2', clock.now() + 20 * minute)
    expect(await counts()).toEqual([2, 1])
    clock.advance(2 * minute)
    expect(await counts()).toEqual([1, 1])
    clock.advance(8 * minute)
    expect(await counts()).toEqual([0, 0])
  })
})
