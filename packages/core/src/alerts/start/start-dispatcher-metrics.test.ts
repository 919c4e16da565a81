import { expect, it } from 'vitest'
import { postAlerts } from '../alerts/post-alerts.ts'
import { loadAlertsConfig } from '../config/config.ts'
import { createAlerts } from '../create-alerts.ts'
import { config, createFixture } from '../service.fixture.ts'
import { createSilence } from '../silences/create-silence.ts'
import { getSilence } from '../silences/get-silence.ts'
import { listSilences, listSilencesJson } from '../silences/list-silences.ts'
import { listSilencesPage } from '../silences/list-silences-page.ts'
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

it('metrics count queries of silences and the silences that they looked at', async () => {
  const { alerts, storage, clock } = createFixture()
  for (const createdBy of ['a', 'b']) {
    const id = await createSilence(alerts, {
      matchers: [{ name: 'team', value: createdBy, isRegex: false }],
      startsAt: clock.now(),
      endsAt: clock.now() + 60_000,
      createdBy,
      comment: 'maintenance',
    })
    await getSilence(alerts, id)
  }
  await listSilences(alerts)
  await listSilencesPage(alerts)
  await listSilencesJson(alerts)
  await listSilencesJson(alerts)
  const { body } = await alerts.metrics.expose(null)
  const silences = (rest: string) => expect(body).toContain(`\nalertmanager_silences_${rest}\n`)
  silences('queries_total 6')
  silences('query_duration_seconds_count 6')
  silences('query_errors_total 0')
  silences('query_silences_scanned_total 6')
  silences('query_silences_skipped_total 2')
  silences('state_size 2')
  silences('matcher_index_size 2')
  await storage.close()
  await expect(listSilences(alerts)).rejects.toThrow()
  const after = await alerts.metrics.expose(null)
  expect(after.body).toContain('\nalertmanager_silences_query_errors_total 1\n')
})

it('exposes every metric of Alertmanager about silences and the notification log', async () => {
  const { alerts } = createFixture()
  const { body } = await alerts.metrics.expose(null)
  const types = [...body.matchAll(/^# TYPE alertmanager_((?:silences|nflog)_\w+) (\w+)$/gm)]
  expect(types.map(([, name, type]) => `${name} ${type}`)).toEqual([
    'nflog_gc_duration_seconds summary',
    'nflog_gossip_messages_propagated_total counter',
    'nflog_maintenance_errors_total counter',
    'nflog_maintenance_total counter',
    'nflog_queries_total counter',
    'nflog_query_duration_seconds histogram',
    'nflog_query_errors_total counter',
    'nflog_snapshot_duration_seconds summary',
    'nflog_snapshot_size_bytes gauge',
    'silences_gc_duration_seconds summary',
    'silences_gc_errors_total counter',
    'silences_gossip_messages_propagated_total counter',
    'silences_maintenance_errors_total counter',
    'silences_maintenance_total counter',
    'silences_matcher_compile_errors_total counter',
    'silences_matcher_index_size gauge',
    'silences_queries_total counter',
    'silences_query_duration_seconds histogram',
    'silences_query_errors_total counter',
    'silences_query_silences_scanned_total counter',
    'silences_query_silences_skipped_total counter',
    'silences_snapshot_duration_seconds summary',
    'silences_snapshot_size_bytes gauge',
    'silences_state_size gauge',
    'silences_version_index_size gauge',
  ])
})

it('a null inhibit rule is accepted and does nothing, other null items are refused', () => {
  const load = (text: string) => loadAlertsConfig(`${team}${text}`)
  expect(load('inhibit_rules: [null]').inhibit_rules).toEqual([])
  expect(() =>
    loadAlertsConfig(team.replace('[{ name: team }]', '[{ name: team }, null]')),
  ).toThrow('missing receiver')
})
