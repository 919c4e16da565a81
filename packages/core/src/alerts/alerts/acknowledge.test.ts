import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createDispatchWorld,
  type DispatchProcess,
  type DispatchWorld,
} from '../start/start-dispatcher.fixture.ts'
import { acknowledge, unacknowledge } from './acknowledge.ts'
import { listAcknowledgements } from './list-acknowledgements.ts'
import { listAlerts, listAlertsJson } from './list-alerts.ts'
import { postAlerts } from './post-alerts.ts'

let world: DispatchWorld
beforeEach(() => {
  world = createDispatchWorld()
})
afterEach(() => world.end())

/** Reminds every two minutes. */
const config = `
route: { receiver: team, group_by: [alertname], group_wait: 10s, group_interval: 30s, repeat_interval: 110s }
receivers: [{ name: team }]
`
const disk = 'Disk/1'
const diskLabels = { alertname: 'Disk', i: '1' }
const diskGroup = '{}:{alertname="Disk"}'

/** What was sent so far: the reason and the alerts of each notification. */
const sent = (): string[] =>
  world.notifications.map(({ reason, alerts }) => `${reason}: ${alerts.join(', ')}`)

/** A process whose receiver was notified of these alerts. */
async function notified(names: readonly string[]): Promise<DispatchProcess> {
  const one = world.start({ config })
  await world.post(one, names)
  await world.pass(11)
  expect(world.notifications).toHaveLength(1)
  world.notifications.length = 0
  return one
}

/** Posts alerts of one name with these severities. */
const postSeverities = (one: DispatchProcess, severities: readonly string[]): Promise<void> =>
  postAlerts(
    one.alerts,
    severities.map((severity) => ({
      labels: { ...diskLabels, severity },
      startsAt: world.clock.now(),
      endsAt: world.clock.now() + 3_600_000,
    })),
  )

describe('an acknowledged alert', () => {
  it('is not repeated until its acknowledgement is taken back', async () => {
    const one = await notified([disk])
    await acknowledge(one.alerts, { labels: diskLabels, by: 'maya' })
    await world.pass(300)
    expect(sent()).toEqual([])
    expect(one.decisions.at(-1)).toMatchObject({ outcome: 'acknowledged', detail: 'maya' })
    await unacknowledge(one.alerts, { labels: diskLabels })
    await world.pass(31)
    expect(sent()).toEqual(['repeat interval elapsed: Disk/1 firing'])
  })

  it('is repeated once its acknowledgement ends', async () => {
    const one = await notified([disk])
    const until = world.clock.now() + 150_000
    await acknowledge(one.alerts, { labels: diskLabels, by: 'maya', until })
    await world.pass(149)
    expect(sent()).toEqual([])
    await world.pass(31)
    expect(sent()).toEqual(['repeat interval elapsed: Disk/1 firing'])
  })

  it('is notified as resolved, and has no acknowledgement when it fires again', async () => {
    const one = await notified([disk])
    await acknowledge(one.alerts, { labels: diskLabels, by: 'maya' })
    await world.post(one, [disk], 0)
    await world.pass(31)
    await world.post(one, [disk])
    await world.pass(180)
    expect(sent()).toEqual([
      'all alerts resolved: Disk/1 resolved',
      'first notification: Disk/1 firing',
      'repeat interval elapsed: Disk/1 firing',
    ])
    expect((await listAcknowledgements(one.alerts)).items).toEqual([])
  })

  it('has no acknowledgement if its end passed before it was posted again', async () => {
    const one = world.start({ config })
    await world.post(one, [disk], 60)
    await acknowledge(one.alerts, { labels: diskLabels, by: 'maya' })
    await world.pass(61)
    await world.post(one, [disk])
    expect((await listAcknowledgements(one.alerts)).items).toEqual([])
  })

  it('stays acknowledged while it is posted again, with other times and annotations', async () => {
    const one = await notified([disk])
    await acknowledge(one.alerts, { labels: diskLabels, by: 'maya', comment: 'on it' })
    await world.post(one, [disk])
    await postAlerts(one.alerts, [{ labels: diskLabels, annotations: { value: '99 %' } }])
    expect((await listAcknowledgements(one.alerts)).items).toMatchObject([
      { by: 'maya', comment: 'on it', labels: diskLabels },
    ])
  })
})

describe('a group', () => {
  it('is repeated until all of its firing alerts are acknowledged', async () => {
    const one = await notified(['Disk/1', 'Disk/2'])
    await acknowledge(one.alerts, { labels: diskLabels, by: 'maya' })
    await world.pass(130)
    expect(sent()).toEqual(['repeat interval elapsed: Disk/1 firing, Disk/2 firing'])
    await acknowledge(one.alerts, { labels: { alertname: 'Disk', i: '2' }, by: 'tom' })
    await world.pass(300)
    expect(sent()).toHaveLength(1)
    expect(one.decisions.at(-1)).toMatchObject({ outcome: 'acknowledged', detail: 'maya, tom' })
  })

  it('is notified of an alert that joins it, and repeated from then on', async () => {
    const one = await notified(['Disk/1', 'Disk/2'])
    await acknowledge(one.alerts, { groupKey: diskGroup, by: 'maya' })
    await world.pass(150)
    await world.post(one, ['Disk/3'])
    await world.pass(160)
    const all = 'Disk/1 firing, Disk/2 firing, Disk/3 firing'
    expect(sent()).toEqual([`new alerts added: ${all}`, `repeat interval elapsed: ${all}`])
  })

  it('is notified of an acknowledged alert that resolves beside others', async () => {
    const one = await notified(['Disk/1', 'Disk/2'])
    await acknowledge(one.alerts, { groupKey: diskGroup, receiver: 'team', by: 'maya' })
    await world.post(one, ['Disk/2'], 0)
    await world.pass(200)
    expect(sent()).toEqual(['some alerts resolved: Disk/1 firing, Disk/2 resolved'])
  })
})

describe('severity', () => {
  it('an acknowledgement covers the same alert at a lower severity, which is notified once', async () => {
    const one = world.start({ config })
    await postSeverities(one, ['critical'])
    await acknowledge(one.alerts, { groupKey: diskGroup, by: 'maya' })
    await world.pass(11)
    await postSeverities(one, ['warning'])
    await world.pass(200)
    expect(world.notifications.map(({ reason }) => reason)).toEqual([
      'first notification',
      'new alerts added',
    ])
  })

  it.each([
    ['a higher', 'critical'],
    ['an unknown', 'page'],
  ])('an acknowledgement does not cover %s severity, which is repeated', async (_, severity) => {
    const one = world.start({ config })
    await postSeverities(one, ['warning'])
    await acknowledge(one.alerts, { groupKey: diskGroup, by: 'maya' })
    await world.pass(11)
    await postSeverities(one, [severity])
    await world.pass(200)
    expect(world.notifications.map(({ reason }) => reason)).toEqual([
      'first notification',
      'new alerts added',
      'repeat interval elapsed',
    ])
  })
})

describe('several processes', () => {
  it('agree on what is acknowledged, also after a crash', async () => {
    const one = world.start({ config, name: 'one' })
    const two = world.start({ config, name: 'two' })
    await world.post(one, [disk])
    await world.pass(11)
    await acknowledge(two.alerts, { labels: diskLabels, by: 'maya' })
    await world.pass(150)
    one.crash()
    two.crash()
    const three = world.start({ config, name: 'three' })
    await world.pass(150)
    expect(sent()).toEqual(['first notification: Disk/1 firing'])
    await unacknowledge(three.alerts, { labels: diskLabels })
    await world.pass(31)
    expect(sent()).toHaveLength(2)
  })

  it('lose no acknowledgement to a post in another process at the same time', async () => {
    const one = world.start({ config, name: 'one' })
    const two = world.start({ config, name: 'two' })
    await world.post(one, [disk])
    const racing = Array.from({ length: 8 }, () => world.post(two, [disk]))
    await Promise.all([acknowledge(one.alerts, { labels: diskLabels, by: 'maya' }), ...racing])
    for (const { alerts } of [one, two]) {
      expect((await listAcknowledgements(alerts)).items).toMatchObject([{ by: 'maya' }])
    }
  })

  it('either acknowledge an alert or see it resolve first', async () => {
    const one = world.start({ config, name: 'one' })
    const two = world.start({ config, name: 'two' })
    await world.post(one, [disk])
    const request = { labels: diskLabels, by: 'maya' }
    const [answer] = await Promise.allSettled([
      acknowledge(one.alerts, request),
      world.post(two, [disk], 0),
    ])
    if (answer.status === 'rejected') {
      expect(answer.reason).toMatchObject({ reason: 'AlertNotFound' })
    }
    await world.post(two, [disk])
    expect((await listAcknowledgements(one.alerts)).items).toEqual([])
  })
})

describe('requests', () => {
  it('name a firing alert or a group with firing alerts', async () => {
    const { alerts } = world.start({ config })
    const by = 'maya'
    await expect(acknowledge(alerts, { fingerprint: 'ff', by })).rejects.toMatchObject({
      reason: 'AlertNotFound',
      message: 'no alert with the fingerprint "ff" is firing',
    })
    await expect(acknowledge(alerts, { groupKey: diskGroup, by })).rejects.toMatchObject({
      reason: 'AlertGroupNotFound',
    })
    await expect(unacknowledge(alerts, { labels: diskLabels })).rejects.toMatchObject({
      reason: 'AlertNotFound',
    })
  })

  it.each([
    [{}, 'request: expected one of fingerprint, labels and groupKey, got none'],
    [
      { fingerprint: 'a', groupKey: 'b' },
      'request: expected one of fingerprint, labels and groupKey, got several',
    ],
    [
      { fingerprint: 'a', receiver: 'b' },
      'request: expected receiver only with groupKey, got it without',
    ],
    [{ fingerprint: 'a', by: '' }, 'request.by: expected a non-empty string, got an empty string'],
    [
      { fingerprint: 'a', comment: 'x'.repeat(4_097) },
      'request.comment: expected a string of at most 4096 characters, got one of 4097',
    ],
    [{ fingerprint: 'a', until: 0 }, 'until must be in the future'],
  ])('are refused with a clear message: %o', async (request, message) => {
    const { alerts } = world.start({ config })
    await expect(acknowledge(alerts, { by: 'maya', ...request })).rejects.toMatchObject({ message })
  })

  it('replace an earlier acknowledgement', async () => {
    const one = await notified([disk])
    await acknowledge(one.alerts, { labels: diskLabels, by: 'maya' })
    await acknowledge(one.alerts, { labels: diskLabels, by: 'tom' })
    expect((await listAcknowledgements(one.alerts)).items).toMatchObject([{ by: 'tom' }])
  })
})

describe('lists', () => {
  it('show the acknowledgement of an alert until it ends, and not of others', async () => {
    const { alerts } = await notified(['Disk/1', 'Disk/2'])
    const plain = String(await listAlertsJson(alerts))
    const until = world.clock.now() + 60_000
    await acknowledge(alerts, { labels: diskLabels, by: 'maya', comment: '"ok"', until })
    const acknowledgement = {
      by: 'maya',
      comment: '"ok"',
      since: new Date(world.clock.now()).toISOString(),
      until: new Date(until).toISOString(),
    }
    const shown = await listAlerts(alerts)
    expect(shown.map((alert) => alert.acknowledgement).filter(Boolean)).toEqual([acknowledgement])
    expect(JSON.parse(Buffer.from(await listAlertsJson(alerts)).toString())).toEqual(shown)
    world.clock.advance(60_000)
    expect(String(await listAlertsJson(alerts))).toBe(plain)
  })

  it('page through acknowledged alerts, the last first', async () => {
    const { alerts } = await notified(['Disk/1', 'Disk/2', 'Disk/3'])
    for (const i of ['2', '1', '3']) {
      await acknowledge(alerts, { labels: { alertname: 'Disk', i }, by: `no ${i}` })
      world.clock.advance(1)
    }
    const first = await listAcknowledgements(alerts, { limit: 2 })
    expect(first.items.map(({ by }) => by)).toEqual(['no 3', 'no 1'])
    const second = await listAcknowledgements(alerts, { limit: 2, after: first.next ?? '' })
    expect(second).toMatchObject({ items: [{ by: 'no 2' }] })
    expect(second.next).toBeUndefined()
    const filtered = await listAcknowledgements(alerts, { filter: ['i="3"'] })
    expect(filtered.items.map(({ by }) => by)).toEqual(['no 3'])
  })
})

describe('metrics', () => {
  it('count acknowledged alerts and the repetitions that were left out', async () => {
    const { alerts } = await notified([disk])
    await acknowledge(alerts, { labels: diskLabels, by: 'maya' })
    await world.pass(121)
    const { body } = await alerts.metrics.expose(null)
    expect(body).toContain('\ngatehouse_alerts_acknowledged 1\n')
    expect(body).toMatch(
      /\ngatehouse_alerts_repeats_acknowledged_total\{integration="test"\} [12]\n/,
    )
  })
})
