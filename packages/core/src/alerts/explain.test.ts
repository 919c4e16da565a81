import { expect, it } from 'vitest'
import { createSilence } from './create-silence.ts'
import { explain } from './explain.ts'
import { postAlerts } from './post-alerts.ts'
import { createFixture } from './service.fixture.ts'
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
  expect(explained.reasons).toHaveLength(5)
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
