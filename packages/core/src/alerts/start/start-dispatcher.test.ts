import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { postAlerts } from '../alerts/post-alerts.ts'
import { groupCollection } from '../dispatch/group/group.ts'
import type { NotifyResult } from '../receivers/notifier.ts'
import { updateAlertsConfig } from '../running-config/update-alerts-config.ts'
import { createSilence } from '../silences/create-silence.ts'
import { createDispatchWorld, type DispatchWorld, teamConfig } from './start-dispatcher.fixture.ts'
import { collectGarbage } from './start-maintenance.ts'

const retry: NotifyResult = { outcome: 'retry', reason: 'serverError', detail: 'answered 500' }
const failed: NotifyResult = { outcome: 'failed', reason: 'clientError', detail: 'answered 400' }
const hour = 3_600

let world: DispatchWorld
beforeEach(() => {
  world = createDispatchWorld()
})
afterEach(() => world.end())

const brief = () => world.notifications.map(({ at, reason, alerts }) => [at, reason, ...alerts])
const times = () => world.notifications.map(({ at }) => at)
/** Waits until so many notifications were attempted, which may still be under way. */
const attempts = (count: number) => expect.poll(() => world.notifications.length).toBe(count)

describe('the life of a group', () => {
  it('waits for more alerts, then notifies about new ones at the next tick, and about resolved ones', async () => {
    const one = world.start()
    await world.post(one, ['A/1'], 600)
    await world.pass(29.75)
    expect(world.notifications).toEqual([])
    await world.pass(0.25)
    await world.post(one, ['A/2'])
    await world.pass(700)
    expect(brief()).toEqual([
      [30, 'first notification', 'A/1 firing'],
      [330, 'new alerts added', 'A/1 firing', 'A/2 firing'],
      [630, 'some alerts resolved', 'A/1 resolved', 'A/2 firing'],
    ])
  })

  it('notifies again while it lasts, and not after it ends', async () => {
    const one = world.start()
    await world.post(one, ['A/1'], 5 * hour)
    for (let hours = 0; hours < 6; hours++) {
      world.clock.advance(hour * 1_000 - 500_000)
      await world.pass(500)
    }
    expect(world.notifications.map(({ reason }) => reason)).toEqual([
      'first notification',
      'repeat interval elapsed',
      'all alerts resolved',
    ])
  })

  it('starts at once for an alert that is older than the group wait', async () => {
    const one = world.start()
    const startsAt = world.clock.now() - 60_000
    await postAlerts(one.alerts, [{ labels: { alertname: 'A', i: '1' }, startsAt }])
    await world.pass(0)
    expect(times()).toEqual([0])
  })

  it('ends once all its alerts were notified as resolved, and starts again', async () => {
    const one = world.start()
    await world.post(one, ['A/1'], 60)
    await world.pass(400)
    await world.post(one, ['A/1'], 600)
    await world.pass(40)
    expect(brief()).toEqual([
      [30, 'first notification', 'A/1 firing'],
      [330, 'all alerts resolved', 'A/1 resolved'],
      [430, 'first notification', 'A/1 firing'],
    ])
  })

  it('leaves no record once its alerts are removed', async () => {
    const one = world.start()
    await world.post(one, ['A/1', 'B/1'], 60)
    await world.pass(400)
    const left = () => groupCollection.find(world.storage, { by: 'id', limit: 10 })
    expect(await left()).toHaveLength(2)
    await collectGarbage(one.alerts)
    await world.pass(2)
    expect(await left()).toEqual([])
  })
})

describe('delivery', () => {
  it('is retried with growing backoff while that may help, else at the next tick', async () => {
    const one = world.start()
    world.answers.push(
      () => retry,
      () => retry,
      () => failed,
    )
    await world.post(one, ['A/1'])
    await world.pass(400)
    expect(times()).toEqual([30, 30.5, 31.25, 330])
    expect(one.decisions.map(({ outcome, attempts }) => [outcome, attempts])).toEqual([
      ['failed', 3],
      ['sent', 1],
    ])
  })

  it('gives up when the next flush is due, and starts again with it', async () => {
    const one = world.start({ config: teamConfig.replace('5m', '20s') })
    for (let i = 0; i < 100; i++) world.answers.push(() => retry)
    await world.post(one, ['A/1'])
    await world.pass(60)
    const [first] = one.decisions
    expect(first).toMatchObject({ outcome: 'failed', detail: 'answered 500' })
    expect(times().filter((at) => at === 30 || at === 50)).toEqual([30, 50])
  })

  it('to a receiver that does not respond delays no other receiver', async () => {
    const one = world.start({
      receivers: ['team', 'other'],
      concurrency: 1,
      config: `
route:
  receiver: team
  group_by: [alertname]
  group_wait: 10s
  routes: [ { receiver: other, matchers: [ 'alertname="O"' ], group_wait: 20s } ]
receivers: [ { name: team }, { name: other } ]
`,
    })
    let answer = (_result: NotifyResult): void => {}
    world.answers.push(() => new Promise((resolve) => (answer = resolve)))
    await world.post(one, ['A/1', 'B/1', 'O/1'])
    world.clock.advance(10_000)
    await attempts(1)
    world.clock.advance(10_000)
    await attempts(2)
    expect(world.notifications.map(({ receiver }) => receiver)).toEqual(['team', 'other'])
    answer({ outcome: 'sent' })
    await world.pass(1)
    expect(world.notifications.map(({ alerts }) => alerts[0])).toEqual([
      'A/1 firing',
      'O/1 firing',
      'B/1 firing',
    ])
  })
})

describe('suppression', () => {
  it('by a silence holds notifications back, and alerts that resolve meanwhile are not sent', async () => {
    const one = world.start()
    const now = world.clock.now()
    await world.post(one, ['A/1'], 100)
    const id = await createSilence(one.alerts, {
      matchers: [{ name: 'alertname', value: 'A', isRegex: false }],
      startsAt: now,
      endsAt: now + 600_000,
      createdBy: 'x',
      comment: 'y',
    })
    await world.pass(1_000)
    expect(world.notifications).toEqual([])
    expect(one.decisions.map(({ outcome }) => outcome)).toEqual(['silenced', 'silenced'])
    expect(one.decisions[0]?.causes).toEqual([{ id, name: 'y' }])
  })

  it('by alerts names the one that inhibits', async () => {
    const one = world.start({
      config: `
route: { receiver: team, group_by: [alertname] }
receivers: [ { name: team } ]
inhibit_rules: [ { source_matchers: [ 'alertname="S"' ], target_matchers: [ 'alertname="A"' ] } ]
`,
    })
    await world.post(one, ['S/1', 'A/1', 'A/2'], 100)
    await world.pass(60)
    const inhibited = one.decisions.filter(({ outcome }) => outcome === 'inhibited')
    const source = one.decisions.find(({ outcome }) => outcome === 'sent')
    expect(inhibited.map(({ causes }) => causes)).toEqual([[{ id: source?.firing[0], name: 'S' }]])
  })
})

describe('several dispatchers on one storage', () => {
  it('notify each group once', async () => {
    const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }].map(world.start)
    const names = Array.from({ length: 40 }, (_, index) => `A${index}/1`)
    for (const [index, process] of [a, b, c].entries()) {
      if (process === undefined) throw new Error('three processes were started')
      await world.post(
        process,
        names.filter((_, at) => at % 3 === index),
      )
    }
    await world.pass(400)
    expect(world.notifications.map(({ groupKey }) => groupKey).sort()).toEqual(
      names.map((name) => `{}:{alertname="${name.split('/')[0]}"}`).sort(),
    )
  })

  it('take over the flush of one that is gone, once its claim has expired', async () => {
    const a = world.start({ name: 'a' })
    await world.post(a, ['A/1'])
    world.answers.push(() => new Promise(() => {}))
    await world.pass(29.75)
    world.clock.advance(250)
    await attempts(1)
    a.crash()
    world.start({ name: 'b' })
    await world.pass(60)
    expect(world.notifications.map(({ at, by }) => [by, at])).toEqual([
      ['a', 30],
      ['b', 45],
    ])
  })
})

describe('after a restart', () => {
  it('continues where it stopped: does not wait again, repeat or forget anything', async () => {
    const a = world.start({ name: 'a' })
    await world.post(a, ['A/1'])
    await world.pass(20)
    a.crash()
    const b = world.start({ name: 'b' })
    await world.pass(20)
    expect(times()).toEqual([30])
    b.crash()
    await world.pass(200)
    const c = world.start({ name: 'c' })
    await world.post(c, ['A/2'])
    await world.pass(200)
    expect(brief()).toEqual([
      [30, 'first notification', 'A/1 firing'],
      [330, 'new alerts added', 'A/1 firing', 'A/2 firing'],
    ])
  })

  it('catches up at once with groups that became due meanwhile', async () => {
    const a = world.start({ name: 'a' })
    await world.post(a, ['A/1'])
    await world.pass(1)
    a.crash()
    await world.pass(3_600)
    world.start({ name: 'b' })
    await world.pass(1)
    expect(times()).toEqual([3_601])
  })
})

describe('stopping', () => {
  it('waits for a running attempt and logs it', async () => {
    const a = world.start({ name: 'a' })
    await world.post(a, ['A/1'])
    let answer = (_result: NotifyResult): void => {}
    world.answers.push(() => new Promise((resolve) => (answer = resolve)))
    await world.pass(29.75)
    world.clock.advance(250)
    await attempts(1)
    const stopped = a.dispatcher.stop()
    answer({ outcome: 'sent' })
    await stopped
    a.crash()
    world.start({ name: 'b' })
    await world.pass(200)
    expect(times()).toEqual([30])
  })

  it('leaves a pending retry to the next dispatcher, at once', async () => {
    const a = world.start({ name: 'a' })
    await world.post(a, ['A/1'])
    world.answers.push(() => retry)
    await world.pass(30.25)
    await a.dispatcher.stop()
    expect(a.decisions.map(({ outcome }) => outcome)).toEqual(['canceled'])
    a.crash()
    world.start({ name: 'b' })
    await world.pass(1)
    expect(world.notifications.map(({ by, at }) => [by, at])).toEqual([
      ['a', 30],
      ['b', 30.25],
    ])
  })
})

describe('another configuration', () => {
  it('keeps the state of groups whose route is the same', async () => {
    const one = world.start()
    await world.post(one, ['A/1'])
    await world.pass(20)
    updateAlertsConfig(one.alerts, `${teamConfig}- name: spare\n`)
    await world.pass(400)
    expect(times()).toEqual([30])
  })

  it('sends by the new routes', async () => {
    const one = world.start({ receivers: ['team', 'other'] })
    await world.post(one, ['A/1'])
    await world.pass(10)
    updateAlertsConfig(one.alerts, teamConfig.replaceAll('team', 'other'))
    await world.pass(400)
    expect(world.notifications.map(({ receiver }) => receiver)).toEqual(['other'])
  })
})

it('groups with the same key and receiver share the log: identical routes notify once', async () => {
  const one = world.start({
    config: `
route:
  receiver: team
  group_by: [alertname]
  routes:
  - { receiver: team, matchers: [ 'alertname="A"' ], continue: true }
  - { receiver: team, matchers: [ 'alertname="A"' ] }
receivers: [ { name: team } ]
`,
  })
  await world.post(one, ['A/1'])
  await world.pass(400)
  expect(times()).toEqual([30])
})
