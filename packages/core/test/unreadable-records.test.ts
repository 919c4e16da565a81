import {
  createAlerts,
  createAuth,
  createFunctionNotifier,
  createUser,
  createWebhooks,
  getRun,
  getUser,
  type Json,
  listAlertGroups,
  listAlerts,
  listRuns,
  listSilences,
  postAlerts,
  resolveSessionToken,
  startDispatcher,
  startHistory,
} from '@gatehouse/core'
import {
  alertsCollections,
  listAlertHistory,
  listNotifications,
  listSilenceHistory,
} from '@gatehouse/core/alerts'
import { type Collection, checkRecords } from '@gatehouse/core/store'
import { createManualClock } from '@gatehouse/core/testing'
import { webhooksCollections } from '@gatehouse/core/webhook'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'

const config = `
route: { receiver: team, group_by: [alertname], group_wait: 1s, group_interval: 1m, repeat_interval: 4h }
receivers: [ { name: team } ]
`

const clock = createManualClock(Date.UTC(2026, 0, 2, 12))
const now = clock.now()

const alert = {
  labels: { alertname: 'A' },
  annotations: {},
  startsAt: now,
  endsAt: now + 1e9,
  updatedAt: now,
}
const silence = {
  matchers: [{ name: 'a', value: 'b', isRegex: false, isEqual: true }],
  startsAt: now,
  endsAt: now + 1e9,
  updatedAt: now,
  createdBy: 'maya',
  comment: 'c',
}

/** Almost valid alerts and silences, as an older version or a person may have left them. */
const brokenAlerts: Json[] = [
  { ...alert, endsAt: 1e18 },
  { ...alert, endsAt: '2026-11-23T23:00:00Z' },
  { ...alert, startsAt: null },
  { ...alert, labels: { alertname: 5 } },
  { ...alert, labels: 'alertname' },
  { ...alert, annotations: null },
  { ...alert, generatorURL: 7 },
  null,
  'nonsense',
]
const brokenSilences: Json[] = [
  { ...silence, comment: null },
  { ...silence, endsAt: 1e18 },
  { ...silence, startsAt: '2026-11-23T23:00:00Z' },
  { ...silence, matchers: [{ name: 'a', value: 'b' }] },
  { ...silence, matchers: [{ name: 'a', value: '(', isRegex: true, isEqual: true }] },
  { ...silence, matchers: {} },
  [],
]
const broken: Readonly<Record<string, Json[]>> = { alerts: brokenAlerts, silences: brokenSilences }

async function poison(
  storage: ReturnType<typeof createMemoryStorage>,
  collections: readonly Collection[],
): Promise<number> {
  let count = 0
  for (const collection of collections) {
    if (['health', 'record_shapes'].includes(collection.name)) continue
    for (const value of broken[collection.name] ?? [null, 7, { when: 'x' }, []]) {
      await storage.commit([{ collection, id: `bad-${count++}`, value }])
    }
  }
  return count
}

describe('unreadable records of the alert service', () => {
  it('fail no list, no start and no dispatch, and can be found and removed', async () => {
    const storage = createMemoryStorage({ clock })
    const logged: object[] = []
    const ignore = (): void => {}
    const logger = {
      debug: ignore,
      info: ignore,
      warn: ignore,
      error: (line: object) => void logged.push(line),
    }
    const notified: string[] = []
    const notifier = createFunctionNotifier(async ({ alerts }) => {
      notified.push(...alerts.map(({ labels }) => labels.alertname ?? ''))
    })
    const count = await poison(storage, alertsCollections)
    const alerts = createAlerts({ storage, clock, config, logger, notifiers: { team: [notifier] } })
    const history = startHistory(alerts)
    const dispatcher = startDispatcher(alerts)
    await postAlerts(alerts, [{ labels: { alertname: 'Good' } }])
    expect(await listAlerts(alerts)).toHaveLength(1)
    expect(await listAlertGroups(alerts)).toHaveLength(1)
    expect(await listSilences(alerts)).toEqual([])
    await expect
      .poll(() => {
        clock.advance(1_000)
        return notified
      })
      .toContain('Good')
    await history.flush()
    expect((await listNotifications(alerts)).items).toHaveLength(1)
    expect((await listAlertHistory(alerts)).items).toHaveLength(1)
    expect((await listSilenceHistory(alerts)).items).toEqual([])
    await dispatcher.stop()
    await history.stop()
    const ids = logged.map((line) => (line as { id: string }).id)
    expect(new Set(ids).size).toBe(ids.length)

    const found: string[] = []
    const all = { storage, options: { collections: alertsCollections } }
    for await (const { id, isRemoved } of checkRecords(all.storage, all.options)) {
      expect(isRemoved).toBe(false)
      found.push(id)
    }
    expect(found).toHaveLength(count)
    for await (const one of checkRecords(storage, { ...all.options, remove: true })) {
      expect(one.isRemoved).toBe(true)
    }
    for await (const one of checkRecords(storage, all.options)) expect.unreachable(one.id)
    expect(await listAlerts(alerts)).toHaveLength(1)
  })
})

describe('unreadable records of the webhook service', () => {
  it('fail no list, and are not found by their id', async () => {
    const storage = createMemoryStorage({ clock })
    await poison(storage, webhooksCollections)
    const webhooks = createWebhooks({ storage, clock, config: { webhooks: [] } })
    expect((await listRuns(webhooks)).runs).toEqual([])
    await expect(getRun(webhooks, 'bad-0')).rejects.toMatchObject({ kind: 'NotFound' })
  })
})

describe('unreadable records of the authentication service', () => {
  it('let nobody in, and the error says what to do', async () => {
    const storage = createMemoryStorage({ clock })
    const auth = createAuth({
      storage,
      clock,
      config: { id: 'test', http: { public_origin: 'https://auth.example.com' } },
      secrets: [{ id: 'k1', key: 'test key of at least thirty-two bytes' }],
    })
    const id = await createUser(auth, { email: 'maya@harborlight.example', email_verified: true })
    const users: Collection = {
      name: 'auth_users',
      fields: { created_at: 'number', delete_at: 'number', anonymize_at: 'number' },
      feed: false,
    }
    const sessions: Collection = {
      name: 'auth_sessions',
      fields: { user_id: 'text' },
      feed: false,
    }
    const [record] = await storage.get(users, [id])
    const value = { ...(record?.value as object), account_valid_until: '2020-01-01T00:00:00Z' }
    await storage.commit([{ collection: users, id, value }])
    await expect(getUser(auth, id)).rejects.toMatchObject({
      name: 'GatehouseError',
      reason: 'StorageUnreadableRecord',
      message: expect.stringContaining('account_valid_until: expected an instant'),
    })
    await storage.commit([{ collection: sessions, id: 'broken', value: { user_id: id } }])
    expect(await resolveSessionToken(auth, `broken.${'a'.repeat(40)}`)).toBeUndefined()
  })
})
