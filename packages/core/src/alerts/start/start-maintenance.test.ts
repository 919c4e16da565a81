import { expect, it } from 'vitest'
import { alertCollection } from '../alert/alert.ts'
import { listAlerts } from '../alerts/list-alerts.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import { createFixture } from '../service.fixture.ts'
import { silenceCollection } from '../silence/silence.ts'
import { createSilence } from '../silences/create-silence.ts'
import { collectGarbage, startMaintenance } from './start-maintenance.ts'

const minute = 60_000
const hour = 60 * minute

it('removes resolved alerts and long expired silences, and nothing else', async () => {
  const { alerts, clock, storage } = createFixture({ retentionMs: hour })
  const now = clock.now()
  await postAlerts(alerts, [
    ...Array.from({ length: 1_200 }, (_, n) => ({ labels: { n: `${n}` }, endsAt: now + minute })),
    { labels: { alertname: 'stays' }, endsAt: now + 2 * hour },
  ])
  for (const endsAt of [now + minute, now + 10 * minute]) {
    const matchers = [{ name: 'a', value: 'b', isRegex: false }]
    await createSilence(alerts, { matchers, startsAt: now, endsAt, createdBy: '', comment: '' })
  }
  expect(await collectGarbage(alerts)).toEqual({ alerts: 0, silences: 0 })
  clock.advance(hour + minute)
  expect(await collectGarbage(alerts)).toEqual({ alerts: 1_200, silences: 1 })
  expect(await storage.find(alertCollection, { by: 'id', limit: 10 })).toHaveLength(1)
  expect(await storage.find(silenceCollection, { by: 'id', limit: 10 })).toHaveLength(1)
  expect(await listAlerts(alerts)).toHaveLength(1)
})

it('a service that only receives posts keeps nothing of removed records', async () => {
  const { alerts, clock } = createFixture()
  await postAlerts(alerts, [{ labels: { a: 'b' }, endsAt: clock.now() + minute }])
  clock.advance(hour)
  await collectGarbage(alerts)
  expect(alerts.board.alerts.stored.size).toBe(0)
  expect(alerts.board.alerts.stored.takeChanged()).toEqual([])
})

it('maintenance runs at its interval until it is stopped', async () => {
  const { alerts, clock, storage } = createFixture({ gcIntervalMs: 10 * minute })
  const stored = async (): Promise<number> =>
    (await storage.find(alertCollection, { by: 'id', limit: 10 })).length
  const maintenance = startMaintenance(alerts)
  await postAlerts(alerts, [{ labels: { a: 'b' }, endsAt: clock.now() + minute }])
  clock.advance(9 * minute)
  expect(await stored()).toBe(1)
  clock.advance(minute)
  await expect.poll(stored).toBe(0)
  await maintenance.stop()
  await postAlerts(alerts, [{ labels: { a: 'b' }, endsAt: clock.now() + minute }])
  clock.advance(hour)
  expect(await stored()).toBe(1)
})
