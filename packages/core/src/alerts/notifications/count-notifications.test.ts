import { expect, it } from 'vitest'
import type { StoredNotification } from '../history/notification-record.ts'
import { createFixture } from '../service.fixture.ts'
import { countNotifications } from './count-notifications.ts'
import { record } from './notifications.fixture.ts'

const hour = 3_600_000

it('counts notifications by receiver and part of the time, failures first', async () => {
  const { alerts, clock } = createFixture()
  const now = clock.now()
  const outcomes: StoredNotification['outcome'][] = [
    'sent',
    'silenced',
    'inhibited',
    'muted',
    'acknowledged',
    'limited',
    'canceled',
    'deduplicated',
  ]
  await record(alerts, [
    { at: now - 25 * hour },
    ...outcomes.map((outcome) => ({ at: now - 3 * hour, outcome })),
    { at: now - 1, receiver: 'pager', outcome: 'failed' },
    { at: now },
  ])
  expect(await countNotifications(alerts, { parts: 4 })).toEqual({
    from: '2026-01-01T12:00:00.000Z',
    to: '2026-01-02T12:00:00.000Z',
    partMs: 6 * hour,
    countedFrom: '2026-01-01T12:00:00.000Z',
    receivers: [
      { receiver: 'pager', sent: [0, 0, 0, 0], failed: [0, 0, 0, 1], notSent: [0, 0, 0, 0] },
      { receiver: 'team', sent: [0, 0, 0, 1], failed: [0, 0, 0, 0], notSent: [0, 0, 0, 6] },
    ],
  })
})

it('counts only one receiver, or groups whose labels match', async () => {
  const { alerts, clock } = createFixture()
  const at = clock.now() - 1
  await record(alerts, [
    { at, groupKey: '{}/{a=~":{x"}:{alertname="Disk", note="say \\"x\\": {}"}' },
    { at, groupKey: '{}:{alertname="Load"}', receiver: 'other' },
    { at, groupKey: '{}:{alertname="Disk", cut', groupHash: 'ff'.repeat(32), receiver: 'other' },
  ])
  const names = async (query: Parameters<typeof countNotifications>[1]): Promise<string[]> =>
    (await countNotifications(alerts, query)).receivers.map(({ receiver }) => receiver)
  expect(await names({ receiver: 'other' })).toEqual(['other'])
  expect(await names({ filter: ['alertname="Disk"', 'note=~"say .x.: .*"'] })).toEqual(['team'])
  expect(await names({ filter: ['alertname="Nothing"'] })).toEqual([])
})

it('says where it stopped counting', async () => {
  const { alerts, clock } = createFixture({ historyRetentionMs: 12 * hour })
  const now = clock.now()
  await record(
    alerts,
    Array.from({ length: 100_100 }, (_, i) => ({ at: now - 1 - i })),
  )
  const { countedFrom, receivers } = await countNotifications(alerts)
  expect(receivers[0]?.sent.reduce((a, b) => a + b, 0)).toBe(100_000)
  expect(Date.parse(countedFrom)).toBe(now - 100_000)
  const older = await countNotifications(alerts, { to: now - 11 * hour })
  expect(Date.parse(older.countedFrom)).toBe(now - 12 * hour)
})

it.each([{ parts: 0 }, { parts: 201 }, { parts: 1.5 }, { from: 5, to: 5 }])(
  'refuses %o',
  async (query) => {
    const { alerts } = createFixture()
    await expect(countNotifications(alerts, query)).rejects.toMatchObject({
      reason: 'InvalidHistoryQuery',
    })
  },
)

it('counts from the first to the last instant there is', async () => {
  const { alerts, clock } = createFixture()
  await record(alerts, [{ at: clock.now() - 1 }])
  const [first, last] = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z']
  const counts = await countNotifications(alerts, { from: first, to: last, parts: 1 })
  expect(counts.receivers).toMatchObject([{ sent: [1] }])
  expect((await countNotifications(alerts, { to: first })).receivers).toEqual([])
})
