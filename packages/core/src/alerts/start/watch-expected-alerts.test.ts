import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listAlerts } from '../alerts/list-alerts.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import type { ExpectedAlerts } from '../expect/expectation.ts'
import { watchCollection } from '../expect/watch-record.ts'
import { updateAlertsConfig } from '../running-config/update-alerts-config.ts'
import {
  createDispatchWorld,
  type DispatchProcess,
  type DispatchWorld,
} from './start-dispatcher.fixture.ts'
import { collectGarbage } from './start-maintenance.ts'

const minute = 60
const day = 24 * 60 * minute

const watchdog: ExpectedAlerts = {
  name: 'prometheus',
  matchers: ['alertname="Watchdog"'],
  everyMs: 10 * minute * 1_000,
}

const text = `
route: { receiver: team, group_by: [alertname], group_wait: 0s, group_interval: 1m }
receivers: [ { name: team } ]
`
const configOf = (...expect: ExpectedAlerts[]) => ({ text, expect })

let world: DispatchWorld

beforeEach(() => {
  world = createDispatchWorld()
})
afterEach(() => world.end())

/** The notifications about expected alerts with their minute, such as `10 firing`. */
const sent = (): readonly string[] =>
  world.notifications
    .filter(({ groupKey }) => groupKey.includes('ExpectedAlertMissing'))
    .map(({ at, status }) => `${Math.floor(at / minute)} ${status}`)

/** Lets time pass in larger steps than the world's own, for long waits. */
async function pass(seconds: number, processes: readonly DispatchProcess[]): Promise<void> {
  for (let left = seconds; left > 0; left -= 10) {
    world.clock.advance(Math.min(10, left) * 1_000)
    for (const { dispatcher } of processes) await dispatcher.settled()
  }
}

describe('expected alerts', () => {
  it('fire an alert when none came for as long as allowed, and end it when they come again', async () => {
    const one = world.start({ config: configOf(watchdog) })
    await world.post(one, ['Watchdog'])
    await pass(9 * minute, [one])
    await world.post(one, ['Watchdog'])
    await pass(9 * minute, [one])
    expect(sent()).toEqual([])
    await pass(2 * minute, [one])
    expect(await listAlerts(one.alerts, { filter: ['expected="prometheus"'] })).toMatchObject([
      {
        labels: {
          alertname: 'ExpectedAlertMissing',
          severity: 'critical',
          expected: 'prometheus',
        },
        annotations: { summary: 'No alert has matched {alertname="Watchdog"} for 10m.' },
        startsAt: '2026-01-01T00:19:00.000Z',
      },
    ])
    await pass(60 * minute, [one])
    await world.post(one, ['Watchdog'])
    await pass(2 * minute, [one])
    expect(sent()).toEqual(['19 firing', '81 resolved'])
  })

  it('have the labels and annotations of the configuration, and do not count their own alert', async () => {
    const one = world.start({
      config: configOf({
        ...watchdog,
        matchers: ['severity=~".+"'],
        labels: { alertname: 'Silent', severity: 'page', team: 'db' },
        annotations: { runbook: 'https://example.com' },
      }),
    })
    await pass(30 * minute, [one])
    expect(await listAlerts(one.alerts)).toMatchObject([
      {
        labels: { alertname: 'Silent', severity: 'page', team: 'db', expected: 'prometheus' },
        annotations: { runbook: 'https://example.com', summary: expect.any(String) },
      },
    ])
  })

  it('of which a resolved one is repeated are missing from its end on', async () => {
    const one = world.start({ config: configOf(watchdog) })
    const startsAt = world.clock.now()
    for (let i = 0; i < 6; i++) {
      await postAlerts(one.alerts, [
        { labels: { alertname: 'Watchdog' }, startsAt, endsAt: startsAt + 1_000 },
      ])
      await pass(2 * minute, [one])
    }
    expect(sent()).toEqual(['10 firing'])
  })

  it('are waited for once from the first start, and as long as before after a short restart', async () => {
    const config = configOf(watchdog)
    const one = world.start({ config })
    await world.post(one, ['Watchdog'])
    await pass(8 * minute, [one])
    one.crash()
    await pass(minute, [])
    const two = world.start({ config })
    await pass(2 * minute, [two])
    expect(sent()).toEqual(['10 firing'])
    two.crash()
    await pass(minute, [])
    const three = world.start({ config })
    await pass(20 * minute, [three])
    expect(sent()).toEqual(['10 firing'])
  })

  it('are waited for again when no process could receive them for a long time', async () => {
    const config = configOf(watchdog)
    const one = world.start({ config })
    await world.post(one, ['Watchdog'])
    await pass(8 * minute, [one])
    one.crash()
    await pass(60 * minute, [])
    const two = world.start({ config })
    await pass(9 * minute, [two])
    expect(sent()).toEqual([])
    await pass(2 * minute, [two])
    expect(sent()).toEqual(['78 firing'])
  })

  it('that were removed as garbage are remembered across a restart', async () => {
    const config = configOf({ ...watchdog, everyMs: day * 1_000 })
    const one = world.start({ config })
    await pass(minute, [one])
    await world.post(one, ['Watchdog'], 60)
    await pass(10 * minute, [one])
    expect(await collectGarbage(one.alerts)).toMatchObject({ alerts: 1 })
    one.crash()
    const two = world.start({ config })
    await world.pass(1)
    expect((await watchCollection.find(world.storage, { by: 'id', limit: 2 }))[0]?.value).toEqual({
      name: 'prometheus',
      since: expect.any(Number),
      seen: Date.UTC(2026, 0, 1, 0, 1),
      watched: expect.any(Number),
    })
    await two.dispatcher.stop()
  })

  it('notify once from several processes, whichever of them ends', async () => {
    const config = configOf(watchdog)
    const processes = ['a', 'b', 'c'].map((name) => world.start({ name, config }))
    const [first, second, third] = processes
    if (first === undefined || second === undefined || third === undefined) throw new Error()
    await world.post(first, ['Watchdog'])
    await pass(12 * minute, processes)
    expect(sent()).toEqual(['10 firing'])
    first.crash()
    await pass(12 * minute, [second, third])
    await world.post(third, ['Watchdog'])
    await pass(3 * minute, [second, third])
    expect(sent()).toEqual(['10 firing', '25 resolved'])
  })

  it('cost one write a minute together, however many processes watch', async () => {
    const config = configOf(watchdog, { ...watchdog, name: 'other' })
    const processes = ['a', 'b'].map((name) => world.start({ name, config }))
    const [first] = processes
    if (first === undefined) throw new Error()
    const versionOf = async (): Promise<number> =>
      Number((await watchCollection.find(world.storage, { by: 'id', limit: 1 }))[0]?.version)
    await pass(2 * minute, processes)
    const before = await versionOf()
    await pass(5 * minute, processes)
    expect((await versionOf()) - before).toBeLessThanOrEqual(10)
  })

  it.each([-3_600_000, 3_600_000])(
    'are neither missed nor waited for longer when the clock is set by %i ms',
    async (ms) => {
      const one = world.start({ config: configOf(watchdog) })
      await world.post(one, ['Watchdog'])
      await pass(2 * minute, [one])
      world.clock.setWallClock(world.clock.now() + ms)
      await pass(7 * minute, [one])
      expect(sent()).toEqual([])
      await pass(3 * minute, [one])
      expect(sent()).toEqual(['10 firing'])
      await world.post(one, ['Watchdog'])
      await pass(2 * minute, [one])
      expect(sent()).toEqual(['10 firing', '13 resolved'])
    },
  )

  it('follow a reload: new ones are waited for once, the alert of removed ones ends', async () => {
    const one = world.start({ config: configOf(watchdog) })
    await pass(11 * minute, [one])
    expect(sent()).toEqual(['10 firing'])
    const other = { ...watchdog, name: 'other', matchers: ['alertname="Other"'] }
    updateAlertsConfig(one.alerts, configOf(other))
    await pass(2 * minute, [one])
    expect(sent()).toEqual(['10 firing', '11 resolved'])
    await pass(9 * minute, [one])
    expect(sent().at(-1)).toBe('21 firing')
    updateAlertsConfig(one.alerts, text)
    await pass(2 * minute, [one])
    expect(sent().at(-1)).toMatch(/resolved$/)
  })

  it('are not watched, and nothing is stored, unless the configuration expects some', async () => {
    const one = world.start({ config: text })
    await world.post(one, ['Watchdog'])
    await pass(minute, [one])
    expect(await watchCollection.find(world.storage, { by: 'id', limit: 1 })).toEqual([])
  })
})

describe('a configuration', () => {
  const refusal = (expected: unknown): string => {
    try {
      world.start({ config: { text, expect: expected as ExpectedAlerts[] } })
    } catch (error) {
      return String(error)
    }
    return ''
  }

  it.each<[expected: unknown, message: string]>([
    [[{ ...watchdog, everyMs: 10 }], 'config.expect[0].everyMs: expected a number from 1000'],
    [[watchdog, watchdog], 'config.expect[1].name: expected a name of its own, got "prometheus"'],
    [[{ ...watchdog, matchers: [] }], 'config.expect[0].matchers: expected a matcher'],
    [[{ ...watchdog, matchers: ['a=~"("'] }], 'missing closing )'],
    [[{ ...watchdog, labels: { '': 'b' } }], 'invalid label set'],
    [[{ ...watchdog, every: '5m' }], 'every'],
    [Array.from({ length: 101 }, (_, i) => ({ ...watchdog, name: `${i}` })), 'at most 100'],
  ])('is refused with %2$s', (given, message) => {
    expect(refusal(given)).toContain(message)
  })
})
