import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fetchHandler } from '../../http/fetch-handler.ts'
import type { Labels } from '../alert/alert.ts'
import { acknowledge } from '../alerts/acknowledge.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import { createFixture } from '../service.fixture.ts'
import { createSilence } from '../silences/create-silence.ts'
import {
  createDispatchWorld,
  type DispatchProcess,
  type DispatchWorld,
} from '../start/start-dispatcher.fixture.ts'
import { explain } from './explain.ts'
import { updateAlertsConfig } from './update-alerts-config.ts'

const minute = 60_000

it('explains the routes, groups, silences, inhibitions and mute times of an alert', async () => {
  const { alerts, clock } = createFixture()
  const now = clock.now()
  await postAlerts(alerts, [{ labels: { alertname: 'x', severity: 'critical' } }])
  const id = await createSilence(alerts, {
    matchers: [{ name: 'team', value: 'a', isRegex: false }],
    startsAt: now,
    endsAt: now + minute,
    createdBy: 'me',
    comment: 'moving',
  })
  const labels = { alertname: 'x', severity: 'warning', team: 'a' }
  const explained = await explain(alerts, labels)
  expect(explained).toMatchObject({
    labels,
    firing: false,
    state: 'suppressed',
    routes: [
      {
        receiver: 'team-a',
        path: ['{}', '{team="a"}'],
        continued: false,
        groupLabels: { alertname: 'x' },
        groupKey: '{}/{team="a"}:{alertname="x"}',
        groupWaitMs: 30_000,
        mutedBy: [],
      },
      { receiver: 'night', continued: true, mutedBy: ['day'] },
    ],
    silencedBy: [{ id }],
    inhibitedBy: { rule: 0, equal: { alertname: 'x' }, sourceLabels: { severity: 'critical' } },
  })
  expect(explained.reasons).toHaveLength(7)
  await postAlerts(alerts, [{ labels }])
  expect((await explain(alerts, labels)).firing).toBe(true)
})

it('routes stored alerts by a new configuration, and ignores an invalid one', async () => {
  const { alerts } = createFixture()
  const labels = { alertname: 'x', team: 'a' }
  await postAlerts(alerts, [{ labels }])
  const receivers = async (): Promise<string[]> =>
    (await explain(alerts, labels)).routes.map(({ receiver }) => receiver)
  expect(await receivers()).toEqual(['team-a', 'night'])
  expect(() => updateAlertsConfig(alerts, 'route: {}')).toThrow(
    'root route must specify a default receiver',
  )
  expect(await receivers()).toEqual(['team-a', 'night'])
  updateAlertsConfig(alerts, 'route: { receiver: new }\nreceivers: [ { name: new } ]')
  expect(await receivers()).toEqual(['new'])
  expect(alerts.board.groups.sorted().map(({ route }) => route.receiver)).toEqual(['new'])
})

describe('explain, with a dispatcher', () => {
  let world: DispatchWorld
  beforeEach(() => {
    world = createDispatchWorld()
  })
  afterEach(() => world.end())

  const config = `
route: { receiver: team, group_by: [alertname], group_wait: 30s, group_interval: 5m, repeat_interval: 1h }
receivers: [{ name: team, rate_limit: { notifications: 1, per: 1h } }]
`
  const labels = { alertname: 'A', i: '1' }
  const nextOf = async ({ alerts }: DispatchProcess, of: Labels): Promise<unknown> =>
    (await explain(alerts, of)).routes[0]?.next

  it('tells the timers of the group, what its integrations know, and what happens next', async () => {
    const one = world.start({ config })
    expect(await nextOf(one, labels)).toMatchObject({
      what: 'nothing',
      because: 'it is not firing',
    })
    await world.post(one, ['A/1'])
    await world.pass(10)
    const before = await explain(one.alerts, labels)
    expect(before.routes[0]).toMatchObject({
      group: {
        nextFlushAt: '2026-01-01T00:00:30.000Z',
        integrations: [{ integration: 'code:test/0', knows: false }],
      },
      next: { what: 'notification', at: '2026-01-01T00:00:30.000Z' },
    })
    await world.pass(60)
    const after = await explain(one.alerts, labels)
    expect(after.routes[0]).toMatchObject({
      group: {
        nextFlushAt: '2026-01-01T00:05:30.000Z',
        integrations: [
          {
            knows: true,
            lastNotifiedAt: '2026-01-01T00:00:30.000Z',
            repeatsAt: '2026-01-01T01:00:30.000Z',
          },
        ],
      },
      next: { what: 'repetition', at: '2026-01-01T01:05:30.000Z' },
    })
    expect(after.reasons[0]).toBe(
      'goes to receiver "team" by route {}, in the group {}:{alertname="A"}: group_wait 30s, group_interval 5m (next flush 2026-01-01T00:05:30.000Z), repeat_interval 1h',
    )
    expect(after.reasons.at(-1)).toBe(
      'receiver "team" will be notified again at 2026-01-01T01:05:30.000Z: every integration has already been notified',
    )
    expect(world.notifications.map(({ at }) => at)).toEqual([30])
    await world.pass(3_600)
    expect(world.notifications.map(({ at }) => at)).toEqual([30])
    await world.pass(300)
    expect(world.notifications.map(({ at }) => at)).toEqual([30, 3_930])
  })

  it.each([
    [
      '',
      '2026-01-01T00:05:30.000Z',
      'code:test/0 was notified that it is firing; the resolved notification is still due',
    ],
    [
      'true',
      undefined,
      'code:test/0 will be notified that it resolved once it is not silenced any more',
    ],
    ['false', undefined, 'it is silenced'],
  ])('says that its end follows (resolved after suppression: %s)', async (after, at, because) => {
    const one = world.start({
      config: `
route: { receiver: team, group_by: [alertname], resolved_after_suppression: ${after === 'true'} }
receivers: [{ name: team }]
`,
    })
    await world.post(one, ['A/1'])
    await world.pass(60)
    if (after !== '') {
      await createSilence(one.alerts, {
        matchers: [{ name: 'alertname', value: 'A', isRegex: false }],
        endsAt: world.clock.now() + 60 * minute,
        createdBy: 'me',
        comment: '',
      })
    }
    await world.post(one, ['A/1'], 0)
    const next = { what: because.startsWith('code') ? 'notification' : 'nothing', because }
    expect(await nextOf(one, labels)).toEqual({ ...next, ...(at === undefined ? {} : { at }) })
    await world.pass(600)
    const isSent = world.notifications.some(({ status }) => status === 'resolved')
    expect(isSent).toBe(after === '')
    if (isSent) expect(await nextOf(one, labels)).toMatchObject({ because: 'it is not firing' })
  })

  it('names what keeps the alert back: acknowledgements, rate limits, silences', async () => {
    const one = world.start({ config })
    await world.post(one, ['A/1', 'B/1'])
    await world.pass(60)
    await acknowledge(one.alerts, { labels, by: 'maya', comment: 'on it' })
    expect(await explain(one.alerts, labels)).toMatchObject({
      acknowledgement: { by: 'maya', comment: 'on it' },
      routes: [{ next: { what: 'nothing', because: expect.stringContaining('acknowledged') } }],
    })
    const limited = { alertname: 'B', i: '1' }
    expect(await nextOf(one, limited)).toEqual({
      what: 'notification',
      at: '2026-01-01T01:00:30.000Z',
      because: 'receiver "team" is over its rate limit: a summary follows',
    })
    await createSilence(one.alerts, {
      matchers: [{ name: 'alertname', value: 'B', isRegex: false }],
      startsAt: world.clock.now(),
      endsAt: world.clock.now() + minute,
      createdBy: 'me',
      comment: '',
    })
    expect(await nextOf(one, limited)).toEqual({ what: 'nothing', because: 'it is silenced' })
  })

  it('is served over HTTP, as the routing tree with its alerts is', async () => {
    const one = world.start({ config })
    await world.post(one, ['A/1', 'A/2', 'B/1'])
    const serve = fetchHandler(one.alerts.routes)
    const ask = (body: unknown): Promise<Response> =>
      serve(
        new Request('http://host/gatehouse/v1/explain', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      )
    expect(await (await ask({ labels })).json()).toMatchObject({
      firing: true,
      routes: [{ receiver: 'team', next: { what: 'notification' } }],
    })
    for (const wrong of [{}, { labels: { a: 1 } }, { labels, more: 1 }, []]) {
      expect((await ask(wrong)).status).toBe(400)
    }
    const tree = await (await serve(new Request('http://host/gatehouse/v1/routes'))).json()
    expect(tree).toMatchObject({
      receiver: 'team',
      groupBy: ['alertname'],
      counts: { alerts: 3, groups: 2 },
      routes: [],
    })
  })
})
