import { describe, expect, it } from 'vitest'
import { fetchHandler } from '../../http/fetch-handler.ts'
import type { AlertsQuery } from '../board/alert-query.ts'
import type { AlertSummary } from '../board/alert-summary.ts'
import type { AlertsContext } from '../context.ts'
import { createFixture } from '../service.fixture.ts'
import { createSilence } from '../silences/create-silence.ts'
import { acknowledge } from './acknowledge.ts'
import { listAlerts } from './list-alerts.ts'
import { postAlerts } from './post-alerts.ts'
import { summarizeAlerts } from './summarize-alerts.ts'

const minute = 60_000

const get = ({ routes }: AlertsContext, query = '', headers: Record<string, string> = {}) =>
  fetchHandler(routes)(new Request(`http://host/gatehouse/v1/alerts/summary${query}`, { headers }))

const config = `
route:
  receiver: everybody
  routes: [{ receiver: on-call, matchers: [severity="critical"] }]
receivers: [{ name: everybody }, { name: on-call }]
inhibit_rules:
  - { source_matchers: [team="a", severity="critical"], target_matchers: [team="b"] }
`

/** 120 alerts of three teams: those of `b` are inhibited, some of `a` and `b` are silenced, one is acknowledged. */
async function createWorld() {
  const world = createFixture({ config })
  const { alerts, clock } = world
  const severities = [{ severity: 'critical' }, { severity: 'warning' }, { severity: 'info' }, {}]
  await postAlerts(
    alerts,
    Array.from({ length: 120 }, (_, index) => ({
      labels: {
        alertname: `Alert${index % 7}`,
        instance: `host-${index}`,
        team: 'abc'[index % 3] ?? '',
        ...severities[index % 4],
      },
      startsAt: clock.now() - index * minute,
      endsAt: clock.now() + 60 * minute,
    })),
  )
  await createSilence(alerts, {
    matchers: [{ name: 'instance', value: 'host-(1|2|3).*', isRegex: true }],
    startsAt: clock.now(),
    endsAt: clock.now() + 30 * minute,
    createdBy: 'lena',
    comment: 'known',
  })
  const [first] = await listAlerts(alerts)
  await acknowledge(alerts, { fingerprint: first?.fingerprint ?? '', by: 'lena' })
  return world
}

/** The numbers of a list, counted in the plainest way. */
async function countedFromList(alerts: AlertsContext, query: AlertsQuery, now: number) {
  const list = await listAlerts(alerts, query)
  const number = (wanted: (alert: (typeof list)[number]) => boolean): number =>
    list.filter(wanted).length
  return {
    total: list.length,
    active: number(({ status }) => status.state === 'active'),
    suppressed: number(({ status }) => status.state === 'suppressed'),
    silenced: number(({ status }) => status.silencedBy.length > 0),
    inhibited: number(({ status }) => status.inhibitedBy.length > 0),
    acknowledged: number(({ acknowledgement }) => acknowledgement !== undefined),
    recent: number(({ startsAt }) => Date.parse(startsAt) > now - 15 * minute),
    severities: ['critical', 'warning', 'info', ''].flatMap((value) => {
      const of = number(({ labels }) => (labels.severity ?? '') === value)
      return of === 0 ? [] : [{ value, alerts: of }]
    }),
    onCall: number(({ receivers }) => receivers.some(({ name }) => name === 'on-call')),
    teams: ['a', 'b', 'c'].map((team) => number(({ labels }) => labels.team === team)),
  }
}

describe('summarizeAlerts', () => {
  it.each<AlertsQuery>([
    {},
    { filter: ['severity="critical"'] },
    { filter: ['team=~"a|b"', 'severity!="info"'] },
    { filter: ['severity=""'], active: false },
    { silenced: false },
    { inhibited: false },
    { active: false, silenced: false },
    { active: false, silenced: false, inhibited: false },
    { receiver: 'on-call' },
    { filter: ['team="nobody"'] },
  ])('has the numbers of the list with %j', async (query) => {
    const { alerts, clock } = await createWorld()
    const { onCall, teams, ...wanted } = await countedFromList(alerts, query, clock.now())
    const summary = await summarizeAlerts(alerts, query)
    expect(summary).toMatchObject(wanted)
    const numbers = (counts: AlertSummary['receivers'] = []): Record<string, number> =>
      Object.fromEntries(counts.map(({ value, alerts: of }) => [value, of]))
    expect(numbers(summary.receivers)['on-call'] ?? 0).toBe(onCall)
    const { values } = summary.labels.find(({ name }) => name === 'team') ?? {}
    expect(['a', 'b', 'c'].map((team) => numbers(values)[team] ?? 0)).toEqual(teams)
    for (const { alerts: of } of summary.labels) expect(of).toBeLessThanOrEqual(summary.total)
  })

  it('lists the most frequent labels and values, and how many there are', async () => {
    const { alerts } = await createWorld()
    const { labels } = await summarizeAlerts(alerts)
    expect(labels.map(({ name, alerts: of, distinct }) => [name, of, distinct])).toEqual([
      ['team', 120, 3],
      ['alertname', 120, 7],
      ['instance', 120, 120],
      ['severity', 90, 3],
    ])
    expect(labels[1]?.values[0]).toEqual({ value: 'Alert0', alerts: 18 })
    expect(labels[2]?.values).toHaveLength(10)
  })

  it('has at most 50 kB, whatever the alerts are', async () => {
    const { alerts, clock } = createFixture()
    const endsAt = clock.now() + 60 * minute
    const wide = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`label${index}`.padEnd(120, 'x'), '<>'.repeat(10)]),
    )
    const posted = Array.from({ length: 10_000 }, (_, index) => ({
      labels: { alertname: 'Many', instance: `host-${index}`.padEnd(125, '<é') },
      endsAt,
    }))
    const hostile = Array.from({ length: 200 }, (_, index) => ({
      labels: Object.fromEntries(
        Object.entries(wide).map(([name, value]) => [name, `${value}${index}`.padEnd(120, '-')]),
      ),
      endsAt,
    }))
    for (let at = 0; at < posted.length; at += 1_000) {
      await postAlerts(alerts, posted.slice(at, at + 1_000))
    }
    await postAlerts(alerts, hostile)
    const answer = await get(alerts)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect(bytes.length).toBeLessThanOrEqual(50_000)
    const { labels } = JSON.parse(new TextDecoder().decode(bytes)) as AlertSummary
    expect(labels).toHaveLength(20)
    expect(labels.find(({ name }) => name === 'instance')).toMatchObject({ distinct: 10_000 })
  })
})

describe('GET /gatehouse/v1/alerts/summary', () => {
  it('has a tag that holds until an alert, a silence or the age of an alert changes', async () => {
    const { alerts, clock } = await createWorld()
    const tagNow = async (): Promise<string> => {
      const answer = await get(alerts)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([
        200,
        'private, no-cache',
      ])
      return answer.headers.get('etag') ?? ''
    }
    const first = await tagNow()
    expect((await get(alerts, '', { 'if-none-match': first })).status).toBe(304)
    await postAlerts(alerts, [{ labels: { alertname: 'New' }, endsAt: clock.now() + 60 * minute }])
    const second = await tagNow()
    clock.advance(minute)
    const third = await tagNow()
    clock.advance(29 * minute)
    const { silenced } = (await (await get(alerts)).json()) as AlertSummary
    expect([new Set([first, second, third]).size, silenced]).toEqual([3, 0])
  })

  it.each([
    ['filter={', 'unexpected open or close brace'],
    ['receiver=(', 'failed to parse receiver param'],
    ['receiverMatchers=x', 'bad matcher format'],
    ['receiver_matchers=x', 'there is no parameter'],
  ])('refuses %s as the list does', async (query, message) => {
    const { alerts } = createFixture()
    const answer = await get(alerts, `?${query}`)
    const ofList = await fetchHandler(alerts.routes)(
      new Request(`http://host/gatehouse/v1/alerts?${query}`),
    )
    const text = await answer.text()
    expect([answer.status, text]).toEqual([400, expect.stringContaining(message)])
    expect([ofList.status, await ofList.text()]).toEqual([400, text])
  })
})
