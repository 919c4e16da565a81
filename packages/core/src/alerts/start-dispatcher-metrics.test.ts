import { expect, it } from 'vitest'
import { loadAlertsConfig } from './config/config.ts'
import { createAlerts } from './create-alerts.ts'
import { postAlerts } from './post-alerts.ts'
import { config, createFixture } from './service.fixture.ts'
import { startDispatcher } from './start-dispatcher.ts'
import { collectGarbage } from './start-maintenance.ts'

const team = `
route: { receiver: team, group_by: [alertname], group_wait: 0s }
receivers: [{ name: team }]
`

it('metrics of notifications have receivers and group keys on request', async () => {
  const { storage, clock } = createFixture()
  const alerts = createAlerts({
    storage,
    clock,
    config: team,
    notifiers: { team: [{ name: 'test', notify: async () => ({ outcome: 'sent' }) }] },
    metricLabels: ['receiver_name', 'group_key'],
  })
  const dispatcher = startDispatcher(alerts)
  await postAlerts(alerts, [{ labels: { alertname: 'A' } }])
  clock.advance(1_000)
  await dispatcher.settled()
  await dispatcher.stop()
  const { body } = await alerts.metrics.expose(null)
  const labels = 'integration="test",receiver_name="team",group_key="{}:{alertname=\\"A\\"}"'
  expect(body).toContain(`\nalertmanager_notifications_total{${labels}} 1\n`)
  expect(body).toContain(`\nalertmanager_notification_requests_total{${labels}} 1\n`)
  expect(body).toContain(`\nalertmanager_notification_latency_seconds_count{${labels}} 1\n`)
  expect(body).toContain('\nalertmanager_nflog_queries_total 1\n')
  expect(body).toContain('\nalertmanager_nflog_query_duration_seconds_count 1\n')
})

it('metrics of dropped alerts have their names on request', async () => {
  const { storage, clock } = createFixture()
  const alerts = createAlerts({
    storage,
    clock,
    config,
    perAlertnameLimit: 1,
    metricLabels: ['alertname'],
  })
  await postAlerts(
    alerts,
    [1, 2, 3].map((i) => ({ labels: { alertname: 'A', i: `${i}` } })),
  )
  const { body } = await alerts.metrics.expose(null)
  expect(body).toContain('\nalertmanager_alerts_limited_total{alertname="A"} 2\n')
})

it('metrics have no further labels by default, and count the runs of maintenance', async () => {
  const { alerts } = createFixture()
  await collectGarbage(alerts)
  const { body } = await alerts.metrics.expose(null)
  expect(body).toContain('\nalertmanager_notifications_total{integration="webhook"} 0\n')
  expect(body).toContain('\nalertmanager_alerts_limited_total 0\n')
  expect(body).toContain('\nalertmanager_silences_maintenance_total 1\n')
  expect(body).toContain('\nalertmanager_silences_gc_duration_seconds_count 1\n')
})

it('a null inhibit rule is accepted and does nothing, other null items are refused', () => {
  const load = (text: string) => loadAlertsConfig(`${team}${text}`)
  expect(load('inhibit_rules: [null]').inhibit_rules).toEqual([])
  expect(() =>
    loadAlertsConfig(team.replace('[{ name: team }]', '[{ name: team }, null]')),
  ).toThrow('missing receiver')
})
