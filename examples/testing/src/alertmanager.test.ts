import { readFileSync } from 'node:fs'
import {
  createAlerts,
  createSilence,
  expireSilence,
  explain,
  listAlertGroups,
  listAlerts,
  postAlerts,
} from '@gatehouse/core'
import { createManualClock } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'

const config = readFileSync(new URL('../alertmanager.yml', import.meta.url), 'utf8')
const minute = 60_000

/** The service on Friday, 2 January 2026, at noon UTC. Its clock moves only when a test advances it. */
function createService() {
  const clock = createManualClock(Date.UTC(2026, 0, 2, 12))
  const alerts = createAlerts({ storage: createMemoryStorage({ clock }), clock, config })
  return { alerts, clock }
}

describe('our routing tree', () => {
  it.each([
    [{ alertname: 'SlowQuery', team: 'database' }, ['database']],
    [{ alertname: 'Down', team: 'database', severity: 'critical' }, ['database-on-call']],
    [{ alertname: 'Started', severity: 'info' }, ['log']],
    [{ alertname: 'Anything' }, ['everybody']],
  ])('sends %j to %j', async (labels, receivers) => {
    const { alerts } = createService()
    const { routes } = await explain(alerts, labels)
    expect(routes.map((route) => route.receiver)).toEqual(receivers)
  })

  it('waits ten seconds before it pages', async () => {
    const { alerts } = createService()
    const labels = { alertname: 'Down', team: 'database', severity: 'critical' }
    const { routes } = await explain(alerts, labels)
    expect(routes.map((route) => route.groupWaitMs)).toEqual([10_000])
  })
})

describe('our inhibit rule', () => {
  it('inhibits warnings of an alert that is critical in the same cluster', async () => {
    const { alerts } = createService()
    await postAlerts(alerts, [
      { labels: { alertname: 'DiskFull', severity: 'critical', cluster: 'a' } },
      { labels: { alertname: 'DiskFull', severity: 'warning', cluster: 'a' } },
      { labels: { alertname: 'DiskFull', severity: 'warning', cluster: 'b' } },
    ])
    const warnings = await listAlerts(alerts, { filter: ['severity="warning"'] })
    expect(warnings.map(({ labels, status }) => [labels.cluster, status.state])).toEqual(
      expect.arrayContaining([
        ['a', 'suppressed'],
        ['b', 'active'],
      ]),
    )
  })
})

describe('a silence for a deployment', () => {
  it('covers the alert until it is expired', async () => {
    const { alerts, clock } = createService()
    const state = async (): Promise<unknown> => (await listAlerts(alerts))[0]?.status.state
    const id = await createSilence(alerts, {
      matchers: [{ name: 'team', value: 'database', isRegex: false }],
      endsAt: clock.now() + 60 * minute,
      createdBy: 'ann',
      comment: 'moving to the new cluster',
    })
    await postAlerts(alerts, [{ labels: { alertname: 'Down', team: 'database' } }])
    expect(await state()).toBe('suppressed')
    clock.advance(minute)
    await expireSilence(alerts, id)
    expect(await state()).toBe('active')
  })
})

describe('time', () => {
  it('mutes the log outside office hours', async () => {
    const { alerts, clock } = createService()
    await postAlerts(alerts, [
      {
        labels: { alertname: 'Started', severity: 'info' },
        endsAt: clock.now() + 24 * 60 * minute,
      },
    ])
    const mutedBy = async (): Promise<unknown> => {
      const [group] = await listAlertGroups(alerts)
      return group?.alerts[0]?.status.mutedBy
    }
    expect(await mutedBy()).toEqual([])
    clock.setTo(Date.UTC(2026, 0, 2, 20))
    expect(await mutedBy()).toEqual(['office-hours'])
  })

  it('resolves an alert that is not posted again for five minutes', async () => {
    const { alerts, clock } = createService()
    await postAlerts(alerts, [{ labels: { alertname: 'Down' } }])
    clock.advance(5 * minute - 1)
    expect(await listAlerts(alerts)).toHaveLength(1)
    clock.advance(1)
    expect(await listAlerts(alerts)).toEqual([])
  })
})
