import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Database } from '../../../../../test-support/sqlite.ts'
import { blockCollection, blocksOf, packedCollection } from '../../history/history-block.ts'
import { createHistoryIds } from '../../history/history-id.ts'
import type { Storage } from '../../storage/storage.ts'
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts'
import { listAlertHistory } from '../alerts/list-alert-history.ts'
import type { AlertsContext } from '../context.ts'
import { type AlertsOptions, createAlerts } from '../create-alerts.ts'
import { listNotifications } from '../notifications/list-notifications.ts'
import { minute, second } from '../start/start-history.fixture.ts'
import { alertHistoryCollection } from './alert-event.ts'
import { notificationHistoryCollection } from './notification-record.ts'
import { packHistory } from './pack-history.ts'

let clock: ManualClock
let database: Database
let storage: Storage
beforeEach(() => {
  clock = createManualClock(Date.UTC(2026, 0, 2, 12))
  database = new Database(':memory:')
  storage = createSqliteStorage({ filename: ':memory:', database, clock })
})
afterEach(() => storage.close())

const start = (options: Partial<AlertsOptions> = {}): AlertsContext =>
  createAlerts({
    storage,
    clock,
    config: 'route: { receiver: team }\nreceivers: [ { name: team } ]',
    ...options,
  })

const idsOf = createHistoryIds({ random: () => 'process' })

const labels = (group: number): Record<string, string> => ({
  alertname: `HighLatency${group % 20}`,
  cluster: `eu-${group % 3}`,
  instance: `web-${group}.example.com:9100`,
  severity: 'critical',
})

/** Records a notification: its alert fires or is resolved, and a receiver was notified. */
function notificationAt(
  at: number,
  index: number,
): ReturnType<typeof alertHistoryCollection.write>[] {
  const group = (index * 7) % 200
  const fingerprint = (group * 0x1234567).toString(16).padStart(16, '0')
  const isFiring = index % 2 === 0
  const expiresAt = at + 14 * 24 * 60 * minute
  return [
    alertHistoryCollection.write(
      idsOf(at),
      {
        at,
        event: isFiring ? 'firing' : 'resolved',
        fingerprint,
        labels: labels(group),
        annotations: {
          summary: `The latency of web-${group} is high`,
          description: `It is ${(index * 37) % 1_000} ms, and should be below 200 ms.`,
          runbook_url: 'https://runbooks.example.com/latency/high-latency-of-a-web-server',
        },
        generatorURL: `http://prometheus.example.com/graph?g0.expr=latency%3E0.2&g0.tab=1&group=${group % 20}`,
        startsAt: at - 1_234,
        ...(isFiring ? {} : { endsAt: at }),
      },
      { expiresAt },
    ),
    notificationHistoryCollection.write(
      idsOf(at + 30_000),
      {
        at: at + 30_000,
        groupKey: `{}/{severity="critical"}:{alertname="HighLatency${group % 20}", cluster="eu-${group % 3}"}`,
        receiver: 'team-web',
        integration: 'webhook/0',
        outcome: 'sent',
        reason: isFiring ? 'first notification' : 'all alerts resolved',
        firing: isFiring ? [fingerprint] : [],
        resolved: isFiring ? [] : [fingerprint],
        firingCount: isFiring ? 1 : 0,
        resolvedCount: isFiring ? 0 : 1,
        attempts: 1,
        tookMs: (index * 13) % 90,
      },
      { expiresAt },
    ),
  ]
}

/** Writes this many notifications, 11 seconds apart, packing now and then as a process does. */
async function write(alerts: AlertsContext, count: number, pack = true): Promise<void> {
  for (let index = 0; index < count; index += 6) {
    const writes = Array.from({ length: Math.min(6, count - index) }, (_, more) => {
      clock.advance(11 * second)
      return notificationAt(clock.now(), index + more)
    })
    await alerts.storage.commit(writes.flat())
    if (pack && index % 30 === 0) await packHistory(alerts)
  }
}

/** The bytes of the file in use. */
function usedBytes(): number {
  const number = (pragma: string): number => Number(database.value(`PRAGMA ${pragma}`))
  return (number('page_count') - number('freelist_count')) * number('page_size')
}

/** The ids of all pages of a history. */
async function allIds(
  list: typeof listAlertHistory | typeof listNotifications,
  alerts: AlertsContext,
  query: object,
): Promise<string[]> {
  const ids: string[] = []
  let after: string | undefined
  do {
    const page = await list(alerts, { ...query, ...(after === undefined ? {} : { after }) })
    ids.push(...page.items.map(({ id }) => id))
    after = page.next
  } while (after !== undefined)
  return ids
}

describe('the history of 5,000 notifications', () => {
  it('takes less than a quarter of the bytes once packed, with the same content', async () => {
    const alerts = start()
    await write(alerts, 5_000, false)
    const before = usedBytes()
    const readAll = async () => ({
      events: (await listAlertHistory(alerts, { limit: 300 })).items,
      older: (await listAlertHistory(alerts, { limit: 50, to: clock.now() - 600 * minute })).items,
      sent: await allIds(listNotifications, alerts, { limit: 1_000 }),
      ofOne: await allIds(listAlertHistory, alerts, { fingerprint: '0000000001234567' }),
      ofName: await allIds(listAlertHistory, alerts, {
        filter: ['alertname="HighLatency3"'],
        limit: 7,
      }),
    })
    const unpacked = await readAll()
    expect(unpacked.sent).toHaveLength(5_000)
    expect(unpacked.ofOne.length).toBeGreaterThan(10)
    await packHistory(alerts)
    const after = usedBytes()
    expect(await readAll()).toEqual(unpacked)
    expect(after * 4).toBeLessThan(before)
  })
})

describe('packing', () => {
  it('continues while history is written, and leaves less than a block and a minute unpacked', async () => {
    const alerts = start()
    await write(alerts, 1_000)
    const loose = await alertHistoryCollection.find(storage, { by: 'id', limit: 10_000 })
    expect(loose.length).toBeLessThan(256 + 66)
    const ids = await allIds(listAlertHistory, alerts, { limit: 33 })
    expect(ids).toEqual([...ids].sort().reverse())
    expect(new Set(ids).size).toBe(1_000)
  })

  it('keeps a late record at its place', async () => {
    const alerts = start()
    const startedAt = clock.now()
    await write(alerts, 600)
    await alerts.storage.commit(notificationAt(startedAt + 5_000, 7))
    const ids = await allIds(listAlertHistory, alerts, { limit: 10 })
    expect(ids).toHaveLength(601)
    expect(ids).toEqual([...ids].sort().reverse())
    expect(await allIds(listAlertHistory, alerts, { to: startedAt + 30_000 })).toHaveLength(3)
  })

  it('takes nothing from concurrent readers', async () => {
    const alerts = start()
    await write(alerts, 2_000, false)
    const seen: string[] = []
    let after: string | undefined
    do {
      const reading = listAlertHistory(alerts, { limit: 400, ...(after && { after }) })
      const [page] = await Promise.all([reading, packHistory(alerts)])
      seen.push(...page.items.map(({ id }) => id))
      after = page.next
    } while (after !== undefined)
    expect(seen).toHaveLength(2_000)
    expect(seen).toEqual([...seen].sort().reverse())
  })

  it('by two processes at once packs each record once', async () => {
    const [one, other] = [start(), start()]
    await write(one, 600, false)
    await Promise.all([packHistory(one), packHistory(other), packHistory(one)])
    const ids = await allIds(listAlertHistory, other, { limit: 100 })
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength(600)
  })
})

describe('history over its size limit', () => {
  it('loses its oldest blocks, of the largest kind first', async () => {
    const alerts = start({ historyMaxBytes: 40_000 })
    await write(alerts, 3_000)
    const sizeOf = async (name: string): Promise<number> => {
      const [oldest] = await blockCollection.find(storage, {
        by: 'id',
        ...blocksOf(name),
        limit: 1,
      })
      const packed = await packedCollection.get(storage, name)
      return (packed?.value.bytes ?? 0) - (oldest?.value.offset ?? 0)
    }
    const [events, sent] = [await sizeOf('alert_history'), await sizeOf('notification_history')]
    expect(events + sent).toBeLessThanOrEqual(40_000)
    expect(events + sent).toBeGreaterThan(20_000)
    const ids = await allIds(listNotifications, alerts, { limit: 500 })
    expect(ids.length).toBeGreaterThan(300)
    expect(ids.length).toBeLessThan(3_000)
    // The newest records are present.
    const [newest] = ids
    expect(Number(newest?.slice(0, 15))).toBe(clock.now() + 30 * second)
  })

  it('also expires with its retention', async () => {
    const alerts = start()
    await write(alerts, 600)
    clock.advance(15 * 24 * 60 * minute)
    expect(await blockCollection.find(storage, { by: 'id', limit: 1 })).toEqual([])
    expect((await listAlertHistory(alerts)).items).toEqual([])
  })
})
