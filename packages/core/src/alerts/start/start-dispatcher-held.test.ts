import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { postAlerts } from '../alerts/post-alerts.ts'
import type { NotifyResult } from '../receivers/notifier.ts'
import { createSilence } from '../silences/create-silence.ts'
import {
  createDispatchWorld,
  type DispatchProcess,
  type DispatchWorld,
  teamConfig,
} from './start-dispatcher.fixture.ts'
import { collectGarbage } from './start-maintenance.ts'

let world: DispatchWorld
beforeEach(() => {
  world = createDispatchWorld()
})
afterEach(() => world.end())

const withOption = (config: string): string =>
  config.replace('receiver: team\n', 'receiver: team\n  resolved_after_suppression: true\n')
const config = withOption(teamConfig)
const hourMs = 3_600_000
const secondMs = 1_000
const never = (): Promise<NotifyResult> => new Promise(() => {})

const resolve = (on: DispatchProcess, alertname: string, i = '1'): Promise<void> =>
  postAlerts(on.alerts, [{ labels: { alertname, i }, endsAt: world.clock.now() }])

/** Silences the alert `A/1` for this many seconds. */
const silence = (on: DispatchProcess, seconds: number): Promise<unknown> =>
  createSilence(on.alerts, {
    matchers: ['alertname=A', 'i=1'].map((text) => {
      const [name = '', value = ''] = text.split('=')
      return { name, value, isRegex: false, isEqual: true }
    }),
    startsAt: world.clock.now(),
    endsAt: world.clock.now() + seconds * secondMs,
    createdBy: 'somebody',
    comment: 'for a while',
  })

/** Time intervals know the time of day. */
const startAtMidnight = (): void => {
  const dayMs = 24 * hourMs
  world.clock.advance((dayMs - (world.clock.now() % dayMs)) % dayMs)
}

const sent = () => world.notifications.map(({ alerts }) => alerts.join(', '))

/** Ways to suppress the alert `A/1` from second 100 to second 1,000: the configuration, and what happens at second 100. */
const mutedLater = `
  routes:
    - { matchers: [alertname=A], mute_time_intervals: [later] }
time_intervals:
  - name: later
    time_intervals: [{ times: [{ start_time: '00:02', end_time: '00:17' }] }]
receivers:`
const ways: Readonly<Record<string, { config: string; suppress(on: DispatchProcess): unknown }>> = {
  silenced: { config, suppress: (on) => silence(on, 900) },
  inhibited: {
    config: `${config}inhibit_rules:
  - { source_matchers: [alertname=Source], target_matchers: [alertname=A] }
`,
    suppress: (on) =>
      postAlerts(on.alerts, [
        { labels: { alertname: 'Source' }, endsAt: world.clock.now() + 900 * secondMs },
      ]),
  },
  muted: { config: config.replace('\nreceivers:', mutedLater), suppress: () => {} },
}

describe.each(Object.entries(ways))('an alert that ends while it is %s', (name, way) => {
  const about = () => sent().filter((one) => one.startsWith('A/1'))

  it('is notified as resolved once, after that, if the route wants it', async () => {
    startAtMidnight()
    const one = world.start({ config: way.config })
    await world.post(one, ['A/1'])
    await world.pass(100)
    await way.suppress(one)
    await world.pass(300)
    await resolve(one, 'A')
    await world.pass(500)
    await collectGarbage(one.alerts)
    expect(about()).toEqual(['A/1 firing'])
    await world.pass(800)
    await collectGarbage(one.alerts)
    await world.pass(20_000)
    expect(about()).toEqual(['A/1 firing', 'A/1 resolved'])
    expect(one.decisions.filter(({ outcome }) => outcome === name)).not.toEqual([])
    await collectGarbage(one.alerts)
    expect(one.alerts.board.alerts.stored.size).toBe(0)
  })

  it('is not notified otherwise, as in Alertmanager', async () => {
    startAtMidnight()
    const one = world.start({
      config: way.config.replace('suppression: true', 'suppression: false'),
    })
    await world.post(one, ['A/1'])
    await world.pass(100)
    await way.suppress(one)
    await world.pass(300)
    await resolve(one, 'A')
    await world.pass(2_000)
    expect(about()).toEqual(['A/1 firing'])
  })
})

describe('an alert that ends while it is silenced', () => {
  it('is notified although its group was notified of others meanwhile', async () => {
    const one = world.start({ config })
    await world.post(one, ['A/1'])
    await world.pass(100)
    await silence(one, 3_000)
    await world.post(one, ['A/2'])
    await world.pass(400)
    await resolve(one, 'A')
    await resolve(one, 'A', '2')
    await world.pass(1_000)
    expect(sent()).toEqual(['A/1 firing', 'A/2 firing', 'A/2 resolved'])
    await world.pass(20_000)
    expect(sent()).toEqual(['A/1 firing', 'A/2 firing', 'A/2 resolved', 'A/1 resolved'])
  })

  it('is notified with those of its group that still fire', async () => {
    const one = world.start({ config })
    await world.post(one, ['A/1', 'A/2'])
    await world.pass(100)
    await silence(one, 1_000)
    await world.post(one, ['A/3'])
    await world.pass(300)
    await resolve(one, 'A')
    await world.pass(3_000)
    expect(sent()).toEqual([
      'A/1 firing, A/2 firing',
      'A/2 firing, A/3 firing',
      'A/1 resolved, A/2 firing, A/3 firing',
    ])
  })

  it('is not notified if it fires again before the silence ends', async () => {
    const one = world.start({ config })
    await world.post(one, ['A/1'])
    await world.pass(100)
    await silence(one, 3_000)
    await resolve(one, 'A')
    await world.pass(1_000)
    await world.post(one, ['A/1'])
    await world.pass(4_000)
    expect(sent()).toEqual(['A/1 firing'])
    await resolve(one, 'A')
    await world.pass(1_000)
    expect(sent()).toEqual(['A/1 firing', 'A/1 resolved'])
  })

  it('is not notified to a receiver that never learned that it fired', async () => {
    const one = world.start({ config })
    await silence(one, 1_000)
    await world.post(one, ['A/1'])
    await world.pass(500)
    await resolve(one, 'A')
    await world.pass(400)
    await collectGarbage(one.alerts)
    expect(one.alerts.board.alerts.stored.size).toBe(0)
    await world.pass(2_000)
    expect(sent()).toEqual([])
  })

  it('is notified after a silence that is longer than the retention and the life of the log', async () => {
    const quick = config.replace('4h', '1h').replace('5m', '1h')
    const one = world.start({ config: quick, retentionMs: 6 * hourMs })
    await world.post(one, ['A/1'])
    await world.pass(60)
    await silence(one, 24 * 3_600)
    await resolve(one, 'A')
    for (let hour = 0; hour < 23; hour++) {
      world.clock.advance(hourMs)
      await one.dispatcher.settled()
      await collectGarbage(one.alerts)
    }
    expect(sent()).toEqual(['A/1 firing'])
    await world.pass(2 * 3_600)
    expect(sent()).toEqual(['A/1 firing', 'A/1 resolved'])
    await collectGarbage(one.alerts)
    expect(one.alerts.board.alerts.stored.size).toBe(0)
  })

  it('is notified by the next process, although none ran when the silence ended', async () => {
    const one = world.start({ config })
    await world.post(one, ['A/1'])
    await world.pass(100)
    await silence(one, 1_000)
    await resolve(one, 'A')
    await world.pass(300)
    one.crash()
    world.clock.advance(12 * hourMs)
    const two = world.start({ name: 'two', config })
    await collectGarbage(two.alerts)
    await world.pass(1_000)
    expect(sent()).toEqual(['A/1 firing', 'A/1 resolved'])
  })

  it('is notified once by several processes', async () => {
    const [one] = ['a', 'b', 'c'].map((name) => world.start({ name, config }))
    if (one === undefined) return
    await world.post(one, ['A/1'])
    await world.pass(100)
    await silence(one, 1_000)
    await resolve(one, 'A')
    await world.pass(3_000)
    expect(sent()).toEqual(['A/1 firing', 'A/1 resolved'])
  })

  it('is held until it was sent, even if the process is killed while it sends', async () => {
    const one = world.start({ config })
    await world.post(one, ['A/1'])
    await world.pass(100)
    await silence(one, 500)
    await resolve(one, 'A')
    await world.pass(529.75)
    world.answers.push(never)
    world.clock.advance(250)
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
    one.crash()
    const two = world.start({ name: 'two', config })
    await collectGarbage(two.alerts)
    await world.pass(1_000)
    expect(sent()).toEqual(['A/1 firing', 'A/1 resolved', 'A/1 resolved'])
    await collectGarbage(two.alerts)
    expect(two.alerts.board.alerts.stored.size).toBe(0)
  })

  it('is not held for a receiver that gets no resolved alerts', async () => {
    const url = 'http://127.0.0.1:1'
    const hooks = `name: team\n  webhook_configs: [{ url: '${url}', send_resolved: false }]`
    const one = world.start({ config: config.replace('name: team', hooks), receivers: [] })
    await world.post(one, ['A/1'])
    await world.pass(100)
    await silence(one, 10_000)
    await resolve(one, 'A')
    await world.pass(700)
    await collectGarbage(one.alerts)
    expect(one.alerts.board.alerts.stored.size).toBe(0)
  })
})
