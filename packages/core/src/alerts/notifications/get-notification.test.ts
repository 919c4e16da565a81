import { describe, expect, it } from 'vitest'
import { fingerprint, labelSetFromObject } from '../alert/label-set.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import type { AlertsContext } from '../context.ts'
import { notificationOf } from '../history/notification-record.ts'
import { packHistory } from '../history/pack-history.ts'
import { updateAlertsConfig } from '../running-config/update-alerts-config.ts'
import { createFixture } from '../service.fixture.ts'
import { getNotification } from './get-notification.ts'
import { record, recordAlerts } from './notifications.fixture.ts'

const config = (more = ''): string => `
route:
  receiver: everybody
  routes:
    - { receiver: team, matchers: [x="y"], group_by: [x] }
    - { receiver: team, matchers: [alertname="Disk"], group_by: [alertname] }
receivers:
  - name: everybody
  - name: team
    webhook_configs:
      - url: https://hook.example.com/s3cr3t
        http_config: { authorization: { credentials: s3cr3t } }
        ${more}
`

const disk = (n: number) => ({ alertname: 'Disk', instance: `${n}` })

/** A service whose history has a notification about a firing and a resolved alert, and ids. */
async function createWorld() {
  const { alerts, clock } = createFixture({ config: config() })
  const at = clock.now() - 60_000
  await recordAlerts(alerts, [
    { at: at - 9, event: 'firing', fingerprint: 'a', labels: disk(1), annotations: { s: 'old' } },
    { at: at - 8, event: 'changed', fingerprint: 'a', labels: disk(1), annotations: { s: 'then' } },
    {
      at: at - 7,
      event: 'resolved',
      fingerprint: 'b',
      labels: disk(2),
      annotations: {},
      endsAt: at - 7,
    },
    {
      at: at + 1,
      event: 'changed',
      fingerprint: 'a',
      labels: disk(1),
      annotations: { s: 'later' },
    },
  ])
  const [id = '', other = ''] = await record(alerts, [
    {
      at,
      groupKey: '{}/{alertname="Disk"}:{alertname="Disk"}',
      integration: 'webhook/0',
      outcome: 'failed',
      detail: 'unexpected status code 500: why',
      reason: 'first notification',
      firing: ['a', 'gone'],
      resolved: ['b'],
    },
    { at, outcome: 'silenced', firing: ['a'], causes: [{ id: 's', name: 'known' }] },
  ])
  return { alerts, clock, id, other, at }
}

describe('getNotification()', () => {
  it('names what suppressed the alerts, and a record has only the beginning of a name', async () => {
    const { alerts, other, at } = await createWorld()
    const { causes } = (await getNotification(alerts, other)).notification
    expect(causes).toEqual([{ id: 's', name: 'known' }])
    const decision = { at, groupKey: '{}', receiver: 'team', outcome: 'silenced' } as const
    const long = { id: 's', name: 'why '.repeat(50) }
    const stored = notificationOf({ ...decision, firing: [], resolved: [], causes: [long] })
    expect(stored.causes?.[0]?.name.slice(0, 8)).toBe('why why ')
    expect(stored.causes?.[0]?.name.length).toBeLessThanOrEqual(101)
  })

  it('returns a decision with its alerts as they were, and the message with its secrets masked', async () => {
    const { alerts, id } = await createWorld()
    const { notification, alerts: shown, unknownCount, message } = await getNotification(alerts, id)
    expect(notification).toMatchObject({
      id,
      detail: 'unexpected status code 500: why',
      groupLabels: { alertname: 'Disk' },
    })
    expect(shown).toMatchObject([
      { fingerprint: 'a', status: 'firing', labels: disk(1), annotations: { s: 'then' } },
      { fingerprint: 'b', status: 'resolved', labels: disk(2) },
    ])
    expect(unknownCount).toBe(1)
    expect(message).toMatchObject({ integration: 'webhook/0', outcome: 'rendered' })
    const [request] = message?.requests ?? []
    expect(request).toMatchObject({ method: 'POST', url: 'https://hook.example.com/<secret>' })
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      status: 'firing',
      groupKey: '{}/{alertname="Disk"}:{alertname="Disk"}',
      groupLabels: { alertname: 'Disk' },
      alerts: [{ annotations: { s: 'then' } }, { status: 'resolved' }],
    })
    expect(JSON.stringify(message)).not.toContain('s3cr3t')
  })

  it('finds packed decisions, too', async () => {
    const { alerts, clock, id, at } = await createWorld()
    await record(
      alerts,
      Array.from({ length: 600 }, () => ({ at: at - 30_000 })),
    )
    clock.advance(600_000)
    await packHistory(alerts)
    expect((await getNotification(alerts, id)).notification.id).toBe(id)
  })

  it('takes alerts that the history does not know from those stored now', async () => {
    const { alerts, clock } = createFixture({ config: config() })
    await postAlerts(alerts, [{ labels: disk(3), endsAt: clock.now() + 60_000 }])
    const firing = [fingerprint(labelSetFromObject(disk(3)))]
    const [id = ''] = await record(alerts, [{ at: clock.now(), firing }])
    expect((await getNotification(alerts, id)).alerts).toMatchObject([{ labels: disk(3) }])
  })

  it('has no message for a decision without an integration, and says if there is none any more', async () => {
    const { alerts, id, other } = await createWorld()
    expect(await getNotification(alerts, other)).not.toHaveProperty('message')
    expect(await getNotification(alerts, id, { message: false })).not.toHaveProperty('message')
    updateAlertsConfig(alerts, 'route: { receiver: new }\nreceivers: [{ name: new }]')
    expect((await getNotification(alerts, id)).message).toEqual({
      integration: 'webhook/0',
      outcome: 'skipped',
      detail: 'the running configuration has no such integration',
      requests: [],
    })
  })

  it('cuts long bodies', async () => {
    const { alerts, clock } = createFixture({ config: config() })
    const firing = Array.from({ length: 200 }, (_, i) => `f${i}`)
    await recordAlerts(
      alerts,
      firing.map((fingerprint, i) => {
        const annotations = { text: 'x'.repeat(4_000) }
        return { at: clock.now(), event: 'firing', fingerprint, labels: disk(i), annotations }
      }),
    )
    const [id = ''] = await record(alerts, [{ at: clock.now(), integration: 'webhook/0', firing }])
    const { message, alerts: shown } = await getNotification(alerts, id)
    expect(shown).toHaveLength(200)
    expect(message?.requests[0]?.body).toHaveLength(65_536)
  })

  it.each(['', 'x', '0', `${'9'.repeat(15)}-0`, `${'0'.repeat(15)}-${'a'.repeat(500)}`, '\ud800'])(
    'refuses the id %j',
    async (bad) => {
      const { alerts } = await createWorld()
      await expect(getNotification(alerts as AlertsContext, bad)).rejects.toMatchObject({
        reason: expect.stringMatching(/^(NotificationNotFound|InvalidInput)$/),
      })
    },
  )
})
