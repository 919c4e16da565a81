import {
  type AlertsContext,
  collectGarbage,
  createAlerts,
  type Dispatcher,
  type Notifier,
  postAlerts,
  startDispatcher,
} from '@gatehouse/core/alerts'
import { createManualClock, type ManualClock } from '@gatehouse/core/testing'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { expect, it } from 'vitest'
import { reachableBytes } from '../../../test-support/reachable-bytes.ts'
import { Database } from '../../../test-support/sqlite.ts'

const config = `
route:
  receiver: team
  group_by: [host]
  group_wait: 30s
  group_interval: 5m
  repeat_interval: 4h
receivers: [ { name: team } ]
`

const minute = 60_000
const stepMs = 30 * minute
const groupsPerStep = 50
/** Enough for the alerts' feed to reach its bound in memory before a quarter of the steps. */
const alertsPerGroup = 10
const alertLifeMs = 12 * minute
/** How long the notification log of a group is kept after its last tick. */
const retentionMs = 180 * minute
const steps = 240

/** One step: new groups that fire, are resolved, and disappear. */
async function turnOver(
  alerts: AlertsContext,
  { clock, dispatcher, step }: { clock: ManualClock; dispatcher: Dispatcher; step: number },
): Promise<void> {
  const now = clock.now()
  await postAlerts(
    alerts,
    Array.from({ length: groupsPerStep * alertsPerGroup }, (_, i) => ({
      labels: { alertname: 'DiskFull', host: `host-${step}-${i % groupsPerStep}`, disk: `${i}` },
      annotations: { summary: `The ${i}th of step ${step}` },
      startsAt: now,
      endsAt: now + alertLifeMs,
    })),
  )
  for (let passed = 0; passed < stepMs; passed += minute / 2) {
    await dispatcher.settled()
    clock.advance(minute / 2)
  }
  await dispatcher.settled()
  await collectGarbage(alerts)
}

/** Rows of the dispatcher's tables. */
function countRows(database: Database): Record<string, number> {
  const count = (table: string): number => Number(database.value(`SELECT count(*) FROM "${table}"`))
  return {
    groups: count('gatehouse_alert_groups'),
    log: count('gatehouse_notification_log'),
    alerts: count('gatehouse_alerts'),
  }
}

it('a dispatcher holds no more after 12,000 groups came and went than after half of them', {
  timeout: 240_000,
}, async () => {
  const clock = createManualClock()
  const database = new Database(':memory:')
  const storage = createSqliteStorage({ filename: ':memory:', database, clock })
  const notified: Record<string, number> = { firing: 0, resolved: 0 }
  const team: Notifier = {
    name: 'counting',
    async notify({ status }) {
      notified[status] = 1 + (notified[status] ?? 0)
      return { outcome: 'sent' }
    },
  }
  const alerts = createAlerts({
    storage,
    config,
    clock,
    retentionMs,
    notifiers: { team: [team] },
  })
  const dispatcher = startDispatcher(alerts)
  const bytes: number[] = []
  let most: Record<string, number> = {}
  for (let step = 0; step < steps; step++) {
    await turnOver(alerts, { clock, dispatcher, step })
    const rows = Object.entries(countRows(database))
    most = Object.fromEntries(rows.map(([name, n]) => [name, Math.max(n, most[name] ?? 0)]))
    if (step >= steps / 4 && step % 5 === 0) bytes.push(reachableBytes())
  }
  await dispatcher.stop()

  console.log(most, bytes.map((b) => (b / 1e6).toFixed(2)).join(' '))
  expect(notified).toEqual({ firing: steps * groupsPerStep, resolved: steps * groupsPerStep })
  expect(most.groups).toBeLessThanOrEqual(2 * groupsPerStep)
  expect(most.alerts).toBeLessThanOrEqual(2 * groupsPerStep * alertsPerGroup)
  expect(most.log).toBeLessThanOrEqual((retentionMs / stepMs + 3) * groupsPerStep)
  // If each of the 4,500 groups between them leaked 430 bytes, this would be 1.9 MB.
  const middle = bytes.length / 2
  const grown = Math.max(...bytes.slice(middle)) - Math.max(...bytes.slice(0, middle))
  expect(grown).toBeLessThan(1_900_000)
  await storage.close()
})
