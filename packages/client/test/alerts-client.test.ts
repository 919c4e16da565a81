import { describe, expect, it } from 'vitest'
import {
  createAlertsClient,
  createAnswerMemory,
  createClient,
  everyItem,
  isClientError,
} from '../src/index.ts'
import { useServer } from './server.fixture.ts'

const server = useServer()
const open = (): ReturnType<typeof createAlertsClient> =>
  createAlertsClient({ url: `${server.url}/alerts` })

const soon = (): string => new Date(Date.now() + 3_600_000).toISOString()

describe('the client of the alert service', () => {
  it('posts and lists alerts, and groups of them', async () => {
    const { alerts } = open()
    await alerts.post([
      { labels: { alertname: 'Disk', severity: 'critical' }, annotations: { summary: 'full' } },
      { labels: { alertname: 'Load', severity: 'warning' } },
    ])
    const found = await alerts.list({ filter: ['severity="critical"'], silenced: false })
    expect(found.map(({ labels, status }) => [labels.alertname, status.state])).toEqual([
      ['Disk', 'active'],
    ])
    expect(
      await alerts.list({ filter: ['alertname=~"Disk|Load"', 'severity!="warning"'] }),
    ).toEqual(found)
    const [group] = await alerts.groups({ receiver: 'team' })
    expect([group?.receiver.name, group?.alerts.length]).toEqual(['team', 2])
  })

  it('acknowledges alerts and takes that back', async () => {
    const { alerts } = open()
    const labels = { alertname: 'Disk', severity: 'critical' }
    const fingerprints = await alerts.acknowledge({ labels, by: 'maya', until: soon() })
    const { items } = await alerts.acknowledged()
    expect(items).toMatchObject([{ fingerprint: fingerprints[0], labels, by: 'maya', comment: '' }])
    const [acknowledged] = await alerts.list({ filter: ['alertname="Disk"'] })
    expect(acknowledged?.acknowledgement?.by).toBe('maya')
    const [fingerprint = ''] = fingerprints
    expect(await alerts.unacknowledge({ fingerprint, by: 'maya' })).toEqual(fingerprints)
    expect((await alerts.acknowledged()).items).toEqual([])
    const gone = await alerts.unacknowledge({ fingerprint: '00' }).catch((error: unknown) => error)
    expect(isClientError(gone, 'AlertNotFound')).toBe(true)
  })

  it('creates, reads, changes and expires silences', async () => {
    const { silences, alerts } = open()
    const matchers = [{ name: 'alertname', value: 'Disk', isRegex: false }]
    const silence = { matchers, startsAt: new Date().toISOString(), endsAt: soon() }
    const id = await silences.create({ ...silence, createdBy: 'maya', comment: 'replacing it' })
    const made = await silences.get(id)
    expect(made).toMatchObject({ id, comment: 'replacing it', status: { state: 'active' } })
    const [suppressed] = await alerts.list({ filter: ['alertname="Disk"'] })
    expect(suppressed?.status.silencedBy).toEqual([id])
    expect(await silences.list({ expired: false })).toEqual([made])
    await silences.expire(id)
    expect((await silences.get(id)).status.state).toBe('expired')
    expect(await silences.list({ expired: false })).toEqual([])
  })

  it('tests receivers, and reads notifications, their numbers, the state and the metrics', async () => {
    const client = open()
    expect(
      await client.testReceiver({ receiver: 'team', alerts: [{ labels: { a: 'b' } }] }),
    ).toEqual([])
    const unknown = await client.testReceiver({ receiver: 'x' }).catch((error: unknown) => error)
    expect(isClientError(unknown, 'ReceiverNotFound')).toBe(true)
    const gone = await client.notification('../x').catch((error: unknown) => error)
    expect(isClientError(gone, 'NotificationNotFound')).toBe(true)
    expect(await client.notificationCounts({ parts: 2 })).toMatchObject({ receivers: [] })
    expect(await client.serverStatus()).toMatchObject({ storage: { kind: 'memory' }, problems: [] })
    expect(await client.metrics()).toContain('alertmanager_alerts{state="active"}')
  })

  it('reports failures by their reason', async () => {
    const { silences, alerts } = open()
    const missing = await silences
      .get('00000000-0000-4000-8000-000000000000')
      .catch((error: unknown) => error)
    expect(isClientError(missing, 'NotFound')).toBe(true)
    const invalid = await alerts.list({ filter: ['{'] }).catch((error: unknown) => error)
    expect(isClientError(invalid, 'InvalidRequest') && invalid.message).toContain('brace')
  })

  it('reads receivers, the status, and the history page by page', async () => {
    const client = open()
    expect(await client.receivers()).toMatchObject([{ name: 'team' }])
    expect((await client.status()).cluster.status).toBe('disabled')
    expect(await client.me({ signIn: true })).toMatchObject({
      subject: null,
      actions: expect.arrayContaining(['alerts:read', 'silences:write']),
    })
    const query = { event: ['firing' as const] }
    await expect.poll(async () => (await client.alerts.history(query)).items.length).toBe(2)
    const names: string[] = []
    for await (const { labels } of everyItem(client.alerts.history, { ...query, limit: 1 })) {
      names.push(labels.alertname ?? '')
    }
    expect(names.sort()).toEqual(['Disk', 'Load'])
    await expect
      .poll(async () => (await client.silences.history()).items.map(({ event }) => event))
      .toEqual(['expired', 'created'])
    expect((await client.notifications({ outcome: ['failed'] })).items).toEqual([])
  })

  it('returns the same object with a memory while the server has the same answer, and not that of another query', async () => {
    const url = `${server.url}/alerts`
    const { alerts } = createAlertsClient({ url, answers: createAnswerMemory() })
    await alerts.post([{ labels: { alertname: 'Same' } }])
    const query = { fields: ['labels'], filter: ['alertname="Same"'] } as const
    const first = await alerts.page(query)
    expect(await alerts.page(query)).toBe(first)
    // Without one, callers may change what they get.
    const { alerts: plain } = open()
    expect(await plain.page(query)).not.toBe(await plain.page(query))
    expect(await alerts.page({ ...query, filter: ['alertname=~"Same"'] })).not.toBe(first)
    await alerts.post([{ labels: { alertname: 'Same', again: 'yes' } }])
    const second = await alerts.page(query)
    expect(second).not.toBe(first)
    expect(second.items).toHaveLength(2)
  })

  it('is a part of the client of all services', async () => {
    const basePaths = { alerts: '/alerts', webhooks: '/hooks' }
    const client = createClient({ url: server.url, basePaths })
    expect(await client.receivers()).toMatchObject([{ name: 'team' }])
    expect(await client.session()).toBeUndefined()
  })
})
