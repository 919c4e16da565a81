import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { GettableNotification } from '../history/notification-record.ts'
import { createSilence } from '../silences/create-silence.ts'
import {
  createDispatchWorld,
  type DispatchProcess,
  type DispatchWorld,
  teamConfig,
} from '../start/start-dispatcher.fixture.ts'
import { type HistoryKeeper, startHistory } from '../start/start-history.ts'
import { listNotifications, type NotificationsQuery } from './list-notifications.ts'

const hour = 3_600

let world: DispatchWorld
let histories: HistoryKeeper[]
beforeEach(() => {
  world = createDispatchWorld()
  histories = []
})
afterEach(async () => {
  for (const history of histories) await history.stop()
  await world.end()
})

const start = (settings: Parameters<DispatchWorld['start']>[0] = {}): DispatchProcess => {
  const process = world.start(settings)
  histories.push(startHistory(process.alerts))
  return process
}

const list = async (
  { alerts }: DispatchProcess,
  query?: NotificationsQuery,
): Promise<readonly GettableNotification[]> => {
  for (const history of histories) await history.flush()
  return (await listNotifications(alerts, query)).items
}

const brief = (items: readonly GettableNotification[]) =>
  items.map(({ at, outcome, integration, firingCount, resolvedCount }) => {
    const seconds = (Date.parse(at) - Date.UTC(2026, 0, 1)) / 1_000
    return `${seconds}s ${integration ?? '-'} ${outcome} ${firingCount}+${resolvedCount}`
  })

const silenceA = (process: DispatchProcess, seconds: number): Promise<string> =>
  createSilence(process.alerts, {
    matchers: [{ name: 'alertname', value: 'A', isRegex: false }],
    startsAt: world.clock.now(),
    endsAt: world.clock.now() + seconds * 1_000,
    createdBy: 'x',
    comment: 'y',
  })

describe('the notification history of a group', () => {
  it('lists every notification with its outcome, newest first', async () => {
    const one = start()
    world.answers.push(
      () => ({ outcome: 'retry', reason: 'serverError', detail: 'answered 500' }),
      () => ({ outcome: 'failed', reason: 'clientError', detail: 'answered 400' }),
    )
    await world.post(one, ['A/1', 'A/2'], 600)
    await world.pass(1_000)
    const [last, second, first] = await list(one)
    const common = {
      id: expect.any(String),
      groupKey: '{}:{alertname="A"}',
      groupLabels: { alertname: 'A' },
      groupHash: expect.stringMatching(/^[\da-f]{64}$/),
      receiver: 'team',
      integration: 'code:test/0',
    }
    const both = [expect.stringMatching(/^[\da-f]{16}$/), expect.stringMatching(/^[\da-f]{16}$/)]
    const fired = { firing: both, resolved: [], firingCount: 2, resolvedCount: 0 }
    expect(first).toEqual({
      ...common,
      ...fired,
      at: '2026-01-01T00:00:30.000Z',
      outcome: 'failed',
      reason: 'first notification',
      detail: 'answered 400',
      attempts: 2,
      tookMs: 0,
    })
    expect(second).toEqual({
      ...common,
      ...fired,
      at: '2026-01-01T00:05:30.000Z',
      outcome: 'sent',
      reason: 'first notification',
      attempts: 1,
      tookMs: 0,
    })
    expect(last).toMatchObject({ outcome: 'sent', reason: 'all alerts resolved', resolved: both })
  })

  it('notes once an hour that there is nothing new to send', async () => {
    const one = start()
    await world.post(one, ['A/1'])
    await world.pass(3 * hour)
    expect(brief(await list(one)).reverse()).toEqual([
      '30s code:test/0 sent 1+0',
      '330s code:test/0 deduplicated 1+0',
      '3930s code:test/0 deduplicated 1+0',
      '7530s code:test/0 deduplicated 1+0',
    ])
  })

  it('notes at once another reason not to notify, or a first suppression', async () => {
    const one = start()
    await world.post(one, ['A/1'])
    await world.pass(200)
    await silenceA(one, 1_000)
    await world.pass(700)
    await world.post(one, ['A/2'])
    await world.pass(1_000)
    await silenceA(one, 1_000)
    await world.pass(500)
    expect(brief(await list(one)).reverse()).toEqual([
      '30s code:test/0 sent 1+0',
      '330s - silenced 1+0',
      '930s - silenced 2+0',
      '1230s code:test/0 sent 2+0',
      '1530s code:test/0 deduplicated 2+0',
      '2130s - silenced 2+0',
    ])
  })

  it('keeps the first alerts of a very large group, and their number', async () => {
    const one = start()
    await world.post(
      one,
      Array.from({ length: 300 }, (_, n) => `A/${n}`),
    )
    await world.pass(30)
    const [only] = await list(one)
    expect(only?.firing).toHaveLength(200)
    expect(only).toMatchObject({ firingCount: 300, resolvedCount: 0 })
  })
})

describe('notifications', () => {
  const config = `
route:
  receiver: team
  group_by: [alertname]
  group_wait: 30s
  routes: [ { receiver: other, matchers: [ 'alertname="B"' ] } ]
receivers: [ { name: team }, { name: other } ]
`

  it('are found by receiver, group, integration, outcome, alert and time', async () => {
    const one = start({ config, receivers: ['team', 'other'] })
    await world.post(one, ['A/1', 'B/1'])
    await world.pass(400)
    const all = await list(one)
    expect(all).toHaveLength(4)
    expect(await list(one, { receiver: 'other' })).toEqual(
      all.filter(({ receiver }) => receiver === 'other'),
    )
    const groupKey = '{}:{alertname="A"}'
    expect(await list(one, { groupKey })).toEqual(all.filter(({ receiver }) => receiver === 'team'))
    expect(brief(await list(one, { groupKey, outcome: ['sent', 'failed'] }))).toEqual([
      '30s code:test/0 sent 1+0',
    ])
    expect(await list(one, { integration: 'code:test/0' })).toHaveLength(4)
    expect(await list(one, { integration: 'code:test/1' })).toEqual([])
    const fingerprint = all.find(({ receiver }) => receiver === 'other')?.firing[0]
    expect(await list(one, { fingerprint })).toHaveLength(2)
    const tick = Date.parse('2026-01-01T00:05:30Z')
    expect(brief(await list(one, { from: tick, receiver: 'team' }))).toEqual([
      '330s code:test/0 deduplicated 1+0',
    ])
    expect(brief(await list(one, { to: tick, groupKey }))).toEqual(['30s code:test/0 sent 1+0'])
    expect(await list(one, { from: tick, to: tick })).toEqual([])
  })

  it('include those that another process sent', async () => {
    const a = start({ name: 'a' })
    const b = start({ name: 'b' })
    await world.post(a, ['A/1', 'B/1', 'C/1', 'D/1'])
    await world.pass(40)
    const sent = await list(a, { outcome: ['sent'] })
    expect(sent.map(({ groupKey }) => groupKey).sort()).toEqual(
      ['A', 'B', 'C', 'D'].map((name) => `{}:{alertname="${name}"}`),
    )
    expect(await list(b, { outcome: ['sent'] })).toEqual(sent)
  })
})

it('include a canceled decision', async () => {
  const one = start({ config: teamConfig })
  await world.post(one, ['A/1'])
  world.answers.push(() => ({ outcome: 'retry', reason: 'serverError', detail: 'answered 500' }))
  await world.pass(30.25)
  await one.dispatcher.stop()
  expect(brief(await list(one))).toEqual(['30s code:test/0 canceled 1+0'])
})
