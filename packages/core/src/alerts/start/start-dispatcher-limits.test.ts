import { createMemoryStorage } from '@gatehouse/store-memory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { formatDateTime } from '../../time/date-time.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import { limitCollection } from '../dispatch/limit/limit.ts'
import type { NotifyResult } from '../receivers/notifier.ts'
import { explain } from '../running-config/explain.ts'
import { updateAlertsConfig } from '../running-config/update-alerts-config.ts'
import {
  createDispatchWorld,
  type DispatchProcess,
  type DispatchWorld,
} from './start-dispatcher.fixture.ts'

let world: DispatchWorld
beforeEach(() => {
  world = createDispatchWorld()
})
afterEach(() => world.end())

/** Two notifications at once, and one more every half hour. */
const config = `
route: { receiver: team, group_by: [alertname], group_wait: 10s, group_interval: 1m, repeat_interval: 24h }
receivers: [{ name: team, rate_limit: { notifications: 2, per: 1h } }]
`
const unlimited = config.replace(', rate_limit: { notifications: 2, per: 1h }', '')
const halfHour = 1_800
const summaryKey = 'receiver "team":rate_limit'
const names = ['A/1', 'B/1', 'C/1', 'D/1', 'E/1']

const resolve = (on: DispatchProcess, ...alertnames: readonly string[]): Promise<void> =>
  postAlerts(
    on.alerts,
    alertnames.map((alertname) => ({ labels: { alertname, i: '1' }, endsAt: world.clock.now() })),
  )

const sent = () =>
  world.notifications.map(({ groupKey, alerts }) => {
    const about = groupKey === summaryKey ? 'summary: ' : ''
    return about + alerts.join(', ')
  })

/** What the receiver knows: the last state of each alert by the keys of its notifications. */
function known(): Readonly<Record<string, string>> {
  const states: Record<string, string> = {}
  for (const { alerts } of world.notifications) {
    for (const text of alerts) {
      const [name = '', state = ''] = text.split(' ')
      states[name] = state
    }
  }
  return states
}

/** The last status of each incident, which a receiver recognizes by the key of the group. */
const incidents = () =>
  Object.fromEntries(world.notifications.map(({ groupKey, status }) => [groupKey, status]))

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
}

const limited = (on: DispatchProcess) =>
  on.decisions.filter(({ outcome }) => outcome === 'limited').map(({ groupKey }) => groupKey)

describe('a receiver with a rate limit', () => {
  it('gets one summary of the groups over the limit, as soon as one more is allowed', async () => {
    const one = world.start({ config })
    await world.post(one, names)
    await world.pass(600)
    expect(sent()).toEqual(['A/1 firing', 'B/1 firing'])
    expect(new Set(limited(one))).toEqual(
      new Set(['{}:{alertname="C"}', '{}:{alertname="D"}', '{}:{alertname="E"}']),
    )
    expect(one.decisions.find(({ outcome }) => outcome === 'limited')).toMatchObject({
      reason: 'first notification',
      detail: 'receiver "team"',
      integration: 'code:test/0',
    })
    await world.pass(halfHour)
    expect(sent().slice(2)).toEqual(['summary: C/1 firing, D/1 firing, E/1 firing'])
    expect(world.notifications.at(-1)).toMatchObject({ reason: 'rate limited', status: 'firing' })
    expect(one.decisions.findLast(({ outcome }) => outcome === 'sent')).toMatchObject({
      groupKey: summaryKey,
      detail: 'summary of 3 groups: {}:{alertname="C"}, {}:{alertname="D"}, {}:{alertname="E"}',
    })
    await world.pass(3 * halfHour)
    expect(sent()).toHaveLength(3)
    const { body } = await one.alerts.metrics.expose(null)
    expect(body).toMatch(/\ngatehouse_alerts_notifications_limited_total\{integration="test"\} \d+/)
  })

  it('learns the state at the time of the summary, not of the notifications that were kept back', async () => {
    const one = world.start({ config })
    await world.post(one, names)
    await world.pass(600)
    await resolve(one, 'C')
    await world.post(one, ['D/2'])
    await world.pass(halfHour)
    expect(sent().slice(2)).toEqual(['summary: D/1 firing, D/2 firing, E/1 firing'])
    expect(world.notifications).toHaveLength(3)
  })

  it('is notified of the end of summarized groups by summaries, and of others by their own', async () => {
    const one = world.start({ config })
    await world.post(one, names)
    await world.pass(600 + 3 * halfHour)
    await resolve(one, 'C', 'A')
    await world.pass(120)
    expect(new Set(sent().slice(3))).toEqual(
      new Set(['A/1 resolved', 'summary: C/1 resolved, D/1 firing, E/1 firing']),
    )
    await world.pass(2 * halfHour)
    await resolve(one, 'B', 'D', 'E')
    await world.pass(10 * halfHour)
    expect(Object.values(known())).toEqual([
      'resolved',
      'resolved',
      'resolved',
      'resolved',
      'resolved',
    ])
    expect(Object.values(incidents())).toEqual(['resolved', 'resolved', 'resolved'])
    expect(sent().filter((text) => text.includes('E/1 resolved'))).toHaveLength(1)
    await world.post(one, ['E/1'])
    await world.pass(60)
    expect(sent().at(-1)).toBe('E/1 firing')
  })

  it('is notified once about a group whose changes were kept back, with its state by then', async () => {
    const one = world.start({ config })
    await world.post(one, ['A/1'])
    await world.pass(60)
    await world.post(one, ['A/2'])
    await world.pass(60)
    await world.post(one, ['A/3'])
    await world.pass(60)
    await resolve(one, 'A')
    await world.pass(halfHour)
    expect(sent()).toEqual([
      'A/1 firing',
      'A/1 firing, A/2 firing',
      'A/1 resolved, A/2 firing, A/3 firing',
    ])
  })

  it('never gets more than its limit, however many groups there are', async () => {
    const one = world.start({ config })
    const many = Array.from({ length: 60 }, (_, n) => `G${n}/1`)
    for (let start = 0; start < 60; start += 10) {
      await world.post(one, many.slice(start, start + 10))
      await world.pass(300)
    }
    const hour = world.notifications.filter(({ at }) => at < 3_600)
    expect(hour.length).toBeLessThanOrEqual(4)
    await world.pass(2 * halfHour)
    expect(Object.keys(known()).sort()).toEqual(many.sort())
  })

  it('is explained: until when, and whether the group is summarized', async () => {
    const one = world.start({ config })
    await world.post(one, names)
    await world.pass(600)
    const until = formatDateTime(world.clock.now() - 590_000 + halfHour * 1_000)
    const limit = { limitedBy: 'receiver "team"', limitedUntil: until }
    const integrationsOf = async (alertname: string) => {
      const { routes, reasons } = await explain(one.alerts, { alertname, i: '1' })
      return { integrations: routes[0]?.group?.integrations, reasons }
    }
    const before = await integrationsOf('C')
    expect(before.integrations).toMatchObject([{ knows: false, ...limit, summarized: true }])
    expect(before.reasons).toContain(
      `receiver "team" will be notified at ${until}: receiver "team" is over its rate limit: a summary follows`,
    )
    const own = await integrationsOf('A')
    expect(own.integrations).toMatchObject([{ knows: true, ...limit }])
    expect(own.integrations?.[0]).not.toHaveProperty('summarized')
    await world.pass(4 * halfHour)
    const later = await integrationsOf('C')
    expect(later.integrations).toMatchObject([{ knows: true, summarized: true }])
    expect((await integrationsOf('A')).integrations?.[0]).not.toHaveProperty('limitedBy')
  })

  it('is limited for each of its integrations alone, and other receivers are not', async () => {
    const two = `
route:
  receiver: team
  group_by: [alertname]
  group_wait: 10s
  routes: [{ matchers: [alertname=~"X.*"], receiver: other }]
receivers: [{ name: team, rate_limit: { notifications: 1, per: 1h } }, { name: other }]
`
    const one = world.start({ config: two, receivers: ['team', 'other'] })
    await world.post(one, ['A/1', 'B/1', 'X1/1', 'X2/1'])
    await world.pass(60)
    expect(new Set(sent())).toEqual(new Set(['A/1 firing', 'X1/1 firing', 'X2/1 firing']))
  })

  it('costs no operations of the storage if there is none', async () => {
    const touched = new Set<string>()
    await world.end()
    world = createDispatchWorld((clock) => {
      const storage = createMemoryStorage({ clock })
      return {
        ...storage,
        get(collection, ids) {
          touched.add(collection.name)
          return storage.get(collection, ids)
        },
        find(collection, query) {
          touched.add(collection.name)
          return storage.find(collection, query)
        },
        commit(writes) {
          for (const { collection } of writes) touched.add(collection.name)
          return storage.commit(writes)
        },
      }
    })
    const one = world.start({ config: unlimited })
    await world.post(one, names)
    await world.pass(60)
    expect(sent()).toHaveLength(5)
    expect(touched).toContain('notification_log')
    expect(touched).not.toContain(limitCollection.name)
  })
})

describe('a route with a rate limit', () => {
  const routes = `
route:
  receiver: team
  group_by: [alertname]
  group_wait: 10s
  group_interval: 1m
  routes:
    - matchers: ['alertname=~"[AB].*"']
      rate_limit: { notifications: 1, per: 1h }
      routes: [{ matchers: [alertname=B] }]
receivers: [{ name: team }]
`
  it('shares it with the child routes that inherit it', async () => {
    const one = world.start({ config: routes })
    await world.post(one, ['A/1', 'B/1', 'C/1', 'D/1'])
    await world.pass(60)
    expect(sent().sort()).toEqual(['A/1 firing', 'C/1 firing', 'D/1 firing'])
    await world.pass(3_660)
    expect(world.notifications.slice(3)).toMatchObject([
      { groupKey: '{}/{alertname=~"[AB].*"}:rate_limit', alerts: ['B/1 firing'] },
    ])
  })

  it('counts for the receiver too, if that has one', async () => {
    const both = routes.replace(
      '{ name: team }',
      '{ name: team, rate_limit: { notifications: 2, per: 10h } }',
    )
    const one = world.start({ config: both })
    await world.post(one, ['A/1', 'B/1', 'C/1', 'D/1'])
    await world.pass(2 * 3_600)
    expect(sent()).toHaveLength(2)
    await world.pass(12 * 3_600)
    expect(Object.keys(known()).sort()).toEqual(['A/1', 'B/1', 'C/1', 'D/1'])
  })
})

describe('several processes', () => {
  it('share a limit and its summaries', async () => {
    const [one] = ['a', 'b', 'c'].map((name) => world.start({ name, config }))
    if (one === undefined) return
    await world.post(one, [...names, 'F/1', 'G/1'])
    await world.pass(600)
    expect(world.notifications).toHaveLength(2)
    await world.pass(halfHour)
    expect(world.notifications).toHaveLength(3)
    expect(Object.values(known())).toHaveLength(7)
    await world.pass(3 * halfHour)
    expect(world.notifications).toHaveLength(3)
  })
})

const never = (): Promise<NotifyResult> => new Promise(() => {})
const phases: Readonly<Record<string, (process: DispatchProcess) => void>> = {
  'while the receiver handles it': () => world.answers.push(never),
  'after it sent, before that is stored': (process) => {
    world.answers.push(() => {
      process.reach('away')
      return { outcome: 'sent' }
    })
  },
  'after it was stored': (process) => {
    world.answers.push(() => {
      process.reach('unanswered')
      return { outcome: 'sent' }
    })
  },
}

describe.each(Object.entries(phases))(
  'a process that is killed while it sends a summary, %s',
  (_, prepare) => {
    it('leaves a receiver that knows the state of every group', async () => {
      const one = world.start({ name: 'one', config })
      await world.post(one, names)
      await world.pass(600)
      prepare(one)
      for (let second = 0; second < halfHour && sent().length < 3; second++) {
        world.clock.advance(1_000)
        await turns()
      }
      expect(sent()).toHaveLength(3)
      await turns()
      one.crash()
      const two = world.start({ name: 'two', config })
      await resolve(two, 'C', 'D')
      await world.pass(4 * halfHour)
      expect(known()).toMatchObject({ 'C/1': 'resolved', 'D/1': 'resolved', 'E/1': 'firing' })
      await resolve(two, 'A', 'B', 'E')
      await world.pass(6 * halfHour)
      expect(new Set(Object.values(known()))).toEqual(new Set(['resolved']))
      expect(new Set(Object.values(incidents()))).toEqual(new Set(['resolved']))
    })
  },
)

describe('a summary that fails', () => {
  it('does not count, and is tried again with the next flush', async () => {
    const one = world.start({ config })
    await world.post(one, names)
    await world.pass(600)
    world.answers.push(() => ({ outcome: 'failed', reason: 'clientError', detail: 'answered 400' }))
    await world.pass(halfHour)
    expect(one.decisions.find(({ outcome }) => outcome === 'failed')).toMatchObject({
      groupKey: summaryKey,
      detail: 'answered 400',
    })
    const summary = 'summary: C/1 firing, D/1 firing, E/1 firing'
    expect(sent().slice(2)).toEqual([summary, summary])
    await world.pass(3 * halfHour)
    expect(sent()).toHaveLength(4)
  })

  it('counts if it may have arrived, and is sent again', async () => {
    const one = world.start({ config })
    await world.post(one, names)
    await world.pass(600)
    world.answers.push(() => ({
      outcome: 'failed',
      reason: 'other',
      detail: 'no response',
      mayHaveArrived: true,
    }))
    await world.pass(halfHour)
    expect(sent()).toHaveLength(3)
    await resolve(one, 'C', 'D', 'E')
    await world.pass(halfHour)
    expect(sent().slice(3)).toEqual(['summary: C/1 resolved, D/1 resolved, E/1 resolved'])
    expect(incidents()[summaryKey]).toBe('resolved')
  })
})

describe('a limited notification that fails', () => {
  it('does not count', async () => {
    const one = world.start({ config: config.replace('notifications: 2', 'notifications: 1') })
    for (let time = 0; time < 3; time++) {
      world.answers.push(() => ({ outcome: 'failed', reason: 'clientError', detail: 'no' }))
    }
    await world.post(one, ['A/1'])
    await world.pass(600)
    expect(sent()).toHaveLength(4)
    expect(one.decisions.filter(({ outcome }) => outcome === 'limited')).toEqual([])
  })
})

describe('another configuration', () => {
  it('applies its limit to what was sent, and to the groups that wait', async () => {
    const one = world.start({ config })
    await world.post(one, names)
    await world.pass(600)
    updateAlertsConfig(one.alerts, config.replace('notifications: 2', 'notifications: 4'))
    await world.pass(60)
    expect(sent().slice(2)).toEqual(['summary: C/1 firing, D/1 firing, E/1 firing'])
    updateAlertsConfig(one.alerts, config.replace('notifications: 2', 'notifications: 1'))
    await world.post(one, ['F/1'])
    await world.pass(halfHour)
    expect(sent()).toHaveLength(3)
    await world.pass(halfHour)
    expect(sent().slice(3)).toEqual(['summary: C/1 firing, D/1 firing, E/1 firing, F/1 firing'])
  })

  it('without a limit lets each group notify by itself', async () => {
    const one = world.start({ config })
    await world.post(one, names)
    await world.pass(600)
    updateAlertsConfig(one.alerts, unlimited)
    await world.pass(60)
    expect(new Set(sent().slice(2))).toEqual(new Set(['C/1 firing', 'D/1 firing', 'E/1 firing']))
  })
})

describe('a clock that is set back', () => {
  it.each([600_000, 36_000_000])(
    'by %d ms delays the next one by at most the period',
    async (ms) => {
      const one = world.start({ config })
      await world.post(one, names)
      await world.pass(600)
      world.clock.setWallClock(world.clock.now() - ms)
      await world.pass(2 * halfHour)
      expect(sent().slice(2, 3)).toEqual(['summary: C/1 firing, D/1 firing, E/1 firing'])
      expect(sent().length).toBeLessThanOrEqual(4)
    },
  )
})

describe('a long limit', () => {
  it('outlives the log, and is not forgotten', async () => {
    const long = config
      .replace('per: 1h', 'per: 10d')
      .replace('repeat_interval: 24h', 'repeat_interval: 1h')
    const one = world.start({ config: long })
    await world.post(one, names, 3_000_000)
    await world.pass(30_000)
    expect(sent()).toEqual(['A/1 firing', 'B/1 firing'])
  })
})

describe('a summary whose process sleeps while it is sent', () => {
  it('is sent by another process, and leaves the receiver with the true state', async () => {
    const one = world.start({ name: 'one', config })
    await world.post(one, names)
    await world.pass(600)
    world.answers.push(() => {
      one.suspend()
      return { outcome: 'sent' }
    })
    for (let second = 0; second < halfHour && sent().length < 3; second++) {
      world.clock.advance(1_000)
      await turns()
    }
    const two = world.start({ name: 'two', config })
    await resolve(two, 'C')
    await world.pass(3 * halfHour)
    expect(known()).toMatchObject({ 'C/1': 'resolved', 'D/1': 'firing' })
    one.resume()
    await world.pass(3 * halfHour)
    await resolve(two, 'D', 'E')
    await world.pass(4 * halfHour)
    expect(known()).toMatchObject({ 'C/1': 'resolved', 'D/1': 'resolved', 'E/1': 'resolved' })
    expect(incidents()[summaryKey]).toBe('resolved')
  })
})
