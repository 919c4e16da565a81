import { describe, expect, it } from 'vitest'
import { fetchHandler } from '../../http/fetch-handler.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import { loadAlertsConfig } from '../config/config.ts'
import { createFixture } from '../service.fixture.ts'
import { createHistoryWorld, minute } from '../start/start-history.fixture.ts'
import { compareRoutes } from './compare-routes.ts'
import { previewConfig } from './preview-config.ts'

const before = loadAlertsConfig(`
route:
  receiver: a
  group_by: [alertname]
  routes: [{ receiver: b, matchers: [team="db"] }]
receivers: [{ name: a }, { name: b }]
`)

describe('compareRoutes', () => {
  const alerts = [
    { alertname: 'A', team: 'db' },
    { alertname: 'B', team: 'db' },
    { alertname: 'C', team: 'web' },
  ]
  const compare = (config: string) => compareRoutes(before, loadAlertsConfig(config), alerts)

  it('counts alerts that go elsewhere, by from where and to where', async () => {
    const { moves, ...counts } = await compare(`
route:
  receiver: a
  group_by: [alertname]
  routes: [{ receiver: c, matchers: [team="db"], continue: true }, { matchers: [alertname="A"] }]
receivers: [{ name: a }, { name: c }]
`)
    expect(counts).toEqual({ alerts: 3, moved: 2 })
    expect(
      moves.map(({ from, to, count }) =>
        [from, to].map((all) => all.map((one) => one.receiver)).concat([[`${count}`]]),
      ),
    ).toEqual([
      [['b'], ['c', 'a'], ['1']],
      [['b'], ['c'], ['1']],
    ])
    expect(moves[0]?.examples).toEqual([{ alertname: 'A', team: 'db' }])
  })

  it.each([
    ['the grouping', 'group_by: [alertname]', 'group_by: [team]', 3],
    ['the timing', 'receiver: a', 'receiver: a\n  repeat_interval: 1h', 3],
    ['a mute time', 'receiver: b,', 'receiver: b, mute_time_intervals: [night],', 2],
    ['nothing', 'name: a }', 'name: a }', 0],
    ['only how matchers are written', 'matchers: [team="db"]', 'match: { team: db }', 0],
  ])('sees a difference of %s', async (_, text, replacement, moved) => {
    const written = `
route:
  receiver: a
  group_by: [alertname]
  routes: [{ receiver: b, matchers: [team="db"] }]
receivers: [{ name: a }, { name: b }]
time_intervals: [{ name: night, time_intervals: [{ times: [{ start_time: '22:00', end_time: '24:00' }] }] }]
`
    expect(await compare(written.replace(text, replacement))).toMatchObject({ moved })
  })
})

describe('previewConfig', () => {
  it('says what is wrong with a draft, at its line, and resolves nothing', async () => {
    const { alerts } = createFixture()
    const { problems, difference } = await previewConfig(alerts, {
      config:
        'route:\n  receiver: nobody\nreceivers:\n- name: a\n  webhook_configs: [{ url: "nonsense" }]\n',
    })
    expect(problems.map(({ line }) => line)).toEqual([5, 2])
    expect(difference).toBeUndefined()
    const config =
      'route: { receiver: a }\nreceivers: [{ name: a, webhook_configs: [{ url: "https://$' +
      '{env:HOST}/x" }] }]\n'
    expect(await previewConfig(alerts, { config })).toMatchObject({ problems: [], warnings: [] })
  })

  it('says where the route begins that has a problem', async () => {
    const { alerts } = createFixture()
    const config = `route:
  receiver: a
  routes:
    - matchers: [team="db"]
      receiver: nobody
receivers: [{ name: a }, { name: a }]
`
    const { problems } = await previewConfig(alerts, { config })
    expect(problems.map(({ line, routeLine }) => [line, routeLine])).toEqual(
      expect.arrayContaining([
        [5, 4],
        [6, undefined],
      ]),
    )
  })

  it('warns of the masks of a shown configuration, in a valid draft and in one with problems', async () => {
    const { alerts } = createFixture()
    const masked = `route: { receiver: a }
receivers:
- name: a
  slack_configs: [{ api_url: <secret> }]
`
    const warnings = [
      { line: 4, column: 30, message: expect.stringMatching(/^<secret> stands in place of a/) },
    ]
    expect(await previewConfig(alerts, { config: masked })).toMatchObject({
      problems: [],
      warnings,
      difference: { alerts: 0 },
    })
    const bad = masked.replace('receiver: a', 'receiver: b')
    expect(await previewConfig(alerts, { config: bad })).toMatchObject({
      problems: [{ line: 1 }],
      warnings,
    })
  })

  it('compares the alerts that fire, and those of the history if wanted', async () => {
    const world = createHistoryWorld()
    const { alerts, post } = world.start()
    await post('Over', minute)
    await world.pass(10 * minute)
    await post('Now', minute)
    await world.pass(6_000)
    const config = 'route: { receiver: other }\nreceivers: [{ name: other }]\n'
    const now = await previewConfig(alerts, { config })
    expect(now).toMatchObject({ isWhole: true, difference: { alerts: 1, moved: 1 } })
    const lately = await previewConfig(alerts, { config, historyMs: 60 * minute })
    expect(lately.difference).toMatchObject({ alerts: 2, moved: 2, moves: [{ count: 2 }] })
    await world.end()
  })

  it('is served over HTTP', async () => {
    const { alerts } = createFixture()
    await postAlerts(alerts, [{ labels: { alertname: 'x' } }])
    const ask = (body: unknown): Promise<Response> =>
      fetchHandler(alerts.routes)(
        new Request('http://host/gatehouse/v1/config-preview', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      )
    const good = await ask({ config: 'route: { receiver: a }\nreceivers: [{ name: a }]' })
    expect(await good.json()).toMatchObject({ problems: [], difference: { alerts: 1, moved: 1 } })
    const bad = await ask({ config: 'route: [' })
    expect(await bad.json()).toMatchObject({ problems: [{ line: expect.any(Number) }] })
    expect((await ask({})).status).toBe(400)
  })
})
